package main

import (
	"encoding/json"
	"fmt"
)

type Suit int

const (
	Clubs Suit = iota
	Hearts
)

var names = map[Suit]string{Clubs: "clubs", Hearts: "hearts"}

func (s Suit) String() string               { return names[s] }
func (s Suit) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
func (s *Suit) UnmarshalText(b []byte) error {
	for k, v := range names {
		if v == string(b) {
			*s = k
			return nil
		}
	}
	return fmt.Errorf("bad suit %q", b)
}

type Hand map[Suit]int

func main() {
	b, err := json.Marshal(Hand{Clubs: 1, Hearts: 2})
	fmt.Println(string(b), err)
	var h Hand
	fmt.Println(json.Unmarshal([]byte(`{"hearts":5}`), &h), h, h[Hearts])
	fmt.Println(json.Unmarshal([]byte(`{"spades":5}`), &h))
	var s Suit
	fmt.Println(json.Unmarshal([]byte(`"hearts"`), &s), s)
	type pair struct {
		S Suit  `json:"s"`
		P *Suit `json:"p,omitempty"`
	}
	b, _ = json.Marshal([]pair{{S: Hearts}, {Clubs, &s}})
	fmt.Println(string(b))
}

// Output:
// {"clubs":1,"hearts":2} <nil>
// <nil> map[hearts:5] 5
// bad suit "spades"
// <nil> hearts
// [{"s":"hearts"},{"s":"clubs","p":"hearts"}]
