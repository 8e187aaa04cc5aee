package xla

import "github.com/goanvil/notebook/anvil/xla/internal/capi"

// OpenInstalled is Open without a named plugin: it ignores $GOANVIL_PJRT_PLUGIN. It is
// for the case that the named plugin has no device.
func OpenInstalled(o ClientOptions) (*Client, []Skipped, error) {
	if !capi.Supported {
		return Open("", o)
	}
	return openFirst(thisMachine().installed(), o)
}
