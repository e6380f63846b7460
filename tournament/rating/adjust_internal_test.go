package rating

import (
	"math"
	"testing"
)

func close6(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: got %.7f, want %.7f", what, got, want)
	}
}

// Two agents against a mole, all alike, the agents 400·log10(3) ahead: they win three of four. A seat is agent in two deals of three, so
// its mean is (¾ + ¾ + ¼)/3 = 7/12: an agent's deal is worth 1/6, a mole's −1/3.
func TestADealIsWorthWhatItsTeamWinsMoreThanTheMeanOfAllDeals(t *testing.T) {
	s := Strengths{
		Teams:     [2]string{"agent", "mole"},
		As:        [][2]float64{{1500, 1500}, {1500, 1500}, {1500, 1500}},
		Advantage: map[int]float64{3: 400 * math.Log10(3)},
	}
	worth := s.deal(TeamGame{Seats: []int{0, 1, 2}, Team: []string{"agent", "mole", "agent"}})
	close6(t, "an agent's deal", worth[0], 1./6)
	close6(t, "the mole's deal", worth[1], -1./3)
}

// A strong partner is luck too: with entry 2 strong as agent, entry 0 gains by being dealt to its side.
func TestWhoIsDealtToASideIsLuckToo(t *testing.T) {
	s := Strengths{
		Teams: [2]string{"agent", "mole"},
		As:    [][2]float64{{1500, 1500}, {1500, 1500}, {1900, 1500}},
	}
	with := s.deal(TeamGame{Seats: []int{0, 1, 2}, Team: []string{"agent", "mole", "agent"}})
	without := s.deal(TeamGame{Seats: []int{0, 1, 2}, Team: []string{"agent", "agent", "mole"}})
	if with[0] <= without[0] {
		t.Errorf("beside the strong one the deal was worth %v to entry 0, else %v; want more", with[0], without[0])
	}
}

// The mean over all deals is nothing, whatever the strengths are.
func TestDealsAreWorthNothingOnAverage(t *testing.T) {
	s := Strengths{
		Teams:     [2]string{"agent", "mole"},
		As:        [][2]float64{{1700, 1400}, {1450, 1610}, {1500, 1500}, {1333, 1222}, {1800, 1801}},
		Advantage: map[int]float64{5: -77},
	}
	sum := make([]float64, 5)
	for a := range 5 {
		for b := range a {
			teams := []string{"agent", "agent", "agent", "agent", "agent"}
			teams[a], teams[b] = "mole", "mole"
			for seat, w := range s.deal(TeamGame{Seats: []int{0, 1, 2, 3, 4}, Team: teams}) {
				sum[seat] += w
			}
		}
	}
	for seat, x := range sum {
		if math.Abs(x) > 1e-9 {
			t.Errorf("seat %d: ten deals were worth %v in all, want 0", seat, x)
		}
	}
}

func TestPointsWithoutLuckHaveAnIntervalFromFourBlocksOn(t *testing.T) {
	s := Strengths{Teams: [2]string{"agent", "mole"}, As: make([][2]float64, 3)}
	var blocks [][]TeamGame
	for i := range 4 {
		blocks = append(blocks, []TeamGame{{Seats: []int{0, 1, 2}, Team: []string{"agent", "mole", "agent"}, Points: []float64{float64(i % 2), 0, 0}}})
	}
	if got := Lucks(3, s.Deals(blocks[:3])); got[0] != nil {
		t.Errorf("three blocks have an interval: %+v", got[0])
	}
	got := Lucks(3, s.Deals(blocks))
	if got[0] == nil {
		t.Fatal("four blocks have no interval")
	}
	close6(t, "luck of even deals", got[0].Points, 0)
	// Four addends of ±½ about their mean: the variance of the sum is 4/3, and Student's quantile for three degrees is 3.182.
	if want := 3.182 * math.Sqrt(4./3); math.Abs(got[0].Half-want) > .03 {
		t.Errorf("half %.3f, want %.3f", got[0].Half, want)
	}
}

// Of a game of n seats the pairs take of a bot's deal n/2 times what it was worth to the bot, less half of what it was worth to the
// whole table: so where all sit at every table, two rows differ by n/2 times the difference of the lucks.
func TestTheLuckOfPairsAddsUpToThatOfTheirBots(t *testing.T) {
	s := Strengths{
		Teams:     [2]string{"agent", "mole"},
		As:        [][2]float64{{1700, 1400}, {1450, 1610}, {1500, 1500}, {1333, 1222}, {1800, 1801}},
		Advantage: map[int]float64{5: -77},
	}
	var blocks [][]TeamGame
	for mole := range 5 {
		g := TeamGame{Seats: []int{3, 1, 4, 0, 2}, Team: []string{"agent", "agent", "agent", "agent", "agent"}, Points: []float64{1, 1, 1, 1, 1}}
		for _, k := range []int{mole, (mole + 2) % 5} {
			g.Team[k], g.Points[k] = "mole", 0
		}
		blocks = append(blocks, []TeamGame{g})
	}
	blocks = append(blocks, blocks[0]) // five deals alone are even for every seat
	dealt := s.Deals(blocks)
	own, pairs := Lucks(5, dealt), PairLucks(dealt)
	rows := make([]float64, 5)
	for p, luck := range pairs {
		rows[p.Entry] += luck.Points
		close6(t, "a pair seen from its two sides", luck.Points+pairs[Pair{p.Other, p.Entry}].Points, 0)
		close6(t, "its interval from the two sides", luck.Half, pairs[Pair{p.Other, p.Entry}].Half)
	}
	for e := range rows {
		close6(t, "what two rows differ by", rows[e]-rows[0], 5./2*(own[e].Points-own[0].Points))
		if e > 0 && math.Abs(rows[e]-rows[0]) < .01 {
			t.Errorf("rows %d and 0 had the same luck: %v", e, rows[e])
		}
	}
}

func TestPairsThatMetSeldomHaveNoInterval(t *testing.T) {
	s := Strengths{Teams: [2]string{"agent", "mole"}, As: make([][2]float64, 4)}
	var blocks [][]TeamGame
	for i := range 4 {
		third := 2 + i/3 // entry 3 sits once in the place of entry 2
		blocks = append(blocks, []TeamGame{{Seats: []int{0, 1, third}, Team: []string{"agent", "mole", "agent"}, Points: []float64{1, 0, 1}}})
	}
	got := PairLucks(s.Deals(blocks))
	if len(got) != 2 || got[Pair{0, 1}] == nil || got[Pair{1, 0}] == nil {
		t.Fatalf("lucks of %v, want those of 0 and 1 alone, who met four times", got)
	}
	close6(t, "half of what never varied", got[Pair{0, 1}].Half, 0)
}

func TestStudentsQuantiles(t *testing.T) {
	for _, x := range []struct{ degrees, want float64 }{{3, 3.182}, {5, 2.571}, {10, 2.228}, {30, 2.042}} {
		if got := student(x.degrees); math.Abs(got-x.want) > .02 {
			t.Errorf("%v degrees: got %.4f, want %.3f", x.degrees, got, x.want)
		}
	}
}
