//go:build linux && amd64 && !nopjrt

package xla

import (
	"errors"
	"os"
	"testing"
)

// cudaVariable is the environment variable with the path of the plugin of
// jax-cuda12-pjrt or jax-cuda13-pjrt. Tests do not download its 190 MB.
const cudaVariable = "GOANVIL_TEST_CUDA_PLUGIN"

func TestCUDAWithoutDevice(t *testing.T) {
	path := os.Getenv(cudaVariable)
	if path == "" || hasDriver("cuda") {
		t.Skip("runs the real CUDA plugin if " + cudaVariable + " names it and no driver is present")
	}
	p, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := p.NewClient(ClientOptions{}); !errors.Is(err, ErrNoDevice) {
		t.Errorf("%v, %v", c, err)
	} else {
		t.Log(err)
	}
	newClient(t, 1) // the CPU plugin still works
}

func TestNoDeviceIsRecognized(t *testing.T) {
	for message, want := range map[string]bool{
		"No visible GPU devices.":                                       true,
		"no supported devices found for platform CUDA":                  true,
		"failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable…": true,
		"Unexpected option name passed to PJRT_Client_Create":           false,
	} {
		if noDevice.MatchString(message) != want {
			t.Errorf("%q: %t", message, !want)
		}
	}
}
