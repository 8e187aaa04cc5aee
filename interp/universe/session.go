package universe

import (
	"reflect"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/random"
	"github.com/goanvil/notebook/anvil/tangent"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/compile/celltype"
)

// New returns the Universe of a session. ctx makes the session's tensors, out shows its values, and stdio has the
// standard streams of its cells.
func New(ctx *anvil.Context, out *display.Outlet, stdio Stdio) *Universe {
	ctx.SetReads(compile.Reads)
	ctx.SetNames(compile.Names)
	u := WithReceivers(nil)
	u.bind(Module+"/anvil", ctx, map[string]any{"Default": func() *anvil.Context { return ctx }})
	u.bind(Module+"/anvil/random", random.In(ctx), nil)
	u.bind(Module+"/anvil/data", data.In(ctx), nil)
	u.bind(Module+"/anvil/nn", nn.In(ctx), nil)
	u.bind(Module+"/anvil/tangent", tangent.NewRegistry(ctx, celltype.First), nil)
	u.bind(Module+"/display", out, nil)
	u.bind(Module+"/anvil/backend", ctx.Settings(), map[string]any{"Current": ctx.Settings})
	u.bindIvy(ctx.Settings())
	u.variables[Module+"/display"] = map[string]reflect.Value{"Default": reflect.ValueOf(&out).Elem()}
	u.bindStdio(stdio)
	return u
}

// bindIvy replaces the system promote.Ivy by one that follows the session's settings. It binds the variable Ivy, and
// the functions Systems and ByName, which return the system.
func (u *Universe) bindIvy(settings *backend.Settings) {
	const path = Module + "/anvil/promote"
	ivy := promote.FollowIvy(settings.Ivy)
	u.variables[path] = map[string]reflect.Value{"Ivy": reflect.ValueOf(&ivy).Elem()}
	systems := func() []*promote.System {
		all := promote.Systems()
		for i, s := range all {
			if s.Follows() {
				all[i] = ivy
			}
		}
		return all
	}
	byName := func(name string) (*promote.System, error) {
		s, err := promote.ByName(name)
		if err == nil && s.Follows() {
			s = ivy
		}
		return s, err
	}
	u.bound[path] = map[string]reflect.Value{"Systems": reflect.ValueOf(systems), "ByName": reflect.ValueOf(byName)}
}

// prelude lists the packages that every cell can use without importing them, in the order of the documentation.
var prelude = []interp.Import{
	{Name: "nv", Path: Module + "/anvil"},
	{Name: "dtype", Path: Module + "/anvil/dtype"},
	{Name: "promote", Path: Module + "/anvil/promote"},
	{Name: "tensoriter", Path: Module + "/anvil/promote/tensoriter"},
	{Name: "backend", Path: Module + "/anvil/backend"},
	{Name: "tangent", Path: Module + "/anvil/tangent"},
	{Name: "nn", Path: Module + "/anvil/nn"},
	{Name: "optim", Path: Module + "/anvil/optim"},
	{Name: "random", Path: Module + "/anvil/random"},
	{Name: "data", Path: Module + "/anvil/data"},
	{Name: "display", Path: Module + "/display"},
	{Name: "chart", Path: Module + "/display/chart"},
	{Name: "fmt", Path: "fmt"},
	{Name: "math", Path: "math"},
	{Name: "time", Path: "time"},
}

// Prelude returns the packages that every cell can use without importing them.
func (u *Universe) Prelude() []interp.Import {
	var built []interp.Import
	for _, i := range prelude {
		if _, ok := packs()[i.Path]; ok {
			built = append(built, i)
		}
	}
	return built
}

// Tensor returns the package path and the name of the type on which cells may use operators.
func (u *Universe) Tensor() (path, name string) { return Module + "/anvil", "Tensor" }

var _ interp.Universe = (*Universe)(nil)
