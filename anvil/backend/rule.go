package backend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Rule declares which dtypes a framework supports in an operation, by version
// of the framework. A rule names either the supported or the unsupported dtypes, as
// dtypes or classes (see DTypes). If it names the supported dtypes, all others are
// unsupported, and vice versa.
type Rule struct {
	Framework string // the backend: "torch"
	Frontend  string // if set, the rule is about Ivy's frontend for this framework, and Framework must be ""

	Supported, Unsupported               Versions
	SupportedOn, UnsupportedOn           map[string]Versions // by kind of device: "cpu", "gpu" or "tpu"
	SupportedDevices, UnsupportedDevices Versions            // lists of kinds of devices instead of dtypes

	Note string // a reason, or a link to a report of a fault in the framework
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
	s := r.subject() + ": " + strings.Join(parts, "; ")
	if r.Note != "" {
		s += "; " + r.Note
	}
	return s
}

// always is the key that covers every version.
const always = "any"

// subject returns the backend or frontend that the rule is about.
func (r Rule) subject() string {
	if r.Frontend != "" {
		return "frontend " + r.Frontend
	}
	return r.Framework
}

// A clause is one of a rule's fields of type Versions, or an element of SupportedOn or UnsupportedOn.
type clause struct {
	words    string // the text for Rule.String: "unsupported on cpu"
	versions Versions
	device   string // the kind of device that the clause is about; "" for every device
	positive bool   // versions lists what is supported; if false, what is unsupported
	devices  bool   // versions lists devices; if false, dtypes
}

// clauses returns the rule's clauses that are set.
func (r Rule) clauses() []clause {
	found := []clause{
		{words: "supported", versions: r.Supported, positive: true},
		{words: "unsupported", versions: r.Unsupported},
		{words: "supported devices", versions: r.SupportedDevices, positive: true, devices: true},
		{words: "unsupported devices", versions: r.UnsupportedDevices, devices: true},
	}
	for _, device := range slices.Sorted(maps.Keys(r.SupportedOn)) {
		found = append(found, clause{words: "supported on " + device, versions: r.SupportedOn[device], device: device,
			positive: true})
	}
	for _, device := range slices.Sorted(maps.Keys(r.UnsupportedOn)) {
		found = append(found, clause{words: "unsupported on " + device, versions: r.UnsupportedOn[device],
			device: device})
	}
	return slices.DeleteFunc(found, func(c clause) bool { return c.versions == nil })
}

// check returns an error if the rule is not valid. The error names caller as its operation and, as its operands,
// target, to which the rule is to be added, and what the rule is about. The error for an unknown dtype is that of
// [DTypes].
func (r Rule) check(caller, target string) error {
	fail := func(reason, hint string) error {
		operands := fmt.Sprintf("%q", target)
		if about := r.subject(); about != "" {
			operands += ", " + about
		}
		return &dtype.Error{Op: caller, Operands: operands, Reason: reason, Hint: hint}
	}
	name := r.Framework
	if r.Frontend != "" {
		name = r.Frontend
	}
	if _, err := ProfileOf(name); err != nil || r.Frontend != "" && r.Framework != "" {
		return fail("a rule is about one framework",
			"set Framework, or Frontend, to one of "+strings.Join(Names(), ", "))
	}
	var supported, unsupported bool // whether the rule names supported dtypes, and whether it names unsupported ones
	for _, c := range r.clauses() {
		if !c.devices {
			supported, unsupported = supported || c.positive, unsupported || !c.positive
		}
		for key, names := range c.versions {
			if key != always && !parseSpan(key).valid() {
				return fail(fmt.Sprintf("the version key %q has an unknown form", key),
					`write "2.0.1", "2.0.1 and below", "2.0.1 and above" or "1.9 to 2.0.1"`)
			}
			if _, err := parseDTypes(names); err != nil && !c.devices {
				return err
			}
		}
	}
	if supported && unsupported || r.SupportedDevices != nil && r.UnsupportedDevices != nil {
		return fail("it names both what is supported and what is not",
			"name only one of the two; everything else counts as the opposite")
	}
	return nil
}

// namesSupported reports whether the rule names supported dtypes.
func (r Rule) namesSupported() bool { return r.Supported != nil || r.SupportedOn != nil }

// excluded returns the dtypes that the rule declares unsupported at a version of its
// framework and on a device.
func (r Rule) excluded(version, device string) []dtype.DType {
	var out [][]dtype.DType
	for _, c := range r.clauses() {
		if c.devices || c.device != "" && c.device != deviceKind(device) {
			continue
		}
		names, _ := c.versions.At(version)
		ds, _ := parseDTypes(names) // check has reported errors
		if c.positive {
			ds = without(ds)
		}
		out = append(out, ds)
	}
	return union(out...)
}

// excludesDevice reports whether the rule declares a device unsupported at a version of its framework.
func (r Rule) excludesDevice(version, device string) bool {
	for _, c := range r.clauses() {
		if !c.devices {
			continue
		}
		names, _ := c.versions.At(version)
		if named := slices.Contains(names, deviceKind(device)); named != c.positive {
			return true
		}
	}
	return false
}

// excluded returns the dtypes that the rules of an operation declare unsupported at p's version and
// on the device. If frontend is not "", only the rules about that frontend count, and otherwise only
// those about the backend p.
func (s *Settings) excluded(op string, p Profile, device, frontend string) []dtype.DType {
	var out [][]dtype.DType
	for _, r := range s.rules(op) {
		if r.appliesTo(p, frontend) {
			out = append(out, r.excluded(p.Version, device))
		}
	}
	return union(out...)
}

// appliesTo reports whether the rule is about the frontend or, if frontend is "",
// about the backend p.
func (r Rule) appliesTo(p Profile, frontend string) bool {
	if frontend != "" {
		return r.Frontend == frontend
	}
	return r.Frontend == "" && p.Name != "" && r.Framework == p.Name
}

// deviceKind returns the kind of a device, "cpu", "gpu" or "tpu", given its name, such as "cpu:0" or
// "cuda:1". Other devices, such as that of the reference evaluator, count as "cpu".
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
