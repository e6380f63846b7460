package main

import (
	"fmt"
	"io"
	"slices"
	"syscall"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
)

// figure is one measurement. Ratio is ours by the anchor; Floor is what it must reach (for a ceiling: must not pass).
type figure struct {
	Name    string
	Unit    string
	Ours    float64
	Anchor  float64
	Against string // what the anchor is
	Ratio   float64
	Floor   float64
	Ceiling bool
	OK      bool
}

func floor(name, unit string, ours, anchor float64, against string, least float64) figure {
	r := beside(name, unit, ours, anchor, against)
	r.Floor = least
	r.OK = r.Ratio >= least
	return r
}

func ceiling(name, unit string, ours, anchor float64, against string, most float64) figure {
	r := beside(name, unit, ours, anchor, against)
	r.Floor = most
	r.Ceiling = true
	r.OK = r.Ratio <= most
	return r
}

func beside(name, unit string, ours, anchor float64, against string) figure {
	return figure{Name: name, Unit: unit, Ours: ours, Anchor: anchor, Against: against, Ratio: ours / anchor}
}

// printTable writes the rows as a table.
func printTable(w io.Writer, rows []figure) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.AppendHeader(table.Row{"", "ours", "anchor", "ratio", "wanted", "", "anchor is"})
	for _, r := range rows {
		sign, verdict := "≥", "ok"
		if r.Ceiling {
			sign = "≤"
		}
		if !r.OK {
			verdict = "MISSED"
		}
		t.AppendRow(table.Row{
			r.Name, fmt.Sprintf("%.4g %s", r.Ours, r.Unit), fmt.Sprintf("%.4g %s", r.Anchor, r.Unit),
			fmt.Sprintf("%.2f", r.Ratio), fmt.Sprintf("%s %.2f", sign, r.Floor), verdict, r.Against,
		})
	}
	t.Render()
}

// cpu returns the processor time this process has used, garbage collection included.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("bench: the system does not tell the processor time: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perCPUSecond repeats f, which does some units of work a call, for span of processor time, three times over, and returns
// the median rate.
func perCPUSecond(span time.Duration, f func() int) float64 { return medianRate(span, cpu, f) }

// medianRate returns perCPUSecond by another clock.
func medianRate(span time.Duration, clock func() time.Duration, f func() int) float64 {
	f()
	var rates [3]float64
	for i := range rates {
		start, done := clock(), 0
		for clock()-start < span {
			for range 64 {
				done += f()
			}
		}
		rates[i] = float64(done) / (clock() - start).Seconds()
	}
	return middle(rates[:])
}

// middle sorts a list and returns its median.
func middle(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
