package main

import "fmt"

func main() {
	i := 0
loop:
	if i < 3 {
		fmt.Print(i, " ")
		i++
		goto loop
	}
outer:
	for i := 0; i < 3; i++ {
		for j := 0; j < 3; j++ {
			switch {
			case j == 1:
				continue outer
			case i == 2:
				break outer
			}
			fmt.Print(i, j, " ")
		}
	}
	fmt.Println()
sw:
	switch {
	case true:
		for {
			break sw
		}
	}
	ch := make(chan int, 1)
sel:
	for {
		select {
		case ch <- 1:
		case v := <-ch:
			fmt.Println("got", v)
			break sel
		}
	}
	goto end
end:
	fmt.Println("end")
}

// Output:
// 0 1 2 0 0 1 0
// got 1
// end
