package engine

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/xla"
)

// findExecutor returns an executor of the backend that o or GOANVIL_BACKEND names. If neither names one, it returns
// an executor of XLA, or the reference evaluator if XLA cannot be used.
func findExecutor(o Options) (Executor, error) {
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
			o.Log(whyNoXLA(err) + "; computing with the reference evaluator")
			return NewReference(), nil
		}
		return e, err
	}
	return nil, fmt.Errorf("engine: unknown backend %q; give xla or reference", backend)
}

// whyNoXLA returns the text of err, which says why XLA cannot be used.
func whyNoXLA(err error) string {
	var e *xla.UnsupportedError
	if errors.As(err, &e) {
		return e.Reason // without the hint: nothing helps on this platform
	}
	return err.Error()
}

// findXLA returns an executor of the first plugin that works. A plugin without a device, such as a CUDA
// plugin without a GPU, is skipped and logged even if o names it, since another plugin computes the
// same results.
func findXLA(o Options) (Executor, error) {
	devices, err := virtualDevices(o.Devices)
	if err != nil {
		return nil, err
	}
	options := xla.ClientOptions{Devices: devices}
	client, skipped, err := xla.Open(o.Plugin, options)
	if err != nil && len(skipped) > 0 && errors.Is(skipped[0].Err, xla.ErrNoDevice) {
		var more []xla.Skipped
		if client, more, err = xla.OpenInstalled(options); err != nil {
			err = fmt.Errorf("%s; %w", skippedMessage(skipped), err)
		}
		skipped = append(skipped, more...)
	}
	if err != nil {
		return nil, err
	}
	if len(skipped) > 0 {
		o.Log(skippedMessage(skipped) + "; computing on " + client.Devices()[0].String())
	}
	chosen := o.Plugin != "" || os.Getenv(xla.PluginVariable) != ""
	if !chosen && client.Platform() == "cpu" && !client.Plugin().Pinned() {
		o.Log(unpinnedMessage(client.Plugin().Path()))
	}
	e := newXLA(client, !o.NoDiskCache, !o.Compiled)
	e.disk.setLog(o.Log)
	return e, nil
}

// unpinnedMessage returns a message about a CPU plugin that is not the one that goanvil setup installs.
func unpinnedMessage(path string) string {
	return "computing with " + path + ", which is not the plugin that this version is tested with; goanvil setup cpu " +
		"installs the tested one; to keep this one, set " + xla.PluginVariable + "=" + path + " in the environment"
}

// devicesVariable is the environment variable with the number of virtual devices of a CPU.
const devicesVariable = "GOANVIL_DEVICES"

// virtualDevices returns n, or the value of devicesVariable if n is 0.
func virtualDevices(n int) (int, error) {
	text := os.Getenv(devicesVariable)
	if n != 0 || text == "" {
		return n, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is %q; it must be a number of devices, 1 or more", devicesVariable, text)
	}
	return n, nil
}

// skippedMessage returns a message that names the skipped plugins and the reasons.
func skippedMessage(skipped []xla.Skipped) string {
	messages := make([]string, len(skipped))
	for i, s := range skipped {
		messages[i] = fmt.Sprintf("passed over %s: %s", s.Candidate, strings.TrimSuffix(reason(s.Err), "."))
	}
	return strings.Join(messages, "; ")
}

// reason returns the message of err without the path of the plugin.
func reason(err error) string {
	var e *xla.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}
