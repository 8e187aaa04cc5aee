package main

func main() { panic("it ends here") }

// Output:
