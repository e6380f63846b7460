package pool

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
)

// nightly reports whether the large counts are run.
func nightly() bool { return os.Getenv("MOLERUN_NIGHTLY") == "1" }

// The scale of each game is what its ends take from the pool. A share is counted by pairs of matches in which the two change sides.
func TestTheScaleIsWhatTheBotsTake(t *testing.T) {
	for _, g := range Games() {
		t.Run(g.ID, func(t *testing.T) {
			t.Parallel()
			n := 3
			if g.ID == "mole" { // its matches take long
				n = 1
			}
			if nightly() {
				n = 1000
				if g.ID == "mole" {
					n = 300
				}
			}
			last := len(g.Bots) - 1
			for name, end := range map[string]struct {
				who  int
				want float64
			}{"zero": {0, g.Zero}, "hundred": {last, g.Hundred}} {
				mean, variance := .5, 0.
				for other := range g.Bots {
					if other != end.who {
						share, se := g.meet(t, g.Bots[end.who], g.Bots[other], n)
						t.Logf("%s takes %.4f ± %.4f from %s", g.Bots[end.who], share, se, g.Bots[other])
						mean, variance = mean+share, variance+se*se
					}
				}
				k := float64(len(g.Bots))
				mean, se := mean/k, max(math.Sqrt(variance), 0.5/float64(n))/k
				t.Logf("%s: %.4f ± %.4f", name, mean, se)
				if math.Abs(mean-end.want) > 4*se {
					t.Errorf("%s: got %.4f ± %.4f, want %.4f", name, mean, se, end.want)
				}
			}
		})
	}
}

// meet returns the share that one bot takes from another in pairs of matches, and its standard error.
func (g Game) meet(t *testing.T, first, second string, pairs int) (share, se float64) {
	t.Helper()
	e, _ := catalog.Find(g.ID)
	config, err := g.Config(e)
	must.OK(t, err)
	var sum, squares float64
	for pair := range pairs {
		points := 0.
		for swap := range 2 {
			names := [2]string{first, second}
			seat := -1 // one of the first's
			m, err := g.play(context.Background(), e, config, uint64(1000+pair), func(side int, luck uint64) (kit.Decide, error) {
				if side == swap && seat < 0 {
					seat = int(luck & 0xff)
				}
				b, _ := house.Find(names[side^swap])
				return b.Decide(luck<<1 + uint64(swap)), nil
			})
			must.OK(t, err)
			points += pointsOf(m.Result.Rank, seat, otherSeat(m.Result.Team, seat)) / 2
		}
		sum += points
		squares += points * points
	}
	n := float64(pairs)
	return sum / n, math.Sqrt(max(0, squares/n-sum/n*sum/n) / n)
}

// otherSeat returns a seat of the other side.
func otherSeat(teams []string, seat int) int {
	if len(teams) == 0 {
		return 1 - seat
	}
	for i, team := range teams {
		if team != teams[seat] {
			return i
		}
	}
	return -1
}

func pointsOf(rank []int, a, b int) float64 {
	switch {
	case rank[a] < rank[b]:
		return 1
	case rank[a] > rank[b]:
		return 0
	}
	return .5
}

// golden is the hash of the pool. Who changes it meant to: it raises Version, and the scale is measured once more.
const golden = "8f04b735a4b7a253dba5f6899db2d0a7f45cfdbc6b78ec1eaeee10281b163733"

func TestTheHashIsThatOfThePool(t *testing.T) {
	ctx := context.Background()
	got, err := Hash(ctx, catalog.Find)
	must.OK(t, err)
	if got != golden && !fuses(1+0x1p-30, -1-0x1p-29) {
		t.Errorf("got %s, want %s: a bot of the pool decides otherwise, or rules have changed; if that is meant, raise Version and measure the scale", got, golden)
	}
	g, _ := Find("demol")
	demol := func(seat seatOf) string {
		got, err := hashOf(ctx, []Game{g}, catalog.Find, seat)
		must.OK(t, err)
		return got
	}
	for _, name := range g.Bots {
		planted := demol(func(bot string, luck uint64) (kit.Decide, error) {
			b, _ := house.Find(bot)
			decide := b.Decide(luck)
			if bot != name {
				return decide, nil
			}
			return func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
				a, err := decide(ctx, turn)
				if turn.Step == 3 {
					a = protocol.Answer{Choose: new(0)}
				}
				return a, err
			}, nil
		})
		if planted == demol(ofHouse) {
			t.Errorf("%s decides otherwise in one step, and the hash is the same", name)
		}
	}
}

// fuses reports whether x² + y, whose exact value is 2^-60, is computed with one rounding, as the house's golden test has it.
func fuses(x, y float64) bool { return x*x+y != 0 }
