package series_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
)

// places returns the pointers of all that is refused, in order.
func places(err error) []string {
	var many interface{ Unwrap() []error }
	var field *tournament.FieldError
	var out []string
	if errors.As(err, &many) {
		for _, e := range many.Unwrap() {
			out = append(out, places(e)...)
		}
	} else if errors.As(err, &field) {
		out = append(out, field.Pointer)
	}
	return out
}

func TestEverythingWrongIsNamedAtOnce(t *testing.T) {
	ids := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprint("t", i)
		}
		return out
	}
	for _, row := range []struct {
		name string
		in   series.Series
		want string
	}{
		{"of a schedule", series.Series{Name: "Fridays", ScheduleID: "s"}, ""},
		{"by hand, as many as can be", series.Series{Name: "Fridays", Tournaments: ids(100), Best: 100}, ""},
		{"by rank", series.Series{Name: "Fridays", ScheduleID: "s", By: series.Rank}, ""},
		{"by rank, with its own points", series.Series{Name: "Fridays", ScheduleID: "s", By: series.Rank, RankPoints: []float64{3, 1.5, 1.5, 0}}, ""},
		{"nothing", series.Series{}, "/name /schedule_id"},
		{"no tournaments", series.Series{Name: "x", Tournaments: ids(0)}, "/tournaments"},
		{"too many", series.Series{Name: "x", Tournaments: ids(101)}, "/tournaments"},
		{"one twice", series.Series{Name: "x", Tournaments: []string{"a", "b", "a", "b"}}, "/tournaments/2 /tournaments/3"},
		{"both", series.Series{Name: "x", ScheduleID: "s", Tournaments: ids(1)}, "/tournaments"},
		{"points of ranks by points", series.Series{Name: "x", ScheduleID: "s", RankPoints: []float64{1}}, "/rank_points"},
		{"no points of ranks", series.Series{Name: "x", ScheduleID: "s", By: series.Rank, RankPoints: []float64{}}, "/rank_points"},
		{"too many points of ranks", series.Series{Name: "x", ScheduleID: "s", By: series.Rank, RankPoints: make([]float64, 101)}, "/rank_points"},
		{
			"bad points of ranks", series.Series{Name: "x", ScheduleID: "s", By: series.Rank, RankPoints: []float64{-1, 2, math.NaN(), 1e7}},
			"/rank_points/0 /rank_points/1 /rank_points/2 /rank_points/3",
		},
		{"all", series.Series{Name: " x", By: "luck", Best: -1, ScheduleID: "s", Tournaments: ids(1), RankPoints: []float64{1}}, "/name /by /best /tournaments /rank_points"},
		{"too many best", series.Series{Name: "x", ScheduleID: "s", Best: 101}, "/best"},
	} {
		must.Same(t, row.name, strings.Join(places(row.in.Filled().Check()), " "), row.want)
	}
}

// event returns a tournament in which bots, named by letters, have the ranks and points of "a 1 3.5, b 2 2". Those in small letters have played,
// of those in capitals what they played is annulled, and those with a dash, as "-a", have played nothing.
func event(t *testing.T, name, standings string) series.Event {
	t.Helper()
	out := series.Event{ID: "id of " + name, Name: name}
	for _, line := range strings.Split(standings, ", ") {
		var s tournament.Standing
		if _, err := fmt.Sscan(line, &s.Bot, &s.Rank, &s.Points); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		name := strings.ToLower(strings.TrimPrefix(s.Bot, "-"))
		if s.IsAnnulled = strings.ToUpper(s.Bot) == s.Bot; s.Bot[0] != '-' {
			s.Played = 1
		}
		s.Bot, s.BotID = name, "id of "+name
		out.Standings = append(out.Standings, s)
	}
	return out
}

// shown returns a line for each bot: its rank, name, points, tournaments played and won, then each result, in brackets if it does
// not count.
func shown(lines []series.Line) string {
	var out []string
	for _, l := range lines {
		line := fmt.Sprintf("%d %s %v %d/%d:", l.Rank, l.Bot, l.Points, l.Played, l.Wins)
		for _, r := range l.Results {
			result := fmt.Sprintf("%s=%v", r.Tournament, r.Points)
			if !r.Counts {
				result = "(" + result + ")"
			}
			line += " " + result
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestStandings(t *testing.T) {
	first := event(t, "x", "a 1 3, b 2 2, c 3 1")
	second := event(t, "y", "b 1 3, c 2 1.5, d 2 1.5")
	third := event(t, "z", "b 1 1, a 2 0")
	for _, row := range []struct {
		name   string
		series series.Series
		events []series.Event
		want   string
	}{
		{"nothing is over", series.Series{}, nil, ""},
		{
			"by points", series.Series{},
			[]series.Event{first, second, third},
			"1 b 6 3/2: x=2 y=3 z=1\n2 a 3 2/1: x=3 z=0\n3 c 2.5 2/0: x=1 y=1.5\n4 d 1.5 1/0: y=1.5",
		},
		{
			"the best two count, of equal ones the earlier", series.Series{Best: 2},
			[]series.Event{first, event(t, "y", "b 1 2"), event(t, "z", "b 1 2")},
			"1 b 4 3/2: x=2 y=2 (z=2)\n2 a 3 1/1: x=3\n3 c 1 1/0: x=1",
		},
		{
			"by rank: those who share it share the points", series.Series{By: series.Rank, RankPoints: []float64{10, 6, 3}},
			[]series.Event{first, second, third},
			"1 b 26 3/2: x=6 y=10 z=10\n2 a 16 2/1: x=10 z=6\n3 c 7.5 2/0: x=3 y=4.5\n4 d 4.5 1/0: y=4.5",
		},
		{
			"by rank: a later entry has nothing, and shares it", series.Series{By: series.Rank, RankPoints: []float64{4, 2}},
			[]series.Event{event(t, "x", "a 1 9, b 2 8, c 2 8, d 4 0")},
			"1 a 4 1/1: x=4\n2 b 1 1/0: x=1\n2 c 1 1/0: x=1\n4 d 0 1/0: x=0",
		},
		{
			"equal points: who has won more; equal in both: one rank", series.Series{},
			[]series.Event{event(t, "x", "b 1 2, a 2 1, c 3 1"), event(t, "y", "c 1 1, a 2 1"), event(t, "z", "d 1 2")},
			"1 b 2 1/1: x=2\n1 c 2 2/1: x=1 y=1\n1 d 2 1/1: z=2\n4 a 2 2/0: x=1 y=1",
		},
		{
			"a bot with two entries has the better result", series.Series{},
			[]series.Event{event(t, "x", "a 1 3, a 2 1")},
			"1 a 3 1/1: x=3",
		},
		{
			"nobody is paid for not playing, by rank", series.Series{By: series.Rank, RankPoints: []float64{10, 6, 3}},
			[]series.Event{event(t, "x", "a 1 3, b 2 2, -c 2 2, D 3 1, -e 5 0"), event(t, "y", "-a 1 1, b 2 0, c 3 0")},
			"1 b 12 2/0: x=6 y=6\n2 a 10 1/1: x=10\n3 c 3 1/0: y=3",
		},
		{
			"nor by points, as for a bye", series.Series{},
			[]series.Event{event(t, "x", "a 1 3, -b 2 1, C 3 2")},
			"1 a 3 1/1: x=3",
		},
		{
			"sums are equal that only arithmetic distinguishes", series.Series{},
			[]series.Event{event(t, "x", "a 2 0.1, b 2 0.3"), event(t, "y", "a 2 0.2")},
			"1 a 0.3 2/0: x=0.1 y=0.2\n1 b 0.3 1/0: x=0.3",
		},
	} {
		if got := shown(row.series.Filled().Standings(row.events)); got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.name, got, row.want)
		}
	}
}

// anyEvents returns tournaments of some of six bots, whose standings share ranks now and then.
func anyEvents(t *rapid.T) []series.Event {
	events := make([]series.Event, rapid.IntRange(0, 6).Draw(t, "tournaments"))
	for i := range events {
		bots := rapid.Permutation([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "order")[:rapid.IntRange(1, 6).Draw(t, "bots")]
		events[i].ID = fmt.Sprint(i)
		for k, bot := range bots {
			row := tournament.Standing{BotID: bot, Bot: bot, Rank: k + 1, Points: float64(rapid.IntRange(0, 9).Draw(t, "points")) / 3}
			row.Played, row.IsAnnulled = rapid.IntRange(0, 3).Draw(t, "played"), rapid.IntRange(0, 3).Draw(t, "annulled") == 0
			if k > 0 && rapid.Bool().Draw(t, "shared") {
				row.Rank = events[i].Standings[k-1].Rank
			}
			events[i].Standings = append(events[i].Standings, row)
		}
	}
	return events
}

func TestLawsOfStandings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := series.Series{Best: rapid.IntRange(0, 4).Draw(t, "best")}
		if rapid.Bool().Draw(t, "by rank") {
			s.By = series.Rank
		}
		s = s.Filled()
		events := anyEvents(t)
		lines := s.Standings(events)
		results, given, ranked := 0, 0.0, 0.0
		for _, e := range events {
			sharing := map[int]int{} // by rank: of those who played
			for _, row := range e.Standings {
				if row.Played == 0 || row.IsAnnulled {
					continue
				}
				if place := row.Rank - 1 + sharing[row.Rank]; s.By == series.Rank {
					ranked += s.RankPoints[place]
				}
				sharing[row.Rank]++
				results++
			}
		}
		for i, l := range lines {
			counted, sum := 0, 0.0
			for _, r := range l.Results {
				given += r.Points
				if r.Counts {
					counted++
					sum += r.Points
				}
			}
			results -= len(l.Results)
			if want := len(l.Results); s.Best > 0 && counted != min(want, s.Best) || s.Best == 0 && counted != want {
				t.Fatalf("%s: %d results count of %d, best %d", l.Bot, counted, want, s.Best)
			}
			if math.Abs(sum-l.Points) > 1e-6 {
				t.Fatalf("%s: %v points, the results that count have %v", l.Bot, l.Points, sum)
			}
			if i > 0 && (l.Points > lines[i-1].Points || l.Rank < lines[i-1].Rank) {
				t.Fatalf("%s stands behind %s\n%s", l.Bot, lines[i-1].Bot, shown(lines))
			}
		}
		if results != 0 {
			t.Fatalf("%d results are lost", results)
		}
		if s.By == series.Rank && math.Abs(given-ranked) > 1e-3 {
			t.Fatalf("%v points are given for ranks worth %v", given, ranked)
		}
	})
}
