package main

import "fmt"

func gen(n ...int) <-chan int {
	out := make(chan int)
	go func() {
		for _, v := range n {
			out <- v
		}
		close(out)
	}()
	return out
}
func sq(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for v := range in {
			out <- v * v
		}
	}()
	return out
}
func merge(cs ...<-chan int) <-chan int {
	out := make(chan int)
	done := make(chan bool)
	for _, c := range cs {
		go func() {
			for v := range c {
				out <- v
			}
			done <- true
		}()
	}
	go func() {
		for range cs {
			<-done
		}
		close(out)
	}()
	return out
}

type Msg struct {
	From  string
	Reply chan string
}

func server(in chan Msg) {
	for m := range in {
		m.Reply <- "hi " + m.From
	}
}
func sieve(n int) []int {
	ch := make(chan int)
	first := ch
	go func() {
		for i := 2; ; i++ {
			first <- i
		}
	}()
	var ps []int
	for range n {
		p := <-ch
		ps = append(ps, p)
		next := make(chan int)
		go func(in, out chan int, p int) {
			for {
				if v := <-in; v%p != 0 {
					out <- v
				}
			}
		}(ch, next, p)
		ch = next
	}
	return ps
}
func main() {
	for v := range sq(sq(gen(1, 2, 3))) {
		fmt.Print(v, " ")
	}
	sum := 0
	for v := range merge(gen(1, 2), gen(3, 4), sq(gen(5))) {
		sum += v
	}
	fmt.Println(sum)
	in := make(chan Msg)
	go server(in)
	for _, n := range []string{"a", "b"} {
		r := make(chan string)
		in <- Msg{n, r}
		fmt.Print(<-r, "; ")
	}
	fmt.Println(sieve(6))
	chans := []chan int{make(chan int, 1), make(chan int, 1)}
	chans[1] <- 5
	select {
	case v := <-chans[0]:
		fmt.Println("0", v)
	case v, ok := <-chans[1]:
		fmt.Println("1", v, ok)
	}
	var send chan<- int = chans[0]
	send <- 1
	var recv <-chan int = chans[0]
	fmt.Println(<-recv, len(chans))
	m := map[string]chan int{"k": make(chan int, 1)}
	m["k"] <- 3
	fmt.Println(<-m["k"])
}

// Output:
// 1 16 81 35
// hi a; hi b; [2 3 5 7 11 13]
// 1 5 true
// 1 2
// 3
