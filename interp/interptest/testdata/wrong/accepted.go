package main

func main() {}

// Refused:
// nothing is wrong
