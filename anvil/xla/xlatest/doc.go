// Package xlatest implements a stand-in for a GPU plugin, to test the handling of device
// memory without a GPU. It is a PJRT table that forwards to a CPU plugin, but its platform
// is cuda, it has two devices with limited memory, and its pointers to device memory are
// invalid. Like plugins, it can be used on linux/amd64 only, and not with the build tag nopjrt.
package xlatest
