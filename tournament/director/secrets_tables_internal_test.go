package director

import (
	"cmp"
	"encoding/hex"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/molerun/molerun/tournament"
)

// chart counts a secret by what was known of a match: by level of that, and class of the secret.
type chart struct {
	name string
	odds []float64
	n    [16][]int // by level
}

func (c *chart) add(level, class int) {
	if c.n[level] == nil {
		c.n[level] = make([]int, len(c.odds))
	}
	c.n[level][class]++
}

// verdict is a chi-square test of a chart: does the secret have its odds on every level? Levels with an expectation below 5
// are left out.
type verdict struct {
	name      string
	cells, df int
	chi2, p   float64
}

func (c *chart) test() verdict {
	v := verdict{name: c.name, p: 1}
	for _, row := range c.n {
		total := 0
		for _, n := range row {
			total += n
		}
		if float64(total)*slices.Min(c.odds) < 5 {
			continue
		}
		for class, n := range row {
			want := float64(total) * c.odds[class]
			v.chi2 += (float64(n) - want) * (float64(n) - want) / want
		}
		v.cells, v.df = v.cells+len(row), v.df+len(row)-1
	}
	if v.df > 0 {
		v.p = distuv.ChiSquared{K: float64(v.df)}.Survival(v.chi2)
	}
	return v
}

// known is something that is known of a seat of a match before its secret is, in 16 levels at most.
type known struct {
	name  string
	level int
}

// knowns returns what is known of a seat of match k of a row, for its secret number i: of the match itself what is public, of the
// matches before it all. The last secret is the alias.
func knowns(row []dealt, k, seat, i int) []known {
	d := row[k]
	id, commitment := d.ID[len(d.ID)-1:], d.Commitment()
	bits, _ := hex.DecodeString("0" + id)
	out := []known{
		{"alone", 0}, {"seat", seat}, {"entry", d.entries[seat] % 16}, {"rating", d.ranks[seat]}, {"round", min(d.Round, 15)}, {"match of the row", k % 16},
		{"id", int(bits[0])}, {"commitment", int(commitment[0] >> 4)},
	}
	if alias := len(d.classes) - 1; i != alias {
		out = append(out, known{"alias", d.classes[alias][seat]})
	}
	if k > 0 {
		out = append(out, known{"seed of the match before", int(row[k-1].Seed[0] >> 4)})
		if seat < len(row[k-1].entries) {
			out = append(out, known{"same seat, match before", row[k-1].classes[i][seat]})
		}
	}
	return append(out, past(row, k, seat, i)...)
}

// past returns what the entry in a seat of match k had in matches before.
func past(row []dealt, k, seat, i int) (out []known) {
	d := row[k]
	entry := d.entries[seat]
	last, lastRound, inBlock, first := -1, -1, 0, 0
	for _, before := range row[:k] {
		at := slices.Index(before.entries, entry)
		if at < 0 {
			continue
		}
		class := before.classes[i][at]
		last = class
		if before.Round < d.Round {
			lastRound = class
		}
		if before.block == d.block {
			inBlock++
			first += btoi(class == 0)
		}
	}
	if last >= 0 {
		out = append(out, known{"same entry, match before", last})
	}
	if lastRound >= 0 {
		out = append(out, known{"same entry, round before", lastRound})
	}
	if inBlock > 0 {
		out = append(out, known{"first class so far in the block", 4*min(inBlock-1, 3) + min(first, 3)})
	}
	return out
}

// charts looks at a scene until so many matches were counted, one seat of each.
func (x *scene) charts(matches int) []verdict {
	charts := map[string]*chart{}
	secrets := append(slices.Clone(x.g.secrets), secret{"alias", slices.Repeat([]float64{1. / 8}, 8)})
	for counted := 0; counted < matches; {
		row := x.play()
		for k := range row {
			seat := x.luck.IntN(len(row[k].entries))
			for i, s := range secrets {
				for _, f := range knowns(row, k, seat, i) {
					name := s.name + " by " + f.name
					if charts[name] == nil {
						charts[name] = &chart{name: name, odds: s.odds}
					}
					charts[name].add(f.level, row[k].classes[i][seat])
				}
			}
		}
		counted += len(row)
	}
	out := make([]verdict, 0, len(charts))
	for _, c := range charts {
		out = append(out, c.test())
	}
	slices.SortFunc(out, func(a, b verdict) int { return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.name, b.name)) })
	return out
}

// sure is the p below which a chart is no accident: one in a thousand over all charts of all scenes, of which there are fewer
// than 5000 (Bonferroni).
const sure = 1e-3 / 5000

// scenes returns all formats that a game can be played in, plain and with duplicate blocks.
func scenes(t *testing.T, g secretive) (out []*scene) {
	for _, format := range append(tournament.Formats(), ladder, challenges) {
		g := g
		if format == tournament.DoubleElimination || format == tournament.SPRT {
			if g.seats = 2; newScene(t, g, format, false).engine.Info().MinSeats > 2 {
				continue
			}
		}
		if format != tournament.SPRT {
			out = append(out, newScene(t, g, format, false))
		}
		if format != ladder && format != challenges {
			out = append(out, newScene(t, g, format, true))
		}
	}
	return out
}

func TestLongNoMatchTellsTheSecretsOfAnother(t *testing.T) {
	times, charts := 1, 0
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		times = 20
	}
	t.Logf("%-20s %-13s %-9s %7s %6s   %-48s %5s %4s %7s %8s", "format", "game", "duplicate", "matches", "charts", "the least likely chart", "cells", "df", "chi2", "p")
	for _, g := range secretives() {
		for _, x := range scenes(t, g) {
			list := x.charts(times * g.matches)
			charts += len(list)
			v := list[0]
			t.Logf("%-20s %-13s %-9v %7d %6d   %-48s %5d %4d %7.1f %8.2g", x.format, g.id, x.duplicate, times*g.matches, len(list), v.name, v.cells, v.df, v.chi2, v.p)
			if v.p < sure {
				t.Errorf("%s of %s, duplicate %v: %s: chi2 %.1f, df %d, p %.2g; want no less than %.2g", x.format, g.id, x.duplicate, v.name, v.chi2, v.df, v.p, sure)
			}
		}
	}
	if charts >= 5000 {
		t.Errorf("%d charts; the bound is for 5000", charts)
	}
}
