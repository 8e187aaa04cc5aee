package main

import (
	"testing"
)

// TestFlagError tests the errors for values of flags, given XLA's list of flags.
func TestFlagError(t *testing.T) {
	types := flagTypes("F0000 parse_flags_from_env.cc:220] Flag parsing failed.\nusage: --xla_a=abc\nFlags:\n" +
		"\t--xla_a=3                       \tint32\tLevel.\n\t--xla_b=true\tbool\tWhether --xla_a=1 holds.\n\t--xla_c=\"\"\tstring\tText.\n\t--xla_d=0.5\tfloat\tPart.\n")
	for flags, want := range map[string]string{
		"--xla_a=abc":          "XLA_FLAGS has --xla_a=abc, where the value must be of type int32",
		"--xla_a=4 --xla_b=3":  "XLA_FLAGS has --xla_b=3, where the value must be of type bool",
		"--xla_d=x -xla_a":     "XLA_FLAGS has --xla_d=x, where the value must be of type float, and -xla_a, where the value must be of type int32",
		"--xla_b --xla_c=a=b":  `XLA cannot read XLA_FLAGS, which is "--xla_b --xla_c=a=b"`,
		"--xla_b=false":        `XLA cannot read XLA_FLAGS, which is "--xla_b=false"`,
		"--xla_d=1e3 --xla_b=": "XLA_FLAGS has --xla_b=, where the value must be of type bool",
	} {
		if err := flagError(flags, types); err.Error() != want {
			t.Errorf("%s: %v, want %s", flags, err, want)
		}
	}
}
