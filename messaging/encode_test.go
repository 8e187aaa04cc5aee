package messaging

import "testing"

// TestEncode checks that JSON is written without escapes that a reader of the messages does not need.
func TestEncode(t *testing.T) {
	got, err := encode(map[string]string{"data": "<b>&\n"})
	if want := `{"data":"<b>&\n"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if _, err := encode(func() {}); err == nil {
		t.Error("a function is encoded")
	}
}
