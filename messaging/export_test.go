package messaging

import "github.com/goanvil/notebook/messaging/wire"

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
