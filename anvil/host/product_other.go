//go:build !amd64

package host

// multipliers are none: products are left to the plugin.
var multipliers []multiplier
