package main

import "syscall"

func main() { println(syscall.Getpid()) }

// Refused:
// import "syscall": not available
