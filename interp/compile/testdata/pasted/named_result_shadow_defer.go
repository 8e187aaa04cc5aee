package main

import (
	"errors"
	"fmt"
)

func step() error { return errors.New("disk full") }
func save() (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("save: %w", err)
		}
	}()
	if err := step(); err != nil {
		return err
	}
	return nil
}
func read() (n int, err error) {
	defer fmt.Println("closed")
	if n, err := 3, step(); err != nil {
		return n, err
	}
	return
}
func main() {
	fmt.Println(save())
	fmt.Println(read())
}

// Output:
// save: disk full
// closed
// 3 disk full
