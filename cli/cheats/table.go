package cheats

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
)

// The lines between which the table stands in a page.
const (
	Begin = "<!-- make cheats: begin -->"
	End   = "<!-- make cheats: end -->"
)

var errMarkers = errors.New("no_place")

// Table returns the rows in Markdown, in their order.
func Table(rows []Row) string {
	var b strings.Builder
	b.WriteString("| cheat | gain, with its 95 % interval | unit | trials | what stops it, or what remains and why |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		why := r.Stops
		switch r.Verdict {
		case Remains:
			why = "**remains**: " + r.Remains
		case Holds:
		default:
			why = "**" + string(r.Verdict) + "**: " + r.Stops
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s |\n", r.Name, r.Gain, r.Unit, r.Gain.Trials, why)
	}
	return b.String()
}

// Insert puts a table between the markers of a page, in place of what stands there. A page without the two lines, in
// their order, is an error.
func Insert(page []byte, table string) ([]byte, error) {
	before, rest, found := bytes.Cut(page, []byte(Begin+"\n"))
	_, after, ended := bytes.Cut(rest, []byte(End))
	if !found || !ended {
		return nil, fmt.Errorf("%w: want the lines %s and %s, in this order", errMarkers, Begin, End)
	}
	return fmt.Appendf(nil, "%s%s\n%s%s%s", before, Begin, table, End, after), nil
}

// String returns the mean and its interval, rounded to what the interval allows.
func (g Gain) String() string {
	digits := 0
	for _, x := range []float64{g.Mean, g.High - g.Low} {
		if x = math.Abs(x); x > 0 && x < 30 {
			digits = 2
		}
	}
	number := func(x float64) string {
		text := fmt.Sprintf("%.*f", digits, x)
		if strings.Trim(text, "-0.") == "" {
			return "0"
		}
		return strings.Replace(text, "-", "−", 1)
	}
	return fmt.Sprintf("%s (%s to %s)", number(g.Mean), number(g.Low), number(g.High))
}
