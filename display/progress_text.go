package display

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// A progressState is the progress of a loop at one time.
type progressState struct {
	done, total int // total is -1 if unknown
	elapsed     time.Duration
	rate        float64 // steps per second; 0 if not known
	ended       bool
	curves      []curve
}

// Display returns the state as text and as HTML: the line, followed by the curves.
func (p progressState) Display() Bundle {
	line := p.line()
	text, rich := line, "<div>"+escape(line)+"</div>"
	for _, c := range p.curves {
		if len(c.points) > 0 {
			text += "  " + c.text()
			rich += c.html()
		}
	}
	return TextBundle(text).with(MIMEHTML, rich)
}

// line returns the state without curves, such as "37 of 100 (37%)  12.5/s  5.0 s left".
func (p progressState) line() string {
	var parts []string
	if p.total < 0 {
		parts = append(parts, fmt.Sprint(p.done))
	} else {
		percent := 100
		if p.total > 0 {
			percent = 100 * p.done / p.total
		}
		parts = append(parts, fmt.Sprintf("%d of %d (%d%%)", p.done, p.total, percent))
	}
	rate := p.rate
	if p.ended { // show the mean over the whole loop
		rate = float64(p.done) / p.elapsed.Seconds()
	}
	if rate > 0 {
		parts = append(parts, rateText(rate))
	}
	switch left := float64(p.total-p.done) / rate; {
	case p.ended && p.done < p.total:
		parts = append(parts, "stopped after "+durationText(p.elapsed.Seconds()))
	case p.ended:
		parts = append(parts, "in "+durationText(p.elapsed.Seconds()))
	case p.total >= 0 && rate > 0:
		parts = append(parts, durationText(left)+" left")
	}
	return strings.Join(parts, "  ")
}

// rateText returns the rate per second, or the time for each step if that is longer than a second.
func rateText(perSecond float64) string {
	if perSecond < 1 {
		return durationText(1/perSecond) + " each"
	}
	if perSecond >= 100 {
		return fmt.Sprintf("%.0f/s", perSecond)
	}
	return fmt.Sprintf("%.3g/s", perSecond)
}

// durationText returns seconds as "under 1 ms", "340 ms", "5.2 s", "3 min 20 s" or "2 h 5 min".
func durationText(seconds float64) string {
	whole := int(math.Round(min(seconds, 1e9)))
	switch {
	case seconds < 0.001:
		return "under 1 ms"
	case seconds < 1:
		return fmt.Sprintf("%.0f ms", 1000*seconds)
	case seconds < 10:
		return fmt.Sprintf("%.1f s", seconds)
	case whole < 60:
		return fmt.Sprintf("%d s", whole)
	case whole < 3600:
		return fmt.Sprintf("%d min %d s", whole/60, whole%60)
	}
	return fmt.Sprintf("%d h %d min", whole/3600, whole%3600/60)
}

// text returns the last value and the curve in block characters, such as "loss 0.123 ▇▄▂▁".
func (c curve) text() string {
	const blocks, width = "▁▂▃▄▅▆▇█", 16
	last := c.points[len(c.points)-1]
	line := fmt.Sprintf("%s %.4g", c.name, last.value)
	low, high := c.bounds()
	if !(low < high) { // there is no finite value, or all finite values are equal
		return line
	}
	line += " "
	levels := []rune(blocks)
	for _, p := range thinned(c.points, width) {
		if math.IsNaN(p.value) || math.IsInf(p.value, 0) {
			line += "!"
			continue
		}
		line += string(levels[int(position(p.value, low, high)*float64(len(levels)-1)+0.5)])
	}
	return line
}

// position returns (v-low)/(high-low), also if high-low overflows. low and high must differ.
func position(v, low, high float64) float64 {
	if length := high - low; !math.IsInf(length, 0) {
		return (v - low) / length
	}
	return (v/2 - low/2) / (high/2 - low/2)
}

// bounds returns the least and the greatest finite value.
func (c curve) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range c.points {
		if !math.IsNaN(p.value) && !math.IsInf(p.value, 0) {
			low, high = min(low, p.value), max(high, p.value)
		}
	}
	return low, high
}

// thinned returns at most n of the points, including the first and the last.
func thinned(points []point, n int) []point {
	if len(points) <= n {
		return points
	}
	few := make([]point, n)
	for i := range few {
		few[i] = points[i*(len(points)-1)/(n-1)]
	}
	return few
}

// html returns the curve as a drawing with its name, bounds and last value.
func (c curve) html() string {
	const width, height, maxDrawn = 320, 80, 300
	low, high := c.bounds()
	last := c.points[len(c.points)-1]
	head := fmt.Sprintf("<div>%s %.4g</div>", escape(c.name), last.value)
	if !(low < high) {
		return head
	}
	first := c.points[0]
	var path strings.Builder
	for _, p := range thinned(c.points, maxDrawn) {
		if !math.IsNaN(p.value) && !math.IsInf(p.value, 0) {
			x := width * float64(p.step-first.step) / float64(max(1, last.step-first.step))
			fmt.Fprintf(&path, "%.1f,%.1f ", x, height*(1-position(p.value, low, high)))
		}
	}
	label := fmt.Sprintf("%s from step %d to %d, between %.4g and %.4g", c.name, first.step, last.step, low, high)
	return head + fmt.Sprintf(`<svg role="img" width="%d" height="%d" viewBox="-2 -2 %d %d" `+
		`fill="none" stroke="currentColor"><title>%s</title><polyline points="%s"/></svg><div>%s</div>`,
		width+4, height+4, width+4, height+4, escape(label), strings.TrimSpace(path.String()), escape(label))
}
