package house_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

var dealt = flag.Int("deals", 0, "deals that each pair of house bots plays; 0 plays as many as the test needs")

// pair is two house bots at one table: each deal is played twice, with the bots in each other's seats.
type pair struct {
	engine       game.Engine
	config       string
	seats        int
	weak, strong house.Bot
	deals        int
}

// outcome is the strong bot's share of each deal's points, and what decisions took.
type outcome struct {
	scores []float64
	spent  [2]time.Duration // by bot, the weak one first
	asked  [2]int
}

// rate returns how many decisions a bot takes in a second.
func (o outcome) rate(bot int) float64 { return float64(o.asked[bot]) / o.spent[bot].Seconds() }

// play plays the deals of a pair.
func (p pair) play(t *testing.T) outcome {
	t.Helper()
	var o outcome
	for deal := range p.deals {
		o.scores = append(o.scores, (p.match(t, &o, deal, 0)+p.match(t, &o, deal, 1))/2)
	}
	return o
}

// match plays a deal: the strong bot has every second seat from first on, in games with teams one of them.
func (p pair) match(t *testing.T, o *outcome, deal, first int) float64 {
	t.Helper()
	config, err := p.engine.Configure([]byte(p.config), p.seats)
	must.OK(t, err)
	table, opening, err := p.engine.New(config, p.seats, house.Seed(uint64(deal)))
	must.OK(t, err)
	bots := [2]house.Bot{p.weak, p.strong}
	of := make([]int, p.seats) // which bot sits there
	teams := table.Teams()
	seats := make([]kit.Decide, p.seats)
	for i := range seats {
		of[i] = (i + first) % 2
		if teams != nil {
			of[i] = first
			if teams[i] == "mole" {
				of[i] = 1 - first
			}
		}
		decide, bot := bots[of[i]].Decide(uint64(deal)<<8+uint64(2*i+first)), of[i]
		seats[i] = func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
			start := time.Now()
			defer func() { o.spent[bot] += time.Since(start); o.asked[bot]++ }()
			return decide(ctx, turn)
		}
	}
	m, err := house.Play(t.Context(), p.engine, config, table, opening, seats)
	must.OK(t, err)
	sum, n := 0.0, 0
	for i := range of {
		for j := range of {
			if of[i] == 1 && of[j] == 0 {
				sum += 0.5 + 0.5*float64(min(1, max(-1, m.Result.Rank[j]-m.Result.Rank[i])))
				n++
			}
		}
	}
	return sum / float64(n)
}

// elo returns how much stronger the strong bot is, and the 95 % interval.
func (o outcome) elo() (at, low, high float64) {
	n, sum, squares := float64(len(o.scores)), 0.0, 0.0
	for _, s := range o.scores {
		sum += s
	}
	mean := sum / n
	for _, s := range o.scores {
		squares += (s - mean) * (s - mean)
	}
	half := 1.96 * math.Sqrt((squares+0.25)/(n+1)/n)
	return elo(mean), elo(mean - half), elo(mean + half)
}

func elo(p float64) float64 {
	p = min(max(p, 0.001), 0.999)
	return 400 * math.Log10(p/(1-p))
}

// ladder is where each house bot plays the one before it, and how many deals: first those of the gate, where the distance is large, then those of
// the night, which show the distance that is wanted.
var ladder = []struct {
	game        string
	config      string
	seats       int
	gate, night [3]int
}{
	{"cia", `{}`, 2, [3]int{10, 10, 0}, [3]int{100, 100, 200}},
	{"cia", `{}`, 4, [3]int{10, 0, 0}, [3]int{100, 200, 200}},
	{"demol", `{}`, 5, [3]int{15, 20, 0}, [3]int{200, 200, 200}},
	{"demol", `{}`, 7, [3]int{0, 0, 0}, [3]int{200, 200, 100}},
	{"mole", `{"points":5,"max_rounds":60}`, 2, [3]int{10, 0, 0}, [3]int{100, 600, 60}},
	{"molehill", `{}`, 2, [3]int{5, 5, 6}, [3]int{50, 50, 100}},
	{"molemajority", `{}`, 2, [3]int{5, 10, 0}, [3]int{50, 100, 500}},
	{"molemajority", `{}`, 3, [3]int{5, 0, 0}, [3]int{50, 200, 200}},
	{"molemajority", `{}`, 4, [3]int{8, 0, 0}, [3]int{80, 200, 400}},
}

// The log is the table of docs/4-ratings.md: the deals, how much stronger in Elo, and the decisions a second of each of the two, the weaker first.
func TestEachHouseBotIsAboveTheOneBefore(t *testing.T) {
	t.Parallel()
	names := house.Names()
	for _, at := range ladder {
		deals, margin := at.gate, 0.0
		if scale() > 1 {
			deals, margin = at.night, 30
		}
		crowded := at.game == "molemajority" && at.seats > 2 // the searcher sees less far there: docs/4-ratings.md has how little
		for i := range deals {
			if *dealt > 0 {
				deals[i] = *dealt
			}
			if deals[i] == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d/%s", at.game, at.seats, names[i+1]), func(t *testing.T) {
				e, _ := catalog.Find(at.game)
				p := pair{e, at.config, at.seats, housetest.Find(t, names[i]), housetest.Find(t, names[i+1]), deals[i]}
				if scale() == 1 && p.strong.Name == "searcher" {
					p.strong = house.Searcher(2) // all its playouts take long
				}
				o := p.play(t)
				mean, low, high := o.elo()
				t.Logf("| %s | %d | %s | %d | %+.0f (%+.0f to %+.0f) | %.0f | %.0f |", e.Info().Name, at.seats, names[i+1], deals[i], mean, low, high, o.rate(0), o.rate(1))
				if crowded && p.strong.Name == "searcher" {
					margin = 0
				}
				if low <= margin {
					t.Errorf("%s is %+.0f Elo (%+.0f to %+.0f) above %s after %d deals: want more than %+.0f", names[i+1], mean, low, high, names[i], deals[i], margin)
				}
			})
		}
	}
}
