package dates_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
	"github.com/goanvil/notebook/anvil/tangent/dates"
)

// TestUnits checks the length of each type of periods in nanoseconds, and the units of sums.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		p           dates.Period
		nanoseconds int64
		text        string
	}{
		{dates.Week(2), 2 * 7 * 24 * 3600 * 1e9, "2 weeks"},
		{dates.Day(1), 24 * 3600 * 1e9, "1 day"},
		{dates.Hour(-3), -3 * 3600 * 1e9, "-3 hours"},
		{dates.Minute(1), 60 * 1e9, "1 minute"},
		{dates.Second(0), 0, "0 seconds"},
		{dates.Millisecond(5), 5 * 1e6, "5 milliseconds"},
	} {
		n, err := c.p.Nanoseconds()
		if err != nil || n != c.nanoseconds || dates.BigNanoseconds(c.p).Cmp(big.NewInt(n)) != 0 || c.p.String() != c.text {
			t.Errorf("%T: %v, %d ns (%v), want %s, %d ns", c.p, c.p, n, err, c.text, c.nanoseconds)
		}
	}
	if n, err := dates.Week(1 << 40).Nanoseconds(); err == nil {
		t.Errorf("2^40 weeks have %d ns", n)
	}
	for _, c := range []struct {
		a, b dates.Period
		want string
	}{
		{dates.Week(1), dates.Day(3), "10 days"},
		{dates.Hour(1), dates.Hour(2), "3 hours"},
		{dates.Minute(1), dates.Second(-30), "30 seconds"},
		{dates.Day(1), dates.Millisecond(1), "86400001 milliseconds"},
	} {
		if got, err := dates.Sum(c.a, c.b); err != nil || got.String() != c.want {
			t.Errorf("%v + %v = %v (%v), want %s", c.a, c.b, got, err, c.want)
		}
	}
}

func TestInstants(t *testing.T) {
	d := dates.Date(2024, 2, 28, 23, 30)
	leap, err := d.Add(dates.Hour(1))
	if err != nil || leap.String() != "2024-02-29T00:30:00" {
		t.Errorf("%v, %v", leap, err)
	}
	back, err := leap.Sub(d)
	if err != nil || back != 3600_000 || dates.FromTime(leap.Time()) != leap {
		t.Errorf("%v, %v", back, err)
	}
	if got := fmt.Sprint(dates.Date(1999, 12, 31, 1, 2, 3, 45)); got != "1999-12-31T01:02:03.045" {
		t.Error(got)
	}
	if err := nv.Try(func() { dates.Date(1999, 12, 31, 1, 2, 3, 45, 6) }); err == nil ||
		!strings.Contains(err.Error(), "the number of arguments is 8, but a time has at most 7") {
		t.Error(err)
	}
	if d, err := d.Add(dates.Week(1 << 60)); err == nil {
		t.Errorf("2^60 weeks later it is %v", d)
	}
	least, zero := dates.DateTime{Instant: dates.UTInstant{Periods: math.MinInt64}}, dates.DateTime{}
	if d, err := zero.Sub(least); err == nil {
		t.Errorf("since the least instant %v have passed", d)
	}
	before := dates.DateTime{Instant: dates.UTInstant{Periods: -1}}
	if d, err := before.Sub(least); err != nil || d != math.MaxInt64 {
		t.Errorf("%d (%v)", d, err)
	}
}

// TestTangentTypes checks that the tangent types of a DateTime include every type of periods, and that AddTo takes
// each of them.
func TestTangentTypes(t *testing.T) {
	d := dates.Date(2024, 2, 28, 23, 30)
	var want []string
	for _, p := range []dates.Period{
		dates.Millisecond(1), dates.Second(1), dates.Minute(1), dates.Hour(1), dates.Day(1), dates.Week(1),
	} {
		want = append(want, reflect.TypeOf(p).Name())
		later, err := d.Add(p)
		if got := tangent.AddTo(d, p); err != nil || got != later {
			t.Errorf("%v + %v = %v, want %v (%v)", d, p, got, later, err)
		}
	}
	want = append(want, "Tangent{DateTime}", "ZeroTangent", "NoTangent", "NotImplemented", "Thunk", "InplaceableThunk")
	if got := tangent.TypesFor(d); !slices.Equal(got, want) {
		t.Errorf("the tangent types of a DateTime are %q, want %q", got, want)
	}
}
