package memory

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // for image.DecodeConfig
	_ "image/jpeg"
	_ "image/png"
	"io"
)

// CheckPicture returns an error if r begins with the header of a PNG, JPEG or GIF image that does not fit in
// the available memory: even a file of a few hundred bytes may have a header with a huge size. Otherwise it
// returns a reader of all data of r, including the header. It does not report an invalid header; the image
// decoder does.
func CheckPicture(r io.Reader) (io.Reader, error) {
	config, all, err := pictureConfig(r)
	if err != nil {
		return nil, err
	}
	// Bytes per pixel of the decoded image. A palette or YCbCr image has fewer than 4. A gray PNG image with a transparent
	// color has four times as many as counted here, since its header does not tell of the color.
	pixelBytes := 4.0
	switch config.ColorModel {
	case color.RGBA64Model, color.NRGBA64Model:
		pixelBytes = 8
	case color.GrayModel:
		pixelBytes = 1
	case color.Gray16Model:
		pixelBytes = 2
	}
	free, known := available()
	need := pixelBytes * float64(config.Width) * float64(config.Height)
	if known && need > Unchecked && need > float64(free) {
		return nil, fmt.Errorf("an image of %d x %d pixels needs %s, and %s are free",
			config.Width, config.Height, SizeText(int64(min(need, 1<<62))), SizeText(free))
	}
	return all, nil
}

// pictureConfig returns the size and colour model in the header of the image that r reads, or the zero Config
// if there is no valid header, and a reader of all data of r, including the header.
func pictureConfig(r io.Reader) (config image.Config, all io.Reader, err error) {
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
				return config, nil, fmt.Errorf("cannot seek back to the start of the image: %w", err)
			}
			return config, r, nil
		}
	}
	var head bytes.Buffer
	config, _, _ = image.DecodeConfig(io.TeeReader(r, &head))
	return config, io.MultiReader(&head, r), nil
}
