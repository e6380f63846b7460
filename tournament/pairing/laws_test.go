package pairing_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// settings draws a tournament of a kind, and how many enter it.
func settings(t *rapid.T, of kind) (pairing.Settings, int) {
	s, n := firstStage(t, of.format)
	if s.Playoff = of.playoff; s.Playoff == "" {
		return s, n
	}
	if s.Playoff == tournament.DoubleElimination {
		s.SeatsPerTable, s.MinTable, s.GroupSize = 2, 0, 0 // it knows no larger tables
	}
	s.ThirdPlace = s.Playoff == tournament.SingleElimination && s.SeatsPerTable == 2 && rapid.Bool().Draw(t, "third place")
	s.Finalists = rapid.IntRange(s.SeatsPerTable, max(s.SeatsPerTable, 12)).Draw(t, "finalists")
	return s, n
}

func firstStage(t *rapid.T, format tournament.Format) (pairing.Settings, int) {
	most := 64
	if format == tournament.SPRT {
		return pairing.Settings{
			Format:        format,
			SeatsPerTable: 2,
			Duplicate:     true,
			FormatOptions: tournament.FormatOptions{Test: tournament.Test{
				Elo1: rapid.SampledFrom([]float64{5, 200}).Draw(t, "elo1"), MaxPairs: rapid.IntRange(1, 100).Draw(t, "pairs"),
			}},
		}, 2
	}
	s := pairing.Settings{Format: format, SeatsPerTable: 2, Duplicate: rapid.Bool().Draw(t, "duplicate")}
	if format != tournament.DoubleElimination {
		s.SeatsPerTable = rapid.IntRange(2, 10).Draw(t, "seats")
	}
	k := s.SeatsPerTable
	if k > 2 {
		most = 32
		if format == tournament.RoundRobin || format == tournament.Groups || format == tournament.Gauntlet {
			most = 12 // their larger tables are searched for; TestLargerTablesAreBalanced goes further
		}
	}
	n := rapid.IntRange(k, max(most, k+2)).Draw(t, "entries")
	if rapid.Bool().Draw(t, "short-handed") {
		s.MinTable = rapid.IntRange(2, k).Draw(t, "least")
	}
	switch format {
	case tournament.RoundRobin, tournament.Gauntlet:
		s.Cycles = rapid.IntRange(0, 2).Draw(t, "cycles")
	case tournament.SingleElimination, tournament.DoubleElimination:
		if k == 2 {
			s.BestOf = rapid.IntRange(0, 5).Draw(t, "best of")
			s.ThirdPlace = format == tournament.SingleElimination && rapid.Bool().Draw(t, "third place")
			if s.Duplicate {
				s.BestOf &^= 1
			}
		}
	case tournament.Groups:
		if n >= 2*k && rapid.Bool().Draw(t, "several groups") {
			s.GroupSize = rapid.IntRange(2*k-1, n).Draw(t, "group size")
			if n/((n+s.GroupSize-1)/s.GroupSize) < k {
				s.GroupSize = 0
			}
		}
	}
	return s, n
}

// Whatever happens, every round is lawful, everybody has a place, nobody plays in a second stage who is not among its seeds, and it ends.
func TestEveryFormatIsLawfulAndEnds(t *testing.T) {
	for _, k := range kinds() {
		t.Run(k.String(), func(t *testing.T) {
			times := 1 // a hundred tournaments each
			if os.Getenv("MOLERUN_NIGHTLY") == "1" {
				times = 3
			}
			for range times {
				rapid.Check(t, func(t *rapid.T) {
					s, n := settings(t, k)
					w := drawn(t, s, n)
					w.play(300 + 10*n*max(1, s.BestOf))
					w.standings()
					w.seeded()
				})
			}
		})
	}
}

// drawn draws the luck of a contest, and its troubles.
func drawn(t *rapid.T, s pairing.Settings, n int) *world {
	chance := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	w := &world{
		t: t, twice: true, r: game.Stream(game.Seed{rapid.Byte().Draw(t, "luck")}, 0, "world"),
		c:       pairing.Contest{Settings: s, Entries: field(n), Seed: game.Seed{rapid.Byte().Draw(t, "seed")}},
		trouble: chance("trouble", 0, 0, 10, 40), leaves: chance("leaves", 0, 0, 3, 20), amid: chance("amid", 0, 0, 10, 30),
		late: rapid.IntRange(0, 3).Draw(t, "late"), voids: chance("voids", 0, 0, 20),
	}
	game.Shuffle(w.r, w.c.Entries) // seeds are not indices
	for e := range max(1, min(n-s.SeatsPerTable+1, rapid.IntRange(1, 3).Draw(t, "challengers"))) {
		w.c.Entries[e].Challenger = true
	}
	return w
}

// seeded checks that a second stage begins once, and that its seeds alone play in it.
func (w *world) seeded() {
	w.t.Helper()
	first := w.c.Playoff()
	for i, r := range w.c.Rounds[first:] {
		seeds := w.c.Rounds[first].Seeds
		for _, b := range r.Blocks {
			for _, e := range b.Games[0].Seats {
				if !slices.Contains(seeds, e) {
					w.t.Fatalf("%+v: entry %d plays round %d of the playoff of %v", w.c.Settings, e, i+1, seeds)
				}
			}
		}
		if i > 0 && r.Seeds != nil {
			w.t.Fatalf("%+v: a second playoff begins in round %d: %v", w.c.Settings, first+i+1, r.Seeds)
		}
	}
}

// play plays a contest to its end.
func (w *world) play(bound int) {
	w.t.Helper()
	plan, err := pairing.Plan(w.c)
	if err != nil {
		w.t.Fatalf("%+v: %d entries: %v", w.c.Settings, len(w.c.Entries), err)
	}
	w.c.Plan = plan
	for w.round() {
		if f := w.c.Settings.Format; w.c.Playoff() < len(w.c.Rounds) {
			// In a playoff not everybody has a place.
		} else if f == tournament.RoundRobin || f == tournament.Swiss || f == tournament.Gauntlet {
			w.everybody()
		}
		if w.amid > 0 && w.c.Settings.Format != tournament.SPRT { // whose blocks are not settled: it ends
			w.leave()
		}
		w.finish()
		w.happen()
		if len(w.c.Rounds) > bound {
			w.t.Fatalf("%+v: %d entries, no end after %d rounds", w.c.Settings, len(w.c.Entries), bound)
		}
		if len(w.c.Rounds) > 12 {
			w.c.Closed = true
		}
	}
	w.few()
}

// few checks that there were no more matches than foretold; in a round robin of those who all came and stayed just as many.
func (w *world) few() {
	w.t.Helper()
	entries := len(w.c.Entries)
	want, err := pairing.Matches(entries, w.c.Settings)
	if err != nil {
		w.t.Fatalf("%+v: %d entries: %v", w.c.Settings, entries, err)
	}
	made := 0
	for _, r := range w.c.Rounds {
		for _, b := range r.Blocks {
			made += len(b.Games)
		}
	}
	exact := w.c.Settings.Format == tournament.RoundRobin && w.trouble+w.leaves+w.amid == 0 && !w.c.Settings.OwnersApart
	if w.c.Settings.Format != tournament.Arena && made > want || exact && made != want {
		w.t.Fatalf("%+v: %d entries made %d matches, foretold were %d", w.c.Settings, entries, made, want)
	}
}

// Every size up to 64 at tables of two, and every table size with fields up to four tables: calm and troubled.
func TestEverySizeOfEveryFormat(t *testing.T) {
	for _, format := range tournament.Formats() {
		for k := 2; k <= 10; k++ {
			most, step := 4*k, k-1 // among them fields that fill tables and fields that do not
			switch {
			case k > 2 && (format == tournament.DoubleElimination || format == tournament.SPRT):
				continue
			case format == tournament.SPRT:
				most, step = 2, 1
			case k == 2:
				most, step = 64, 1
			case format == tournament.RoundRobin || format == tournament.Groups || format == tournament.Gauntlet:
				most = min(most, 2*k) // larger tables are searched for
			}
			for n := k; n <= most; n += step {
				if n > 20 && n%5 != 0 && os.Getenv("MOLERUN_NIGHTLY") == "" {
					continue // the large ones by night
				}
				w := &world{
					t: t, twice: true, r: game.Stream(game.Seed{byte(n), byte(k)}, 0, "world"), trouble: 5 * (n % 3), leaves: n % 4, voids: n % 5, late: n % 2,
					c: pairing.Contest{Settings: pairing.Settings{Format: format, SeatsPerTable: k, Duplicate: n%2 == 0, OwnersApart: n%3 == 1, FormatOptions: tournament.FormatOptions{Test: tournament.Test{MaxPairs: 90}}}, Entries: field(n), Seed: game.Seed{byte(n)}},
				}
				w.c.Entries[0].Challenger = true
				w.play(20 * n)
				w.standings()
			}
		}
	}
}

// Entries of one owner never share a table, in any format that finds a pairing at all.
func TestOwnersAreKeptApartInEveryFormat(t *testing.T) {
	for _, format := range tournament.Formats() {
		for k := 2; k <= 6 && format != tournament.SPRT; k++ { // whose two entries may be of one owner
			for _, owners := range []int{k, 2 * k, 3*k - 1} {
				if k > 2 && format == tournament.DoubleElimination || owners == k && format != tournament.Swiss && format != tournament.Arena {
					continue // with k owners of three each only one line-up of owners is left, which a search need not find
				}
				w := &world{
					t: t, r: game.Stream(game.Seed{byte(owners), byte(k)}, 0, "world"), trouble: 3, leaves: 2,
					c: pairing.Contest{Settings: pairing.Settings{Format: format, SeatsPerTable: k, OwnersApart: true}, Entries: field(3 * k), Seed: game.Seed{1}},
				}
				for e := range w.c.Entries {
					w.c.Entries[e].Owner = fmt.Sprint(e % owners)
				}
				w.c.Entries[3*k-1].Challenger = true
				w.play(600)
				w.standings()
			}
		}
	}
}

// notForPeople is a code, or a plural of one.
var notForPeople = regexp.MustCompile(`[a-z]_[a-z]+: |\b1 (entries|games|seats|matches|finalists)\b`)

func TestWhatMakesNoTournamentIsRefusedInWords(t *testing.T) {
	for _, row := range []struct {
		name string
		n    int
		s    pairing.Settings
		want string
	}{
		{"no format", 4, pairing.Settings{Format: "cup", SeatsPerTable: 2}, "no format \"cup\""},
		{"one seat", 4, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 1}, "a table of 1; want 2 to 16 seats"},
		{"short table above the full one", 4, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 3, FormatOptions: tournament.FormatOptions{MinTable: 4}}, "min_table_size is 4"},
		{"one", 1, pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 2}, "1 entry cannot fill a table of 2"},
		{"one at larger tables", 1, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{MinTable: 3}}, "1 entry cannot fill a table of 3"},
		{"an sprt of one", 1, pairing.Settings{Format: tournament.SPRT, SeatsPerTable: 2, Duplicate: true}, "it has 1 entry"},
		{"a final of one", 9, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{Finalists: 1}}, "1 finalist cannot"},
		{"too few", 4, pairing.Settings{Format: tournament.Arena, SeatsPerTable: 5}, "4 entries cannot fill a table of 5"},
		{"too many", 2049, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2}, "2049 entries"},
		{"negative", 4, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: -1}}, "0 or more"},
		{"too many rounds", 4, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: 9999}}, "9999 rounds"},
		{"double at larger tables", 9, pairing.Settings{Format: tournament.DoubleElimination, SeatsPerTable: 3}, "for tables of two"},
		{"double with a third place", 4, pairing.Settings{Format: tournament.DoubleElimination, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{ThirdPlace: true}}, "third place"},
		{"best of at larger tables", 9, pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 3, FormatOptions: tournament.FormatOptions{BestOf: 3}}, "use duplicate"},
		{"best of an odd number in pairs", 4, pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 2, Duplicate: true, FormatOptions: tournament.FormatOptions{BestOf: 3}}, "duplicate = false"},
		{"best of too many", 4, pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{BestOf: 9999}}, "best_of is 9999"},
		{"groups too small", 9, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{GroupSize: 4}}, "leave one of 3"},
		{"final too small", 9, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{Finalists: 3}}, "3 finalists"},
		{"an sprt of three", 3, pairing.Settings{Format: tournament.SPRT, SeatsPerTable: 2, Duplicate: true}, "it has 3 entries"},
		{"an sprt too wide", 2, pairing.Settings{Format: tournament.SPRT, SeatsPerTable: 2, Duplicate: true, FormatOptions: tournament.FormatOptions{Test: tournament.Test{Elo1: 151, Normalised: true}}}, "both within 150"},
		{"an sprt without pairs", 2, pairing.Settings{Format: tournament.SPRT, SeatsPerTable: 2}, "duplicate pairs"},
		{"no challenger", 4, pairing.Settings{Format: tournament.Gauntlet, SeatsPerTable: 2}, "a challenger"},
		{"round robin too large", 2000, pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 2, Cycles: 4}, "matches; at most"},
		{"gauntlet too large", 2000, pairing.Settings{Format: tournament.Gauntlet, SeatsPerTable: 2, Cycles: 4000}, "matches; at most"},
	} {
		c := pairing.Contest{Settings: row.s, Entries: field(row.n)}
		if strings.Contains(row.name, "gauntlet") {
			c.Entries[0].Challenger = true
		}
		if _, err := pairing.Next(c); err == nil || !errors.Is(err, pairing.ErrOptions) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %v with %q", row.name, err, pairing.ErrOptions, row.want)
		} else if said := pairing.Reason(err); notForPeople.MatchString(said) {
			t.Errorf("%s: people read %q", row.name, said)
		}
	}
}

// announced draws a tournament of a format with options at their bounds and beyond them.
func announced(t *rapid.T, format tournament.Format) tournament.Tournament {
	now := time.Unix(1e9, 0)
	number := func(name string, of ...int) int { return rapid.SampledFrom(append(of, 0, 0)).Draw(t, name) }
	in := func(n int, formats ...tournament.Format) int { // what means nothing in a format is refused
		if slices.Contains(formats, format) {
			return n
		}
		return 0
	}
	x := tournament.Tournament{
		Name: "cup", Format: format, Table: rapid.IntRange(2, 4).Draw(t, "table"), Cycles: number("cycles", 1, 2) | 1, Capacity: rapid.IntRange(2, 40).Draw(t, "capacity"),
		Rated: rapid.Bool().Draw(t, "rated"), Duplicate: rapid.Bool().Draw(t, "duplicate"), Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		OpensAt: now, ClosesAt: now.Add(time.Hour), StartsAt: now.Add(2 * time.Hour),
		Options: tournament.FormatOptions{
			MinTable:  number("least", 2),
			Rounds:    in(number("rounds", 1, 40, 1000), tournament.Swiss),
			BestOf:    in(number("best of", 1, 2, 1000), tournament.SingleElimination, tournament.DoubleElimination),
			GroupSize: in(number("group", 1, 5, 2048), tournament.Groups),
			Finalists: in(number("finalists", 1, 3, 2048), tournament.Groups),
		},
	}
	switch format {
	case tournament.Swiss, tournament.Groups:
		x.Options.Playoff = rapid.SampledFrom([]tournament.Format{"", tournament.SingleElimination, tournament.DoubleElimination}).Draw(t, "playoff")
		x.Options.TieBreaks = rapid.SliceOfNDistinct(rapid.SampledFrom(tournament.TieBreaks()), 0, 3, rapid.ID).Draw(t, "ties")
	case tournament.SingleElimination:
		x.Options.ThirdPlace = rapid.Bool().Draw(t, "third")
	case tournament.Arena:
		x.Options.LastsMS = 1000
	case tournament.SPRT:
		x.Table, x.Capacity, x.Cycles, x.Duplicate, x.Rated = 2, 2, 1, true, false
		elo := func(name string, of ...float64) float64 { return rapid.SampledFrom(of).Draw(t, name) }
		chance := func(name string) float64 { return rapid.SampledFrom([]float64{0, .001, .4999}).Draw(t, name) }
		x.Options = tournament.FormatOptions{Test: tournament.Test{
			Elo0: elo("elo0", -1001, -1000, -151, -150, 0), Elo1: elo("elo1", 0, 150, 151, 1000, 1001), Alpha: chance("alpha"), Beta: chance("beta"), Normalised: rapid.Bool().Draw(t, "normalised"), MaxPairs: number("pairs", 1, 10_000),
		}}
	}
	return x
}

// Whatever may be announced has standings before it begins, and can be played by a full field. So has an sprt that releases before let be
// announced, which is refused by words on which it is cancelled at its start.
func TestWhatIsAnnouncedCanBeginAndBeShown(t *testing.T) {
	info := game.Info{ID: "toy", MinSeats: 2, MaxSeats: 4}
	for _, format := range tournament.Formats() {
		accepted := 0
		rapid.Check(t, func(t *rapid.T) {
			x := announced(t, format)
			refused := x.Check(info, x.OpensAt)
			if refused != nil && format != tournament.SPRT {
				return
			}
			s := pairing.SettingsOf(x, info)
			c := pairing.Contest{Settings: s, Entries: field(x.Capacity), Seed: game.Seed{1}}
			c.Entries[0].Challenger = true
			_, standings := pairing.Standings(c)
			_, trial := pairing.Trial(c)
			_, path := pairing.Path(c)
			if err := errors.Join(standings, trial, path); err != nil {
				t.Fatalf("%+v: %v", s, err)
			}
			_, counted := pairing.Matches(x.Capacity, s)
			step, err := pairing.Next(c)
			switch {
			case err == nil && step.Status == pairing.Play:
				accepted++
			case !errors.Is(err, pairing.ErrOptions):
				t.Fatalf("%+v: %d entries: %s, %v", s, x.Capacity, step.Status, err)
			case refused == nil && (counted == nil || format == tournament.SPRT):
				t.Fatalf("%+v: %d entries were accepted, and cannot begin: %v", s, x.Capacity, err)
			}
		})
		if accepted < 10 {
			t.Errorf("%s: %d of the tournaments that were drawn make sense, which shows little", format, accepted)
		}
	}
}

// A larger table of a fixed schedule is played short-handed down to the fewest seats allowed; below, the others have a bye.
func TestAFixedTableIsPlayedShortHandedWhereTheGameAllows(t *testing.T) {
	plan := pairing.Round{Blocks: []pairing.Block{{Name: "final", Games: []pairing.Game{{Seats: []int{2, 0, 1, 3}}}}}}
	for _, row := range []struct {
		least, here int
		seats, byes []int
	}{
		{3, 4, []int{2, 0, 1, 3}, nil}, {3, 3, []int{2, 0, 1}, nil}, {3, 2, nil, []int{0, 1}}, {0, 3, nil, []int{0, 1, 2}}, {2, 2, []int{0, 1}, nil},
	} {
		c := pairing.Contest{Settings: pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{MinTable: row.least}}, Entries: field(4)}
		for e := row.here; e < 4; e++ {
			c.Entries[e].State = pairing.Paused
		}
		r := c.Settle(plan)
		var seats []int
		for _, b := range r.Blocks {
			if b.Name != "final" {
				t.Errorf("with %d of four there the table is called %q, want its name", row.here, b.Name)
			}
			seats = b.Games[0].Seats
		}
		if !slices.Equal(seats, row.seats) || !slices.Equal(r.Byes, row.byes) || len(r.Absent) != 4-row.here {
			t.Errorf("at least %d seats, %d there: %+v, want the table %v and byes %v", row.least, row.here, r, row.seats, row.byes)
		}
	}
}

// A field, a group or a final that is too small for a whole table plays at one of its own, down to the fewest seats allowed.
func TestAFieldTooSmallForATableHasASmallerOne(t *testing.T) {
	for _, row := range []struct {
		format tournament.Format
		n      int
		tables [][]int // how many sit at the tables of the first round; nil: refused
	}{
		{tournament.RoundRobin, 3, [][]int{{3}}}, {tournament.RoundRobin, 2, nil},
		{tournament.Gauntlet, 3, [][]int{{3}}}, {tournament.Gauntlet, 2, nil},
		{tournament.Groups, 3, [][]int{{3}}}, {tournament.Groups, 7, [][]int{{3, 4}, {4, 3}}}, {tournament.Groups, 2, nil}, {tournament.Groups, 5, nil},
		{tournament.Swiss, 3, [][]int{{3}}}, {tournament.SingleElimination, 3, [][]int{{3}}}, {tournament.Arena, 3, [][]int{{3}}},
	} {
		w := newWorld(t, pairing.Settings{Format: row.format, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{MinTable: 3}}, row.n)
		if row.format == tournament.Groups {
			w.c.Settings.GroupSize = 4
		}
		w.c.Entries[0].Challenger = true
		if row.tables == nil {
			if _, err := pairing.Next(w.c); !errors.Is(err, pairing.ErrOptions) {
				t.Errorf("%s of %d: %v, want it refused", row.format, row.n, err)
			}
			continue
		}
		w.round()
		var got []int
		for _, b := range w.c.Rounds[0].Blocks {
			got = append(got, len(b.Games[0].Seats))
		}
		if !slices.ContainsFunc(row.tables, func(want []int) bool { return slices.Equal(got, want) }) {
			t.Errorf("%s of %d: tables of %v, want one of %v", row.format, row.n, got, row.tables)
		}
		most := must.Get(pairing.Matches(row.n, w.c.Settings))(t)
		if w.finish(); row.format != tournament.Arena {
			w.toEnd()
			w.standings()
		}
		made := 0
		for _, r := range w.c.Rounds {
			made += len(r.Blocks)
		}
		if most > 0 && made > most {
			t.Errorf("%s of %d: %d matches, more than the %d that were announced", row.format, row.n, made, most)
		}
	}
	w := newWorld(t, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{MinTable: 3}}, 5)
	w.rounds(len(must.Get(pairing.Plan(w.c))(t)))
	w.away(pairing.Withdrawn, 0, 4)
	w.toEnd()
	last := w.c.Rounds[len(w.c.Rounds)-1]
	if !last.Final || len(last.Blocks) != 1 || !slices.Equal(slices.Sorted(slices.Values(last.Blocks[0].Games[0].Seats)), []int{1, 2, 3}) {
		t.Errorf("the final of the three that are left is %+v, want them at one table", last)
	}
}

// Who keeps what is fixed ahead gets the rounds that would be found again each time.
func TestAKeptPlanGivesTheSameRounds(t *testing.T) {
	for _, row := range []struct {
		s pairing.Settings
		n int
	}{
		{pairing.Settings{Format: tournament.Groups, SeatsPerTable: 3, Duplicate: true, FormatOptions: tournament.FormatOptions{GroupSize: 6, Finalists: 6}}, 12},
		{pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Finalists: 4}}, 7},
		{pairing.Settings{Format: tournament.Gauntlet, SeatsPerTable: 4, Cycles: 2}, 9},
		{pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 2}, 6},
	} {
		var made [2][]pairing.Round
		for i, kept := range []bool{true, false} {
			w := newWorld(t, row.s, row.n)
			w.c.Entries[0].Challenger = true
			if kept {
				plan := must.Get(pairing.Plan(w.c))(t)
				w.c.Plan = plan
			}
			w.toEnd()
			if made[i] = w.c.Rounds; kept && len(w.c.Plan) != len(w.c.Rounds) {
				t.Errorf("%+v: %d rounds were kept, %d made", row.s, len(w.c.Plan), len(w.c.Rounds))
			}
		}
		if !reflect.DeepEqual(made[0], made[1]) {
			t.Errorf("%+v: with the plan kept\n%+v, without\n%+v", row.s, made[0], made[1])
		}
	}
}
