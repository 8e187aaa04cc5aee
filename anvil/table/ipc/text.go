package ipc

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"time"
)

// This file converts the bytes of integers to numbers, and the bytes of dates, times and decimals to texts.

// unsigned returns the unsigned integer of 1, 2, 4 or 8 bytes, little-endian.
func unsigned(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// signed returns the signed integer of 1, 2, 4 or 8 bytes, little-endian.
func signed(b []byte) int64 {
	unused := 64 - 8*len(b)
	return int64(unsigned(b)<<unused) >> unused
}

// units has the units of time, in the order of TimeUnit in Schema.fbs.
var units = [...]struct {
	name      string
	perSecond int64
	fraction  string // the layout of fractions of a second, as package time defines layouts
}{{"s", 1, ""}, {"ms", 1e3, ".000"}, {"us", 1e6, ".000000"}, {"ns", 1e9, ".000000000"}}

// instant returns the time in UTC that is v units after the beginning of 1970. unit is an index in units.
func instant(v int64, unit int) time.Time {
	n := units[unit].perSecond
	return time.Unix(v/n, v%n*(1e9/n)).UTC()
}

// setDate makes t a date type. Dates are stored as days since the beginning of 1970, or if unit is 1, as milliseconds.
func (t *dataType) setDate(unit int) {
	t.name, t.width = "date32", 4
	unitsPerDay := int64(1)
	if unit == 1 {
		t.name, t.width, unitsPerDay = "date64", 8, 24*60*60*1000
	}
	t.text = func(b []byte) string {
		return time.Unix(0, 0).UTC().AddDate(0, 0, int(signed(b)/unitsPerDay)).Format(time.DateOnly)
	}
}

// setTime makes t a type of times of a day. unit is an index in units.
func (t *dataType) setTime(unit, bitWidth int) {
	t.name, t.width = fmt.Sprintf("time%d[%s]", bitWidth, units[unit].name), bitWidth/8
	t.text = func(b []byte) string { return instant(signed(b), unit).Format(time.TimeOnly + units[unit].fraction) }
}

// setDuration makes t a type of durations. unit is an index in units.
func (t *dataType) setDuration(unit int) {
	t.name = "duration[" + units[unit].name + "]"
	t.text = func(b []byte) string { return strconv.FormatInt(signed(b), 10) + units[unit].name }
}

// setTimestamp makes t a type of instants, written in the time zone, or without a zone if its name is empty.
func (t *dataType) setTimestamp(unit int, zone string) {
	t.name = "timestamp[" + units[unit].name + "]"
	location, layout := time.UTC, "2006-01-02T15:04:05.999999999"
	if zone != "" {
		t.name = "timestamp[" + units[unit].name + ", tz=" + zone + "]"
		location, layout = locationOf(zone), time.RFC3339Nano
	}
	t.text = func(b []byte) string {
		at := instant(signed(b), unit).In(location)
		if at.Year() < 0 || at.Year() > 9999 { // RFC 3339 allows four digits for the year
			return strconv.FormatInt(signed(b), 10)
		}
		if _, offset := at.Zone(); offset%60 != 0 {
			return at.Format("2006-01-02T15:04:05.999999999Z07:00:00")
		}
		return at.Format(layout)
	}
}

// locationOf returns the location of a time zone: a name of the time zone database, or an offset such
// as +05:30. It returns UTC for other names.
func locationOf(zone string) *time.Location {
	if at, err := time.Parse("-07:00", zone); err == nil {
		_, offset := at.Zone()
		return time.FixedZone("", offset)
	}
	if location, err := time.LoadLocation(zone); err == nil {
		return location
	}
	return time.UTC
}

// setInterval makes t a type of intervals of the calendar. unit is an IntervalUnit of Schema.fbs.
func (t *dataType) setInterval(unit int) {
	switch unit {
	case 0:
		t.name, t.width = "month_interval", 4
		t.text = func(b []byte) string { return fmt.Sprintf(`{"months":%d}`, signed(b)) }
	case 1:
		t.name, t.width = "day_time_interval", 8
		t.text = func(b []byte) string {
			return fmt.Sprintf(`{"days":%d,"milliseconds":%d}`, signed(b[:4]), signed(b[4:]))
		}
	default:
		t.name, t.width = "month_day_nano_interval", 16
		t.text = func(b []byte) string {
			return fmt.Sprintf(`{"months":%d,"days":%d,"nanoseconds":%d}`, signed(b[:4]), signed(b[4:8]), signed(b[8:]))
		}
	}
}

// setDecimal makes t a decimal type of at most precision digits. A value is stored as an integer of bitWidth bits,
// which is divided by 10 to the power of scale.
func (t *dataType) setDecimal(precision, scale, bitWidth int) {
	// 256 bits hold 76 digits. A damaged file may have any scale and width.
	widths := []int{32, 64, 128, 256}
	if precision < 1 || precision > 76 || max(scale, -scale) > 1000 || !slices.Contains(widths, bitWidth) {
		panic(errIncomplete)
	}
	t.width, t.name = bitWidth/8, fmt.Sprintf("decimal%d(%d, %d)", bitWidth, precision, scale)
	if bitWidth == 128 {
		t.name = fmt.Sprintf("decimal(%d, %d)", precision, scale)
	}
	t.text = func(b []byte) string {
		bigEndian := slices.Clone(b)
		slices.Reverse(bigEndian)
		v := new(big.Int).SetBytes(bigEndian)
		if v.Bit(8*len(b)-1) == 1 {
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
		const bits = 320 // more than the 256 bits of the widest decimal
		number := new(big.Float).SetPrec(bits).SetInt(v)
		factor := new(big.Float).SetPrec(bits).SetInt(power)
		if scale < 0 {
			number.Mul(number, factor)
		} else {
			number.Quo(number, factor)
		}
		return number.Text('g', precision)
	}
}
