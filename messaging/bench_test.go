package messaging_test

import (
	"testing"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/messagingtest"
)

// BenchmarkCell runs a cell with a result, from the request to reply and idle.
func BenchmarkCell(b *testing.B) {
	c := messagingtest.NewServer(b, newKernel(), messaging.Options{}).Client()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Execute(b.Context(), client.Execution{Code: "echo 2"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLines prints 100,000 lines.
func BenchmarkLines(b *testing.B) {
	c := messagingtest.NewServer(b, newKernel(), messaging.Options{}).Client()
	for b.Loop() {
		if _, err := c.Execute(b.Context(), client.Execution{Code: "lines 100000", Output: func(client.Output) {}}); err != nil {
			b.Fatal(err)
		}
	}
}
