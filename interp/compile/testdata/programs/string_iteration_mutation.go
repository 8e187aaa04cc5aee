package main

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

func isPal(s string) bool {
	var r []rune
	for _, c := range strings.ToLower(s) {
		if c >= 'a' && c <= 'z' {
			r = append(r, c)
		}
	}
	for i := range len(r) / 2 {
		if r[i] != r[len(r)-1-i] {
			return false
		}
	}
	return true
}
func caesar(s string, k int) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+rune(k)+26)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+rune(k)+26)%26
		}
		return r
	}, s)
}
func anagrams(ws ...string) map[string][]string {
	m := map[string][]string{}
	for _, w := range ws {
		b := []byte(w)
		sort.Slice(b, func(i, j int) bool { return b[i] < b[j] })
		m[string(b)] = append(m[string(b)], w)
	}
	return m
}
func rle(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		fmt.Fprintf(&b, "%d%c", j-i, s[i])
		i = j
	}
	return b.String()
}
func lev(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			c := 1
			if a[i-1] == b[j-1] {
				c = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+c)
		}
	}
	return d[len(a)][len(b)]
}
func roman(n int) (s string) {
	for _, p := range []struct {
		v int
		r string
	}{{1000, "M"}, {900, "CM"}, {90, "XC"}, {50, "L"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for n >= p.v {
			s += p.r
			n -= p.v
		}
	}
	return
}
func main() {
	fmt.Println(isPal("A man, a plan, a canal: Panama"), caesar("Hello, z", 3), caesar(caesar("abc", 5), -5), anagrams("tea", "eat", "x"), rle("aaabcc"), lev("kitten", "sitting"), roman(1994))
	s := "日本x"
	for i, r := range s {
		fmt.Print(i, " ", string(r), " ", utf8.RuneLen(r), ";")
	}
	for i := 0; i < len(s); i++ {
		fmt.Printf("%x ", s[i])
	}
	fmt.Println(utf8.RuneCountInString(s), []rune(s)[1] == '本', strings.ToUpper(s[6:]), s[len(s)-1] == 'x')
	b := []byte("abc")
	for i := range b {
		b[i] -= 32
	}
	fmt.Println(string(b), string(b[1]), b)
	var sb strings.Builder
	for i := range 3 {
		sb.WriteString(strings.Repeat("*", i+1))
		sb.WriteByte('\n')
	}
	fmt.Print(sb.String())
	w := strings.Fields(" the quick  fox ")
	for i, j := 0, len(w)-1; i < j; i, j = i+1, j-1 {
		w[i], w[j] = w[j], w[i]
	}
	fmt.Println(strings.Join(w, " "), len(w))
	cnt := [26]int{}
	for _, c := range "hello" {
		cnt[c-'a']++
	}
	fmt.Println(cnt['l'-'a'], cnt['h'-'a'])
	x := "x"
	x += "y"
	x = x + string(rune('z')) + fmt.Sprint(1)
	fmt.Println(x, x[0] == 'x', x > "w", "a" < "B")
	multi := `line1
	line2`
	fmt.Println(strings.Count(multi, "\n"), len(strings.Split(multi, "\n")))
}

// Output:
// true Khoor, c abc map[aet:[tea eat] x:[x]] 3a1b2c 3 MCMXCIV
// 0 日 3;3 本 3;6 x 1;e6 97 a5 e6 9c ac 78 3 true X true
// ABC B [65 66 67]
// *
// **
// ***
// fox quick the 3
// 2 1
// xyz1 true true false
// 1 2
