package main

import (
	"errors"
	"fmt"
	"time"
)

func wait(c <-chan int) (int, error) {
	select {
	case v := <-c:
		return v, nil
	case <-time.After(5 * time.Millisecond):
		return 0, errors.New("timeout")
	}
}
func main() { fmt.Println(wait(nil)) }

// Output:
// 0 timeout
