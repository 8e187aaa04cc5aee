// Package xlatest has a stand-in for a GPU plugin: a PJRT table of our own
// that forwards to a CPU plugin, but names itself cuda, has two devices, hands
// out poisoned pointers for device memory and runs out of memory at a bound.
// What handles it right handles a GPU's memory right. It is there where
// plugins are: linux/amd64 without the build tag nopjrt.
package xlatest
