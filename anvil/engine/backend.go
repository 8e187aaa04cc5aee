package engine

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/xla"
)

// find returns the executor that the options ask for, or the first that works.
func find(o Options) (Executor, error) {
	backend := o.Backend
	if backend == "" {
		backend = os.Getenv("GOANVIL_BACKEND")
	}
	switch backend {
	case "reference":
		return NewReference(), nil
	case "", "xla":
		e, err := findXLA(o)
		if err != nil && backend == "" {
			o.Log(whyNot(err) + "; computing with the reference evaluator")
			return NewReference(), nil
		}
		return e, err
	}
	return nil, fmt.Errorf("engine: there is no backend %q; backends are xla and reference", backend)
}

// whyNot returns what keeps XLA from computing, and what would help.
func whyNot(err error) string {
	var e *xla.UnsupportedError
	if errors.As(err, &e) {
		return e.Reason // nothing would
	}
	return err.Error()
}

// findXLA returns an executor of the first plugin that works. One without a
// device (a GPU's plugin where there is no GPU) is passed over even where it was
// asked for, since there is another way to the same result; a line says so.
func findXLA(o Options) (Executor, error) {
	devices, err := virtual(o.Devices)
	if err != nil {
		return nil, err
	}
	options := xla.ClientOptions{Devices: devices}
	client, skipped, err := xla.Open(o.Plugin, options)
	if err != nil && len(skipped) > 0 && errors.Is(skipped[0].Err, xla.ErrNoDevice) {
		var more []xla.Skipped
		if client, more, err = xla.OpenInstalled(options); err != nil {
			err = fmt.Errorf("%s; %w", passedOver(skipped), err)
		}
		skipped = append(skipped, more...)
	}
	if err != nil {
		return nil, err
	}
	if len(skipped) > 0 {
		o.Log(passedOver(skipped) + "; computing on " + client.Devices()[0].String())
	}
	if named := o.Plugin + os.Getenv(xla.PluginVariable); named == "" && client.Platform() == "cpu" && !client.Plugin().Pinned() {
		o.Log(otherPlugin(client.Plugin().Path()))
	}
	e := newXLA(client, !o.NoDiskCache, !o.Compiled)
	e.disk.setLog(o.Log)
	return e, nil
}

// otherPlugin says that the CPU's plugin was found and not fetched.
func otherPlugin(path string) string {
	return "computing with " + path + ", which is not the plugin that this version is tested with; goanvil setup cpu fetches that, and " +
		xla.PluginVariable + "=" + path + " in the environment says that this one is meant"
}

// devicesVariable says how many virtual devices a CPU has where nobody else does.
const devicesVariable = "GOANVIL_DEVICES"

// virtual returns n, or what the variable says in place of 0.
func virtual(n int) (int, error) {
	text := os.Getenv(devicesVariable)
	if n != 0 || text == "" {
		return n, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is %q, no number of devices", devicesVariable, text)
	}
	return n, nil
}

// passedOver returns which plugins were not used, and why.
func passedOver(skipped []xla.Skipped) string {
	words := make([]string, len(skipped))
	for i, s := range skipped {
		words[i] = fmt.Sprintf("passed over %s: %s", s.Candidate, strings.TrimSuffix(reason(s.Err), "."))
	}
	return strings.Join(words, "; ")
}

// reason returns what is wrong, without the path that has been named.
func reason(err error) string {
	var e *xla.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}
