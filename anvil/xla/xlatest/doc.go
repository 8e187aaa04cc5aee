// Package xlatest implements a stand-in for a GPU plugin, to test the handling of device memory
// without a GPU. The stand-in forwards calls to a CPU plugin. But by default its platform is
// cuda, it has two devices with limited memory, and its pointers to device memory are invalid.
// Like real plugins, it can be used on linux/amd64 only, and not with the build tag nopjrt.
package xlatest
