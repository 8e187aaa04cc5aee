package engine

import (
	"strings"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/xla"
)

// kernelsOption names the operations that XLA leaves to YNNPACK, a library of
// kernels for CPUs. Plugins of the year 2025 have the library and leave nothing to
// it unless told; the later ones do as their makers saw fit.
const (
	kernelsOption = "xla_cpu_experimental_ynn_fusion_type"
	kernelsMinor  = 100 // of PJRT's version, where that changed
)

// hasKernels reports whether the plugin has to be told. Others of its kinds of
// fusion than the two used here were seen to end the process.
func hasKernels(client *xla.Client) bool {
	_, minor := client.Plugin().APIVersion()
	return minor < kernelsMinor && client.HasOption(kernelsOption)
}

// kernels says for which operations of g the library is used.
func (e *xlaExecutor) kernels(g *ir.Graph) ops.Kernels {
	if !e.withKernels {
		return ops.Kernels{}
	}
	return ops.KernelsFor(g)
}

// kernelOptions returns the value of the option for g, "" for nothing.
func (e *xlaExecutor) kernelOptions(g *ir.Graph) string {
	var which []string
	k := e.kernels(g)
	if k.Products {
		which = append(which, "LIBRARY_FUSION_TYPE_DOT")
	}
	if k.Sums {
		which = append(which, "LIBRARY_FUSION_TYPE_REDUCE")
	}
	return strings.Join(which, ",")
}
