package main_test

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestOtherPlatforms type-checks the kernel, and the packages that need no kernel, for the other platforms. That
// takes a fraction of the time of building them.
func TestOtherPlatforms(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the standard library from source for each platform")
	}
	kernel, libraries := []string{"."}, []string{"../../anvil/...", "../../display/..."}
	for _, platform := range []struct {
		os, arch string
		patterns []string
	}{
		{"darwin", "arm64", kernel}, {"windows", "amd64", kernel}, {"linux", "arm64", kernel},
		{"openbsd", "amd64", kernel}, {"js", "wasm", libraries},
	} {
		t.Run(platform.os+"/"+platform.arch, func(t *testing.T) {
			loaded, err := packages.Load(&packages.Config{
				Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
					packages.NeedTypesSizes,
				Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+platform.os, "GOARCH="+platform.arch),
			}, platform.patterns...)
			if err != nil {
				t.Fatal(err)
			}
			packages.Visit(loaded, nil, func(p *packages.Package) {
				for _, e := range p.Errors {
					t.Error(e)
				}
			})
		})
	}
}
