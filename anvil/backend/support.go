package backend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Rule is what a framework is declared to support of an operation. Versions
// of it name dtypes and classes of them (see DTypes). Of supported and
// unsupported a rule has one: what Supported leaves out is not supported, what
// Unsupported leaves out is.
type Rule struct {
	Framework string // the backend it is about: "torch"
	Frontend  string // instead: Ivy's frontend of that framework, whatever the backend

	Supported, Unsupported               Versions
	SupportedOn, UnsupportedOn           map[string]Versions // the same by device: "cpu", "gpu"
	SupportedDevices, UnsupportedDevices Versions            // of devices

	Note string // a reason, or where a fault of the framework is followed up
}

// String returns the rule as it is declared: "torch: unsupported float16 (2.0.1
// and below)".
func (r Rule) String() string {
	var parts []string
	for _, c := range r.clauses() {
		for _, key := range slices.Sorted(maps.Keys(c.versions)) {
			names := strings.Join(c.versions[key], ", ")
			if names == "" {
				names = "nothing"
			}
			part := c.words + " " + names
			if key != always {
				part += " (" + key + ")"
			}
			parts = append(parts, part)
		}
	}
	s := r.of() + ": " + strings.Join(parts, "; ")
	if r.Note != "" {
		s += "; " + r.Note
	}
	return s
}

// always is the key of what holds at every version.
const always = "any"

// of returns what the rule is about, as it tells rules of one operation apart.
func (r Rule) of() string {
	if r.Frontend != "" {
		return "frontend " + r.Frontend
	}
	return r.Framework
}

// A clause is one table of a rule.
type clause struct {
	words    string
	versions Versions
	device   string // the only one it is about; "": all
	positive bool   // names what is supported
	devices  bool   // names devices
}

func (r Rule) clauses() []clause {
	found := []clause{
		{words: "supported", versions: r.Supported, positive: true},
		{words: "unsupported", versions: r.Unsupported},
		{words: "supported devices", versions: r.SupportedDevices, positive: true, devices: true},
		{words: "unsupported devices", versions: r.UnsupportedDevices, devices: true},
	}
	for _, device := range slices.Sorted(maps.Keys(r.SupportedOn)) {
		found = append(found, clause{words: "supported on " + device, versions: r.SupportedOn[device], device: device, positive: true})
	}
	for _, device := range slices.Sorted(maps.Keys(r.UnsupportedOn)) {
		found = append(found, clause{words: "unsupported on " + device, versions: r.UnsupportedOn[device], device: device})
	}
	return slices.DeleteFunc(found, func(c clause) bool { return c.versions == nil })
}

// check returns what is wrong with a rule.
func (r Rule) check(op string) error {
	fail := func(reason, hint string) error {
		return &dtype.Error{Op: "Declare", Operands: fmt.Sprintf("%q, %s", op, r.of()), Reason: reason, Hint: hint}
	}
	name := r.Framework
	if r.Frontend != "" {
		name = r.Frontend
	}
	if _, err := ProfileOf(name); err != nil || r.Frontend != "" && r.Framework != "" {
		return fail("a rule is about one framework", "set Framework, or Frontend, to one of "+strings.Join(Names(), ", "))
	}
	signs := map[bool]int{}
	for _, c := range r.clauses() {
		if !c.devices {
			signs[c.positive]++
		}
		for key, names := range c.versions {
			if !parseSpan(key).valid() && key != always {
				return fail(fmt.Sprintf("the version key %q has none of the known forms", key), `write "2.0.1", "2.0.1 and below", "2.0.1 and above" or "1.9 to 2.0.1"`)
			}
			if _, err := parseDTypes(names); err != nil && !c.devices {
				return err
			}
		}
	}
	if signs[true] > 0 && signs[false] > 0 || r.SupportedDevices != nil && r.UnsupportedDevices != nil {
		return fail("it says what is supported and what is not", "declare one of the two; what it leaves out is the other")
	}
	return nil
}

// positive reports whether the rule names what is supported.
func (r Rule) positive() bool { return r.Supported != nil || r.SupportedOn != nil }

// excluded returns the dtypes that the rule rules out at a version of its
// framework and on a device.
func (r Rule) excluded(version, device string) []dtype.DType {
	var out [][]dtype.DType
	for _, c := range r.clauses() {
		if c.devices || c.device != "" && c.device != deviceKind(device) {
			continue
		}
		names, _ := c.versions.At(version)
		ds, _ := parseDTypes(names) // checked when it was declared
		if c.positive {
			ds = without(ds)
		}
		out = append(out, ds)
	}
	return union(out...)
}

// excludes reports whether the rule rules a device out.
func (r Rule) excludes(version, device string) bool {
	for _, c := range r.clauses() {
		if names, _ := c.versions.At(version); c.devices && slices.Contains(names, deviceKind(device)) != c.positive {
			return true
		}
	}
	return false
}

// deviceKind returns "cpu", "gpu" or "tpu" of a device's name: "cpu:0",
// "cuda:1". What is neither counts as a cpu, such as what computes in Go.
func deviceKind(device string) string {
	kind, _, _ := strings.Cut(strings.ToLower(device), ":")
	switch kind {
	case "gpu", "tpu":
		return kind
	case "cuda", "rocm":
		return "gpu"
	}
	return "cpu"
}
