package review

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// planter makes one decision of seat 0 a bad one: from a step on the first for which one of a few actions drawn by lot is worse than what
// the bot wanted by a quarter.
type planter struct {
	t      *testing.T
	engine game.Engine
	from   int
	seed   uint64
	at     int // the step; 0: none yet
}

func (p *planter) spoil(turn *protocol.Turn, answer protocol.Answer) protocol.Answer {
	const draws, pairs, hopeless, bad = 6, 150, 20, 0.25
	if p.at > 0 || turn.Seat != 0 || turn.Step < p.from {
		return answer
	}
	wanted, err := kit.Chosen(turn.Offer, answer)
	must.OK(p.t, err)
	j, err := newJudge(p.t.Context().Err, p.engine, turn.Config, len(turn.Opponents)+1, LeastPlayouts, p.seed+77)
	must.OK(p.t, err)
	w, err := j.worlds(turn)
	must.OK(p.t, err)
	luck := search.Luck(house.Seed(p.seed))
	for range draws {
		random, err := kit.Random(turn.Offer, luck)
		must.OK(p.t, err)
		action, err := kit.Chosen(turn.Offer, random)
		must.OK(p.t, err)
		var pair [2]option
		for i, a := range []json.RawMessage{wanted, action} {
			pair[i].turn, err = j.turn(w, a)
			must.OK(p.t, err)
		}
		var lead sample
		for n := range pairs {
			must.OK(p.t, j.play(w, &lead, &pair[0], &pair[1]))
			if n == hopeless && lead.mean() < bad/2 {
				break
			}
		}
		if lead.mean() >= bad {
			p.at = turn.Step + 1
			return protocol.Answer{Action: json.RawMessage(action), Memo: answer.Memo}
		}
	}
	return answer
}

// One decision of a searcher is replaced by a random bad one: it is among the three that cost its seat most. The gate takes the thinker, which
// decides sooner, in short matches of CIA; the night the searcher in all five games.
func TestAPlantedBlunderIsAmongTheCostliest(t *testing.T) {
	t.Parallel()
	bot, matches, playouts := "thinker", 5, 400
	games := map[string]string{"cia": `{"max_turns":12}`}
	if nightly() {
		bot, matches, playouts = "searcher", 20, 800
		games = map[string]string{"cia": `{}`, "demol": `{}`, "mole": `{"points":2,"lead":1}`, "molehill": `{}`, "molemajority": `{}`}
	}
	for id, config := range games {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			e, _ := catalog.Find(id)
			planted, found := 0, 0
			for seed := uint64(1); planted < matches && seed < 3*uint64(matches); seed++ {
				p := planter{t: t, engine: e, from: int(seed*5) % 17, seed: seed}
				rec := record(t, e, config, bot, e.Info().MinSeats, seed, p.spoil)
				if p.at == 0 {
					continue
				}
				planted++
				r, err := Review(t.Context(), e, rec, Options{Seats: []game.Seat{0}, Playouts: playouts, Seed: seed})
				must.OK(t, err)
				if slices.ContainsFunc(r.Seats[0].Costliest, func(k int) bool { return r.Decisions[k].Step == p.at }) {
					found++
					continue
				}
				for i := range r.Decisions {
					if d := &r.Decisions[i]; d.Step == p.at || slices.Contains(r.Seats[0].Costliest, i) {
						t.Logf("seed %d, planted at step %d: step %d cost %.3f (%.3f to %.3f)", seed, p.at, d.Step, d.Regret, d.Low, d.High)
					}
				}
			}
			t.Logf("found %d of %d", found, planted)
			if planted < matches || 10*found < 8*planted {
				t.Errorf("of %d planted blunders %d are among the three costliest, want %d and 80 %%", planted, found, matches)
			}
		})
	}
}
