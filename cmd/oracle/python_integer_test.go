package main

import (
	"fmt"
	"math/big"
	"testing"
)

// TestIntegerOperation checks operators on integers against Python, whose division rounds down.
func TestIntegerOperation(t *testing.T) {
	const none = "none"
	for _, c := range []struct{ a, symbol, b, want string }{
		{"7", "+", "-3", "4"}, {"7", "-", "-3", "10"}, {"7", "*", "-3", "-21"},
		{"9223372036854775807", "+", "1", "big 9223372036854775808"},
		{"9223372036854775808", "-", "1", "9223372036854775807"},
		{"-9223372036854775808", "-", "1", "big -9223372036854775809"},
		{"4294967296", "*", "4294967296", "big 18446744073709551616"},
		{"7", "//", "2", "3"}, {"-7", "//", "2", "-4"}, {"7", "//", "-2", "-4"}, {"-7", "//", "-2", "3"},
		{"6", "//", "-2", "-3"}, {"0", "//", "-2", "0"}, {"7", "//", "0", none},
		{"7", "%", "2", "1"}, {"-7", "%", "2", "1"}, {"7", "%", "-2", "-1"}, {"-7", "%", "-2", "-1"},
		{"6", "%", "-2", "0"}, {"-6", "%", "4", "2"}, {"7", "%", "0", none},
		{"-3", "**", "3", "-27"}, {"0", "**", "0", "1"}, {"5", "**", "0", "1"}, {"2", "**", "-1", none},
		{"2", "**", "64", "big 18446744073709551616"},
		{"1", "**", "4096", "1"}, {"1", "**", "4097", none}, // the limit is 4096 bits, by the bits of the base
		{"3", "**", "2049", none}, {"0", "**", "4096", "0"}, {"2", "**", "9223372036854775808", none},
		{"2", "**", "4611686018427387904", none}, {"4", "**", "2305843009213693952", none},
		{"7", "**", "1365", "big " + new(big.Int).Exp(big.NewInt(7), big.NewInt(1365), nil).String()},
		{"7", "**", "1366", none},
		{"7", "/", "2", none}, {"7", "<<", "2", none},
	} {
		a, _ := new(big.Int).SetString(c.a, 10)
		b, _ := new(big.Int).SetString(c.b, 10)
		result, ok := integerOperation(c.symbol, a, b)
		got := none
		if n, isBig := result.(*big.Int); isBig {
			got = "big " + n.String()
		} else if ok {
			got = fmt.Sprint(result)
		}
		if got != c.want {
			t.Errorf("%s %s %s = %s, want %s", c.a, c.symbol, c.b, got, c.want)
		}
		if a.String() != c.a || b.String() != c.b {
			t.Errorf("%s %s %s changes an operand", c.a, c.symbol, c.b)
		}
	}
	if z, ok := integerOperation("**", big.NewInt(2), big.NewInt(2048)); !ok || z.(*big.Int).BitLen() != 2049 {
		t.Errorf("2 ** 2048 is %v", z)
	}
	for v, want := range map[any]string{5: "5", "5": "<nil>", 5.0: "<nil>"} {
		if n, ok := asBig(v); fmt.Sprint(n) != want || ok != (n != nil) {
			t.Errorf("asBig(%v) = %v, %v", v, n, ok)
		}
	}
}
