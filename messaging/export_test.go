package messaging

import (
	"testing"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// SetMaxSubscribeWait changes how long the first cell waits for a client that subscribes, until the test ends.
func SetMaxSubscribeWait(t testing.TB, d time.Duration) {
	before := maxSubscribeWait
	maxSubscribeWait = d
	t.Cleanup(func() { maxSubscribeWait = before })
}

// Answered returns two columns of the table by message type: the type of the
// reply, and whether the message is accepted on the control channel.
func Answered() (replies map[wire.Type]wire.Type, control map[wire.Type]bool) {
	replies, control = make(map[wire.Type]wire.Type), make(map[wire.Type]bool)
	for t, row := range rows() {
		replies[t] = row.reply
		control[t] = row.channels&controlChannel != 0
	}
	return replies, control
}
