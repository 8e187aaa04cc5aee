package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

func rev(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
func main() {
	s := "héllo, 世界"
	for i, r := range s {
		fmt.Print(i, ":", string(r), " ")
	}
	fmt.Println(len(s), []byte(s)[1], s[1], s[:2] == "h\xc3", rev(s))
	fmt.Println(strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, "aBc"))
	n, err := strconv.Atoi("12x")
	fmt.Println(n, err)
	fmt.Println(strconv.Quote("a\n"), strings.Repeat("ab", 3), strings.Split("a,b,c", ","), strings.Fields(" x  y "))
	var b strings.Builder
	for i := 3; i >= 1; i-- {
		fmt.Fprintf(&b, "%d...", i)
	}
	b.WriteByte('!')
	b.WriteRune('é')
	fmt.Println(b.String(), b.Len())
	x := `raw\n"q"`
	fmt.Println(x, "a"+string(rune(66)), s > "h", strings.Contains(s, "世"))
	fmt.Printf("%q %x %08b %o %e %g %6.2f|%-6s|%+d %U %c %t %p\n", "hi", "hi", 5, 8, 1234.5, 1e21, 3.14159, "ab", 5, 'é', 'x', true, nil)
	switch c := s[0]; {
	case c >= 'a' && c <= 'z':
		fmt.Println("lower", c-'a')
	}
}

// Output:
// 0:h 1:é 3:l 4:l 5:o 6:, 7:  8:世 11:界 14 195 195 true 界世 ,olléh
// AC
// 0 strconv.Atoi: parsing "12x": invalid syntax
// "a\n" ababab [a b c] [x y]
// 3...2...1...!é 15
// raw\n"q" aB true true
// "hi" 6869 00000101 10 1.234500e+03 1e+21   3.14|ab    |+5 U+00E9 x true %!p(<nil>)
// lower 7
