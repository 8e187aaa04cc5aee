// Package dates implements instants and periods as in Julia's package Dates. DateTime is an
// example of a primal type that is not a vector space; its natural tangents are the periods.
package dates

import (
	"fmt"
	"math/big"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
)

// A DateTime is an instant of the calendar, without a time zone, to the millisecond. Two
// DateTimes cannot be added.
type DateTime struct{ Instant UTInstant }

// A UTInstant is a point in time, as the time since December 31 of the year 0 (see epoch).
type UTInstant struct{ Periods Millisecond }

// A Period is a length of time that does not depend on when it begins. Months and years are
// not Periods, since their lengths vary.
type Period interface {
	fmt.Stringer
	// Nanoseconds returns the period in nanoseconds, or an error if an int64 does not hold
	// them (see BigNanoseconds).
	Nanoseconds() (int64, error)
	// count returns the period as a number of units.
	count() (n int64, u *unit)
}

// The types of periods. A period is a number of its type's units.
type (
	Week        int64
	Day         int64
	Hour        int64
	Minute      int64
	Second      int64
	Millisecond int64
)

// A unit is the unit of a type of periods.
type unit struct {
	name         string
	milliseconds int64                // the length of the unit
	period       func(n int64) Period // returns the period of n units
}

var (
	weeks        = &unit{"week", 7 * 86400e3, func(n int64) Period { return Week(n) }}
	days         = &unit{"day", 86400e3, func(n int64) Period { return Day(n) }}
	hours        = &unit{"hour", 3600e3, func(n int64) Period { return Hour(n) }}
	minutes      = &unit{"minute", 60e3, func(n int64) Period { return Minute(n) }}
	seconds      = &unit{"second", 1e3, func(n int64) Period { return Second(n) }}
	milliseconds = &unit{"millisecond", 1, func(n int64) Period { return Millisecond(n) }}
)

func (p Week) count() (int64, *unit)        { return int64(p), weeks }
func (p Day) count() (int64, *unit)         { return int64(p), days }
func (p Hour) count() (int64, *unit)        { return int64(p), hours }
func (p Minute) count() (int64, *unit)      { return int64(p), minutes }
func (p Second) count() (int64, *unit)      { return int64(p), seconds }
func (p Millisecond) count() (int64, *unit) { return int64(p), milliseconds }

func (p Week) String() string        { return text(p) }
func (p Day) String() string         { return text(p) }
func (p Hour) String() string        { return text(p) }
func (p Minute) String() string      { return text(p) }
func (p Second) String() string      { return text(p) }
func (p Millisecond) String() string { return text(p) }

func (p Week) Nanoseconds() (int64, error)        { return nanoseconds(p) }
func (p Day) Nanoseconds() (int64, error)         { return nanoseconds(p) }
func (p Hour) Nanoseconds() (int64, error)        { return nanoseconds(p) }
func (p Minute) Nanoseconds() (int64, error)      { return nanoseconds(p) }
func (p Second) Nanoseconds() (int64, error)      { return nanoseconds(p) }
func (p Millisecond) Nanoseconds() (int64, error) { return nanoseconds(p) }

// text returns p as text: "1 day", "2 days".
func text(p Period) string {
	n, u := p.count()
	if n == 1 {
		return "1 " + u.name
	}
	return fmt.Sprintf("%d %ss", n, u.name)
}

// BigNanoseconds returns p in nanoseconds.
func BigNanoseconds(p Period) *big.Int { return in(p, milliseconds, 1e6) }

// in returns p in units of u, times factor. u must not be longer than the unit of p.
func in(p Period, u *unit, factor int64) *big.Int {
	n, own := p.count()
	return new(big.Int).Mul(big.NewInt(n), big.NewInt(own.milliseconds/u.milliseconds*factor))
}

// nanoseconds is Nanoseconds for all types of periods.
func nanoseconds(p Period) (int64, error) {
	n := BigNanoseconds(p)
	if !n.IsInt64() {
		return 0, fmt.Errorf("overflow: %v are %v nanoseconds, which an int64 does not hold; "+
			"call dates.BigNanoseconds", p, n)
	}
	return n.Int64(), nil
}

// Sum returns a + b in the shorter of their units, or an error if that overflows.
func Sum(a, b Period) (Period, error) {
	_, shorter := a.count()
	if _, u := b.count(); u.milliseconds < shorter.milliseconds {
		shorter = u
	}
	n := in(a, shorter, 1)
	n.Add(n, in(b, shorter, 1))
	if !n.IsInt64() {
		return nil, fmt.Errorf("overflow: an int64 does not hold %v %ss", n, shorter.name)
	}
	return shorter.period(n.Int64()), nil
}

// epoch is the time from which UTInstants are counted: day 0 of the proleptic Gregorian
// calendar, as in Julia.
var epoch = time.Date(0, time.December, 31, 0, 0, 0, 0, time.UTC)

// Date returns the instant of a date and a time of the day; further arguments are hours,
// minutes, seconds and milliseconds.
func Date(year, month, day int, clock ...int) DateTime {
	var c [4]int
	if len(clock) > len(c) {
		panic(&nv.Error{Op: "dates.Date",
			Reason: fmt.Sprintf("the number of arguments is %d, but a time has at most 7", 3+len(clock)),
			Hint:   "give the year, month, day, hours, minutes, seconds and milliseconds"})
	}
	copy(c[:], clock)
	return FromTime(time.Date(year, time.Month(month), day, c[0], c[1], c[2], c[3]*1e6, time.UTC))
}

// Now returns the present instant in UTC.
func Now() DateTime { return FromTime(time.Now()) }

// FromTime returns the instant of t in UTC, to the millisecond.
func FromTime(t time.Time) DateTime {
	return DateTime{UTInstant{Millisecond(t.UnixMilli() - epoch.UnixMilli())}}
}

// Time returns d as a time.Time in UTC.
func (d DateTime) Time() time.Time {
	return time.UnixMilli(int64(d.Instant.Periods) + epoch.UnixMilli()).UTC()
}

// String returns d as 2006-01-02T15:04:05, with milliseconds if there are some.
func (d DateTime) String() string { return d.Time().Format("2006-01-02T15:04:05.999") }

// Add returns d + p, or an error if that overflows.
func (d DateTime) Add(p Period) (DateTime, error) {
	sum, err := Sum(p, d.Instant.Periods)
	if err != nil {
		return DateTime{}, err
	}
	return DateTime{UTInstant{sum.(Millisecond)}}, nil
}

// Sub returns d - o, or an error if that overflows.
func (d DateTime) Sub(o DateTime) (Millisecond, error) {
	n := new(big.Int).Sub(big.NewInt(int64(d.Instant.Periods)), big.NewInt(int64(o.Instant.Periods)))
	if !n.IsInt64() {
		return 0, fmt.Errorf("overflow: an int64 does not hold %v milliseconds", n)
	}
	return Millisecond(n.Int64()), nil
}

func init() {
	tangent.RegisterAdd(Sum)
	tangent.DeclareNatural(DateTime.Add, DateTime.Sub, Millisecond(0), Second(0), Minute(0), Hour(0), Day(0), Week(0))
}
