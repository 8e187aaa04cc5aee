package messagingtest

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A Kernel is a messaging.Kernel whose cells are commands, one per line; see
// Commands. The zero Kernel is usable.
type Kernel struct {
	// The commands wait and block send a value to Started. The command block then
	// receives a value from Release, and so does the goroutine that the command later
	// starts. With nil channels they block forever.
	Started chan struct{}
	Release chan struct{}

	mu   sync.Mutex
	log  []string // the code of cells
	down []bool   // the arguments of Shutdown
}

var _ messaging.Kernel = (*Kernel)(nil)

// A command runs one line, whose text after the command's name is arg. An outcome other
// than OK ends the cell.
type command func(k *Kernel, ctx context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload)

// Commands maps the names of commands to their functions.
var Commands = map[string]command{
	"echo": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		out.Result(wire.DisplayData{Data: wire.Bundle{"text/plain": arg}})
		return wire.OK, nil
	},
	"print": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		fmt.Fprintln(out.Stdout(), arg)
		return wire.OK, nil
	},
	"warn": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		fmt.Fprintln(out.Stderr(), arg)
		return wire.OK, nil
	},
	"lines": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		n, _ := strconv.Atoi(arg)
		for i := range n {
			fmt.Fprintln(out.Stdout(), "line", i)
		}
		return wire.OK, nil
	},
	"bytes": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		for i := range len(arg) { // a byte at a time, which splits characters
			_, _ = io.WriteString(out.Stdout(), arg[i:i+1])
		}
		return wire.OK, nil
	},
	"big": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		n, _ := strconv.Atoi(arg)
		out.Display(wire.DisplayData{Data: wire.Bundle{"text/plain": strings.Repeat("x", n)}})
		return wire.OK, nil
	},
	"display": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		out.Display(displayData(arg))
		return wire.OK, nil
	},
	"nan": func(_ *Kernel, _ context.Context, _ string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		out.Display(wire.DisplayData{Data: wire.Bundle{"application/json": math.NaN()}})
		return wire.OK, nil
	},
	"update": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		out.Update(displayData(arg))
		return wire.OK, nil
	},
	"clear": func(_ *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		out.Clear(arg == "wait")
		return wire.OK, nil
	},
	"fail": func(_ *Kernel, _ context.Context, arg string, _ messaging.Output) (wire.Outcome, []wire.Payload) {
		return wire.Failed("Failure", arg, "\x1b[31mFailure\x1b[0m: "+arg), nil
	},
	"wait": func(k *Kernel, ctx context.Context, _ string, _ messaging.Output) (wire.Outcome, []wire.Payload) {
		k.Started <- struct{}{}
		<-ctx.Done()
		return wire.Failed("Interrupted", context.Cause(ctx).Error()), nil
	},
	"flood": func(_ *Kernel, ctx context.Context, _ string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		for ctx.Err() == nil {
			fmt.Fprintln(out.Stdout(), strings.Repeat("x", 1<<20))
		}
		return wire.Failed("Interrupted", context.Cause(ctx).Error()), nil
	},
	"block": func(k *Kernel, _ context.Context, _ string, _ messaging.Output) (wire.Outcome, []wire.Payload) {
		k.Started <- struct{}{}
		<-k.Release
		return wire.OK, nil
	},
	"ask": func(_ *Kernel, ctx context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		line, err := out.Input(ctx, arg, false)
		return showInput(line, err, out), nil
	},
	"question": func(_ *Kernel, ctx context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		line, err := out.Ask(ctx, arg)
		return showInput(line, err, out), nil
	},
	"secret": func(_ *Kernel, ctx context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		line, err := out.Input(ctx, arg, true)
		return showInput(line, err, out), nil
	},
	"page": func(_ *Kernel, _ context.Context, arg string, _ messaging.Output) (wire.Outcome, []wire.Payload) {
		return wire.OK, []wire.Payload{wire.Page(wire.Bundle{"text/plain": arg})}
	},
	"bigpage": func(_ *Kernel, _ context.Context, arg string, _ messaging.Output) (wire.Outcome, []wire.Payload) {
		n, _ := strconv.Atoi(arg)
		return wire.OK, []wire.Payload{wire.Page(wire.Bundle{"text/plain": strings.Repeat("x", n)})}
	},
	"later": func(k *Kernel, _ context.Context, arg string, out messaging.Output) (wire.Outcome, []wire.Payload) {
		go func() { // outlives the cell
			<-k.Release
			fmt.Fprintln(out.Stdout(), arg)
		}()
		return wire.OK, nil
	},
}

// displayData returns the display data of an argument "id text".
func displayData(arg string) wire.DisplayData {
	id, text, _ := strings.Cut(arg, " ")
	return wire.DisplayData{Data: wire.Bundle{"text/plain": text}, Transient: wire.Transient{DisplayID: id}}
}

// showInput shows the line that the user typed as the cell's value, or fails with err.
func showInput(line string, err error, out messaging.Output) wire.Outcome {
	if err != nil {
		return wire.Failed("InputError", err.Error())
	}
	out.Result(wire.DisplayData{Data: wire.Bundle{"text/plain": line}})
	return wire.OK
}

// Log returns the code of all cells so far.
func (k *Kernel) Log() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]string(nil), k.log...)
}

// Down returns the arguments of all calls of Shutdown so far.
func (k *Kernel) Down() []bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]bool(nil), k.down...)
}

// Info implements messaging.Kernel.
func (k *Kernel) Info() wire.KernelInfoReply {
	return wire.KernelInfoReply{
		Implementation:        "messagingtest",
		ImplementationVersion: "1.0",
		Banner:                "commands, a line each",
		LanguageInfo: wire.LanguageInfo{Name: "commands", Version: "1.0", MIMEType: "text/plain",
			FileExtension: ".txt", PygmentsLexer: "text", CodeMirrorMode: "null"},
	}
}

// Execute implements messaging.Kernel.
func (k *Kernel) Execute(ctx context.Context, cell messaging.Cell, out messaging.Output) (reply wire.ExecuteReply) {
	k.mu.Lock()
	k.log = append(k.log, cell.Code)
	k.mu.Unlock()
	reply.Outcome = wire.OK
	for line := range strings.Lines(cell.Code) {
		name, arg, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		run, ok := Commands[name]
		if !ok {
			reply.Outcome = wire.Failed("NoCommand", name)
			return reply
		}
		var payload []wire.Payload
		reply.Outcome, payload = run(k, ctx, arg, out)
		reply.Payload = append(reply.Payload, payload...)
		if reply.Status != wire.StatusOK {
			return reply
		}
	}
	return reply
}

// Evaluate implements messaging.Kernel: an expression is its own value.
func (k *Kernel) Evaluate(_ context.Context, expr string) wire.Expression {
	if expr == "" {
		return wire.Expression{Outcome: wire.Failed("NoExpression", "it is empty")}
	}
	return wire.Expression{Outcome: wire.OK, Data: wire.Bundle{"text/plain": expr}}
}

// Complete implements messaging.Kernel: it completes names of commands.
func (k *Kernel) Complete(_ context.Context, req wire.CompleteRequest) wire.CompleteReply {
	reply := wire.CompleteReply{Outcome: wire.OK, CursorEnd: req.CursorPos}
	for name := range Commands {
		if strings.HasPrefix(name, req.Code) {
			reply.Matches = append(reply.Matches, name)
		}
	}
	return reply
}

// Inspect implements messaging.Kernel.
func (k *Kernel) Inspect(_ context.Context, req wire.InspectRequest) wire.InspectReply {
	if _, ok := Commands[req.Code]; !ok {
		return wire.InspectReply{Outcome: wire.OK}
	}
	return wire.InspectReply{Outcome: wire.OK, Found: true, Data: wire.Bundle{"text/plain": req.Code + " is a command"}}
}

// IsComplete implements messaging.Kernel: code that ends in a backslash is
// incomplete, and code that begins with one is invalid.
func (k *Kernel) IsComplete(_ context.Context, req wire.IsCompleteRequest) wire.IsCompleteReply {
	switch {
	case strings.HasPrefix(req.Code, `\`):
		return wire.IsCompleteReply{Status: wire.CodeInvalid}
	case strings.HasSuffix(req.Code, `\`):
		return wire.IsCompleteReply{Status: wire.CodeIncomplete, Indent: "  "}
	}
	return wire.IsCompleteReply{Status: wire.CodeComplete}
}

// Shutdown implements messaging.Kernel.
func (k *Kernel) Shutdown(restart bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.down = append(k.down, restart)
}
