package xla

import "github.com/goanvil/notebook/anvil/xla/internal/capi"

// OpenInstalled is Open for the plugins that are found on this machine, for
// where the one that somebody named has no device.
func OpenInstalled(o ClientOptions) (*Client, []Skipped, error) {
	if !capi.Supported {
		return Open("", o)
	}
	return openFirst(thisMachine().installed(), o)
}
