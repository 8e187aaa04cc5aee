package messaging

import "github.com/goanvil/notebook/messaging/wire"

// Answered returns the rows of the table: the type of the reply by the type of
// the message, and which messages come in on control.
func Answered() (replies map[wire.Type]wire.Type, control map[wire.Type]bool) {
	replies, control = make(map[wire.Type]wire.Type), make(map[wire.Type]bool)
	for t, row := range rows() {
		replies[t] = row.reply
		control[t] = row.on&onControl != 0
	}
	return replies, control
}
