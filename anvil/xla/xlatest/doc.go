// Package xlatest has a stand-in for a GPU plugin, to test the handling of device
// memory without a GPU: a PJRT table that forwards to a CPU plugin, but calls its
// platform cuda, has two devices, returns invalid pointers to device memory and has
// limited memory. It exists where plugins do: on linux/amd64 without the build tag
// nopjrt.
package xlatest
