package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

func main() {
	data, err := os.ReadFile(os.DevNull)
	fmt.Println(len(data), err)
	data, err = os.ReadFile(os.TempDir())
	var p *fs.PathError
	fmt.Println(len(data), errors.As(err, &p) && p.Op == "read")
	_, err = os.ReadFile(os.DevNull + "/none")
	fmt.Println(errors.As(err, &p) && p.Op == "open")
	r, w, _ := os.Pipe()
	go func() { fmt.Fprint(w, "piped"); w.Close() }()
	data, err = io.ReadAll(r)
	fmt.Println(string(data), err)
	n, err := os.Stdout.Read(make([]byte, 4))
	fmt.Println(n, err != nil)
}

// Output:
// 0 <nil>
// 0 true
// true
// piped <nil>
// 0 true
