package main

import (
	"fmt"
	"io"
	"os"
)

func open(name string) (io.Reader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}
func main() {
	_, err := open("/does/not/exist")
	fmt.Println(err != nil)
}

// Output:
// true
