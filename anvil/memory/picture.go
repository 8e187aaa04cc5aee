package memory

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // for image.DecodeConfig
	_ "image/jpeg"
	_ "image/png"
	"io"
)

// CheckPicture returns a reader of what r reads, and an error if it begins with the header of a
// PNG, JPEG or GIF image that is larger than what is available: a file of some hundred bytes
// may claim that. Any other header is left to who reads it.
func CheckPicture(r io.Reader) (io.Reader, error) {
	config, again, err := pictureConfig(r)
	if err != nil {
		return nil, err
	}
	bytes := 4.0 // for each pixel
	switch config.ColorModel {
	case color.RGBA64Model, color.NRGBA64Model:
		bytes = 8
	case color.GrayModel:
		bytes = 1
	case color.Gray16Model:
		bytes = 2
	}
	free, known := available()
	if need := bytes * float64(config.Width) * float64(config.Height); known && need > unchecked && need > float64(free) {
		return nil, fmt.Errorf("an image of %d x %d pixels needs %.2f GiB, and %s are free",
			config.Width, config.Height, need/(1<<30), SizeText(free))
	}
	return again, nil
}

// pictureConfig returns the size and colour model in the header of the image that r reads, zero
// if it reads no image, and a reader that begins where r did.
func pictureConfig(r io.Reader) (config image.Config, again io.Reader, err error) {
	switch r := r.(type) {
	case nil:
		return config, r, nil
	case *bytes.Buffer:
		config, _, _ = image.DecodeConfig(bytes.NewReader(r.Bytes()))
		return config, r, nil
	case *bufio.Reader:
		start, _ := r.Peek(r.Size())
		config, _, _ = image.DecodeConfig(bytes.NewReader(start))
		return config, r, nil
	case io.ReadSeeker:
		if start, err := r.Seek(0, io.SeekCurrent); err == nil {
			config, _, _ = image.DecodeConfig(r)
			if _, err := r.Seek(start, io.SeekStart); err != nil {
				return config, nil, errors.New("cannot go back after the header: " + err.Error())
			}
			return config, r, nil
		}
	}
	var head bytes.Buffer
	config, _, _ = image.DecodeConfig(io.TeeReader(r, &head))
	return config, io.MultiReader(&head, r), nil
}
