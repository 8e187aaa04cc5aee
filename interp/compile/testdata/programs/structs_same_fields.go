package main

import "fmt"

type SVD struct{ A, B float64 }
type QR struct{ A, B float64 }

func kind(v any) string {
	switch v.(type) {
	case SVD:
		return "SVD"
	case QR:
		return "QR"
	case struct{ A, B float64 }:
		return "anon"
	}
	return "?"
}
func main() {
	fmt.Println(kind(SVD{}), kind(QR{}), kind(struct{ A, B float64 }{}), any(SVD{}) == any(QR{}))
	q := QR(SVD{1, 2})
	fmt.Printf("%T %v %T\n", q, q, SVD(q))
	m := map[any]int{SVD{1, 2}: 1, QR{1, 2}: 2}
	fmt.Println(len(m), m[QR{1, 2}])
	type local struct{ A, B float64 }
	fmt.Printf("%T %v\n", local{1, 2}, kind(local{}))
	func() { type local string; fmt.Printf("%T\n", local("x")) }()
}

// Output:
// SVD QR anon false
// main.QR {1 2} main.SVD
// 2 2
// main.local ?
// main.local
