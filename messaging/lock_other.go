//go:build !unix && !windows

package messaging

import "os"

// lock does nothing: processes do not share files on these systems.
func lock(*os.File) error { return nil }
