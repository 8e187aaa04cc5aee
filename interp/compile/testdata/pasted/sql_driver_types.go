package main

import (
	"database/sql/driver"
	"fmt"
)

type conn struct{}

func (conn) Begin() (driver.Tx, error) { return nil, nil }
func main() {
	t, err := conn{}.Begin()
	fmt.Println(t, err)
}

// Output:
// <nil> <nil>
