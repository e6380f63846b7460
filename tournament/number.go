package tournament

import (
	"fmt"
	"strings"
	"time"
)

// Number writes x as the verb says, such as "%.1f" or "%+.0f". What rounds to zero has no minus: -0.3 Elo is "+0", never "-0".
func Number(verb string, x float64) string {
	text := fmt.Sprintf(verb, x)
	if !strings.ContainsAny(text, "123456789NI") { // N and I: NaN and Inf stay
		return fmt.Sprintf(verb, 0.)
	}
	return text
}

// Interval writes a number with the bounds of its interval, which need not be as far from it on both sides.
func Interval(verb string, value, low, high float64) string {
	return fmt.Sprintf("%s [%s, %s]", Number(verb, value), Number(verb, low), Number(verb, high))
}

// SpanWords returns milliseconds as people would say them.
func SpanWords(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// SpanText returns a time as people type it: 24h, not 24h0m0s.
func SpanText(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"0s", "0m"} {
		if short, ok := strings.CutSuffix(text, none); ok && short != "" && strings.ContainsAny(short[len(short)-1:], "mh") {
			text = short
		}
	}
	return text
}

// spaced writes the words of the API; those that name people as these are spelt.
var spaced = strings.NewReplacer("sonneborn_berger", "Sonneborn–Berger", "buchholz_cut1", "Buchholz Cut 1", "buchholz_median", "Median Buchholz",
	"buchholz", "Buchholz", "koya", "Koya", "_", " ")

// Spaced returns a word of the API for people.
func Spaced(word any) string { return spaced.Replace(fmt.Sprint(word)) }
