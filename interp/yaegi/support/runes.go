package support

// Runes returns what a loop over text sees: the runes, and at which byte each
// begins. A byte that is no UTF-8 is one rune, U+FFFD.
func Runes(text string) (places []int, runes []rune) {
	places, runes = make([]int, 0, len(text)), make([]rune, 0, len(text))
	for i, r := range text {
		places, runes = append(places, i), append(runes, r)
	}
	return places, runes
}
