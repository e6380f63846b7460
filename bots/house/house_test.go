package house_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

// scale multiplies the matches played at night.
func scale() uint64 {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return 10
	}
	return 1
}

// half returns a seat's share of a match: 1 for first alone, ½ for a shared first, 0 else.
func half(r game.Result, seat int) float64 {
	first := 0
	for _, rank := range r.Rank {
		if rank == 1 {
			first++
		}
	}
	switch {
	case r.Rank[seat] != 1:
		return 0
	case first > 1:
		return 0.5
	}
	return 1
}

func TestGreedyBeatsRandomAtMoleHill(t *testing.T) {
	t.Parallel()
	e := game.Wrap(molehill.Rules{})
	const want = 0.85
	for config, matches := range map[string]uint64{`{}`: 60 * scale(), `{"flowers":"random"}`: 20 * scale()} {
		points := 0.0
		for seed := range matches {
			me := int(seed % 2)
			seats := []kit.Decide{housetest.Find(t, "random").Decide(seed), housetest.Find(t, "random").Decide(seed)}
			seats[me] = housetest.Find(t, "greedy").Decide(seed)
			points += half(housetest.Play(t, e, config, seed, seats), me)
		}
		t.Logf("%s: %.3f of the points", config, points/float64(matches))
		if points/float64(matches) < want {
			t.Errorf("%s: greedy makes %.3f of the points, want %.2f", config, points/float64(matches), want)
		}
	}
}

// Three greedy and three random bots sit at each table, rotated through the seats: who is an agent and who a mole is luck.
func TestGreedyIsAboveRandomAtDeMol(t *testing.T) {
	t.Parallel()
	e := game.Wrap(demol.Rules{})
	const margin = 0.05
	for config, deals := range map[string]uint64{
		`{}`: 10 * scale(), `{"targeting":true}`: 8 * scale(), `{"blind_moles":true}`: 8 * scale(),
		`{"plot_cards":true}`: 8 * scale(), `{"plot_cards":true,"targeting":true,"blind_moles":true}`: 8 * scale(),
	} {
		var sum [2]float64
		for seed := range deals {
			for turn := range 6 {
				seats := make([]kit.Decide, 6)
				for i := range seats {
					name := "random"
					if (i+turn)%6 < 3 {
						name = "greedy"
					}
					seats[i] = housetest.Find(t, name).Decide(seed*100 + uint64(i))
				}
				r := housetest.Play(t, e, config, seed, seats)
				for i := range seats {
					if (i+turn)%6 < 3 {
						sum[0] += r.Points[i]
					} else {
						sum[1] += r.Points[i]
					}
				}
			}
		}
		n := float64(deals * 6 * 3)
		t.Logf("%s: greedy %.3f, random %.3f", config, sum[0]/n, sum[1]/n)
		if sum[0]/n < sum[1]/n+margin {
			t.Errorf("%s: greedy wins %.3f, random %.3f: want %.2f more", config, sum[0]/n, sum[1]/n, margin)
		}
	}
}

// Every house bot plays every variant and table size of its games to the end, whatever it is asked: a searcher and the others
// at one table, at small ones in turn. By day it is one match of each variant at its smallest table and at its largest. (The golden file
// has matches of each bot in all seats.)
func TestHouseBotsPlayEveryVariant(t *testing.T) {
	quick := []string{"random", "greedy", "thinker"}
	if len(house.Names()) != len(quick)+1 {
		t.Errorf("there are %v, want %v and the searcher", house.Names(), quick)
	}
	for _, e := range catalog.All() {
		info := e.Info()
		for _, name := range house.Names() {
			if bot := housetest.Find(t, name); !slices.Contains(bot.Games, info.ID) {
				t.Errorf("%s does not play %s", name, info.ID)
			}
		}
		for _, variant := range info.Variants {
			t.Run(info.ID+"/"+variant.Name, func(t *testing.T) {
				t.Parallel()
				for n := info.MinSeats; n <= info.MaxSeats; n++ {
					if scale() == 1 && n != info.MinSeats && n != info.MaxSeats {
						continue
					}
					for first := 0; first < len(quick); first += n - 1 {
						if scale() == 1 && first > 0 {
							break
						}
						for seed := range scale() {
							seats := make([]kit.Decide, n)
							for i := range seats {
								bot := housetest.Find(t, quick[(first+i)%len(quick)])
								if i == n-1 {
									bot = house.Searcher(1) // of all its playouts: it takes long
								}
								seats[(i+int(seed))%n] = bot.Decide(seed)
							}
							if r := housetest.Play(t, e, string(variant.Config), seed, seats); len(r.Rank) != n {
								t.Errorf("%d seats: result %+v", n, r)
							}
						}
					}
				}
			})
		}
	}
}

func TestTheSameTurnGetsTheSameAnswer(t *testing.T) {
	turn := &protocol.Turn{Match: "m", Step: 3, Seat: 1, Game: "demol", Offer: json.RawMessage(`{"list":[{"type":"a"},{"type":"b"},{"type":"c"},{"type":"d"}]}`)}
	other := *turn
	other.Step = 4
	decide := housetest.Find(t, "random").Decide(7)
	differs := false
	for range 20 {
		first, err := decide(context.Background(), turn)
		must.OK(t, err)
		again, err := housetest.Find(t, "random").Decide(7)(context.Background(), turn)
		must.OK(t, err)
		if *first.Choose != *again.Choose {
			t.Fatalf("first %d, again %d", *first.Choose, *again.Choose)
		}
		other.Step++
		later, err := decide(context.Background(), &other)
		must.OK(t, err)
		differs = differs || *later.Choose != *first.Choose
	}
	if !differs {
		t.Error("20 other turns got the same answer too: no luck at all")
	}
}

func TestThereIsNoBotOfAnotherName(t *testing.T) {
	if b, ok := house.Find("alphazero"); ok {
		t.Errorf("found %+v", b)
	}
	for _, name := range house.Names() {
		b := housetest.Find(t, name)
		if b.Name != name || b.About == "" {
			t.Errorf("%s is named %q and says %q", name, b.Name, b.About)
		}
		if served := b.Kit(1).Games; len(served) != len(b.Games) {
			t.Errorf("%s serves %d games, it plays %v", name, len(served), b.Games)
		}
	}
	if _, err := housetest.Find(t, "greedy").Decide(1)(context.Background(), &protocol.Turn{Game: "chess"}); err == nil {
		t.Error("greedy decides in chess")
	}
}
