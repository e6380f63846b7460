package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
)

// errEnough ends a look at a match.
var errEnough = errors.New("enough")

// At every decision the table is held beside one that differs only in what the seat cannot know and in the luck to come: the verdict and
// the value of the position are equal to the last byte.
func TestAVerdictDoesNotDependOnWhatTheSeatDidNotKnow(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		game, config string
		seats        int
	}{
		{"cia", `{}`, 3}, {"cia", `{"top_secret":true,"dossier":true}`, 3}, {"demol", `{}`, 5}, {"demol", `{"plot_cards":true,"blind_moles":true}`, 5},
		{"mole", `{"points":2,"lead":1}`, 2}, {"molehill", `{}`, 2}, {"molemajority", `{}`, 3},
	} {
		t.Run(row.game+row.config, func(t *testing.T) {
			t.Parallel()
			want := 4
			if nightly() {
				want = 143 // 1,001 in all
			}
			differ := twins(t, row.game, row.config, row.seats, want)
			if e, _ := catalog.Find(row.game); e.Hides() && differ == 0 {
				t.Error("no pair differs in anything: the test sees nothing")
			}
		})
	}
}

// twins compares so many pairs and returns how many of them differed in their states.
func twins(t *testing.T, id, config string, seats, want int) (differ int) {
	t.Helper()
	e, _ := catalog.Find(id)
	for seed, pairs := uint64(1), 0; pairs < want; seed++ {
		rec := record(t, e, config, "greedy", seats, seed, nil)
		j, err := newJudge(t.Context().Err, e, rec.Header.Config, seats, LeastPlayouts, seed)
		must.OK(t, err)
		x := review{judge: j, rec: rec, seen: make([][]json.RawMessage, seats)}
		stride := len(rec.Steps)/7 + 1 // a match serves several pairs, early and late ones
		err = rec.Play(func(p *replay.Player) error {
			protocol.Hear(x.seen, p.Events())
			now := p.Step()
			if now+1 == len(rec.Steps) || now%stride != int(seed)%stride {
				return nil
			}
			turn := rec.Steps[now+1].Turns[now%len(rec.Steps[now+1].Turns)]
			other := p.Table().Resample(turn.Seat, house.Seed(seed*1000+uint64(now)))
			if other.Hash() != p.Table().Hash() {
				differ++
			}
			var verdicts [2]report.Decision
			var values [2]report.Estimate
			for i, table := range []game.Table{p.Table(), other} {
				var at report.Position
				if verdicts[i], err = x.decided(table, turn); err == nil {
					at, err = x.position(table)
				}
				if err != nil {
					return err
				}
				values[i] = at.Values[turn.Seat]
			}
			if !reflect.DeepEqual(verdicts[0], verdicts[1]) || values[0] != values[1] {
				t.Errorf("seed %d, step %d, seat %d: got %+v and %v, for its twin %+v and %v", seed, now, turn.Seat, verdicts[0], values[0], verdicts[1], values[1])
			}
			if pairs++; pairs == want {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	}
	return differ
}

func TestAReviewIsTheSameEachTimeAndFollowsFromItsSeed(t *testing.T) {
	t.Parallel()
	e, _ := catalog.Find("cia")
	rec := record(t, e, `{"max_turns":8}`, "greedy", 3, 5, nil)
	review := func(seed uint64) *report.Report {
		r, err := Review(t.Context(), e, rec, Options{Playouts: LeastPlayouts, Seed: seed})
		must.OK(t, err)
		return r
	}
	first := review(1)
	if again := review(1); !reflect.DeepEqual(first, again) {
		t.Errorf("got %+v, again %+v", first, again)
	}
	if other := review(2); reflect.DeepEqual(first.Steps, other.Steps) {
		t.Error("another seed gives the same values: it decides nothing")
	} else if other.Valuer != first.Valuer {
		t.Errorf("the valuer is %+v, with another seed %+v", first.Valuer, other.Valuer)
	}
}

func TestAReviewRefusesWhatTheRecordDoesNotHave(t *testing.T) {
	t.Parallel()
	e, _ := catalog.Find("molehill")
	rec := record(t, e, `{}`, "random", 2, 1, nil)
	last := len(rec.Steps) - 1
	for _, row := range []struct {
		o    Options
		want string
	}{
		{Options{Playouts: 0}, "bad_review: 0 playouts for a decision tell nothing: want 40 or more"},
		{Options{Playouts: 39}, "bad_review: 39 playouts for a decision tell nothing: want 40 or more"},
		{Options{Playouts: 40, Seats: []game.Seat{0, 2}}, "bad_review: there is no seat 2 at a table of 2: want 0 to 1"},
		{Options{Playouts: 40, Seats: []game.Seat{-1}}, "bad_review: there is no seat -1 at a table of 2: want 0 to 1"},
		{Options{Playouts: 40, Step: -1}, ""},
		{Options{Playouts: 40, Step: last + 1}, ""},
	} {
		r, err := Review(t.Context(), e, rec, row.o)
		if !errors.Is(err, ErrOptions) || row.want != "" && err.Error() != row.want {
			t.Errorf("%+v: got %v and %v, want %s", row.o, r, err, row.want)
		}
	}
	r, err := Review(t.Context(), e, rec, Options{Playouts: 40, Step: last})
	if err != nil || len(r.Decisions) != 1 || r.Decisions[0].Step != last || len(r.Steps) != 2 {
		t.Errorf("the last step alone: got %+v and %v", r, err)
	}
	rec.Steps[2].State = rec.Steps[1].State
	if _, err := Review(t.Context(), e, rec, Options{Playouts: 40}); !errors.Is(err, replay.ErrReplay) {
		t.Errorf("a record that does not play again as it says: got %v", err)
	}
}

// Bots write the keys of an action, and what of it has no order, as they like.
func TestAReviewDoesNotDependOnHowABotWritesItsActions(t *testing.T) {
	t.Parallel()
	e, _ := catalog.Find("demol")
	review := func(spoil func(*protocol.Turn, protocol.Answer) protocol.Answer) *report.Report {
		rec := record(t, e, `{}`, "random", 5, 3, spoil)
		r, err := Review(t.Context(), e, rec, Options{Playouts: LeastPlayouts, Seats: []game.Seat{0}})
		must.OK(t, err)
		for i := range r.Decisions {
			r.Decisions[i].Action = nil
		}
		return r
	}
	changed := 0
	want, got := review(nil), review(func(turn *protocol.Turn, answer protocol.Answer) protocol.Answer {
		action, err := kit.Chosen(turn.Offer, answer)
		must.OK(t, err)
		var keys map[string]any
		must.OK(t, json.Unmarshal(action, &keys))
		if members, ok := keys["members"].([]any); ok {
			slices.Reverse(members)
		}
		other, err := json.Marshal(keys) // by the alphabet
		must.OK(t, err)
		if !bytes.Equal(action, other) {
			changed++
		}
		return protocol.Answer{Action: other}
	})
	if !reflect.DeepEqual(got, want) || changed == 0 {
		t.Errorf("%d actions written otherwise give %+v, want %+v", changed, got, want)
	}
}
