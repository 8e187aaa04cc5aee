package magic

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// system returns the promotion system with the given name, or an error if there is none or cells cannot compute under
// it.
func system(name string) (*promote.System, error) {
	s, err := promote.ByName(name)
	switch near := strings.ToLower(strings.Trim(name, ",;")); {
	case err == nil && promote.OnlyTable(s):
		e := promote.Computes(s).(*dtype.Error)
		return nil, errors.New(e.Reason + "; " + e.Hint)
	case err == nil:
		return s, nil
	case strings.Contains(near, ","):
		return nil, fmt.Errorf("%s: separate names of systems with spaces: %s",
			name, strings.ReplaceAll(near, ",", " "))
	case near != name && slices.Contains(computableSystems(), near):
		return nil, fmt.Errorf("no promotion system is called %s; write %s", name, near)
	}
	return nil, fmt.Errorf("unknown promotion system %s; give one of %s", name, strings.Join(computableSystems(), ", "))
}

// computableSystems returns the names of the promotion systems under which cells can compute.
func computableSystems() (names []string) {
	for _, s := range promote.Systems() {
		if !promote.OnlyTable(s) {
			names = append(names, s.Name())
		}
	}
	return names
}

// Arguments returns the possible arguments of a command ("%promotion"), for completion.
func Arguments(command string) []string {
	if command == "%promotion" || command == "%%compare" {
		return computableSystems()
	}
	if command == "%config" {
		return []string{"shell on", "shell off"}
	}
	if command == "%%dtypes" {
		return []string{"f32", "bf16", "f16", "f64"}
	}
	return nil
}

// Systems returns the names of all promotion systems.
func Systems() (names []string) {
	for _, s := range promote.Systems() {
		names = append(names, s.Name())
	}
	return names
}
