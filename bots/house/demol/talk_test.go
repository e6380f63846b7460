package demol_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/housetest"
)

func TestThinkerSaysWhatItThinks(t *testing.T) {
	for _, row := range []struct{ name, role, phase, want string }{
		{"an agent names the mole that it caught", "agent", "talk", "I suspect seat 1 most: a mole at 100 %."},
		{"an agent is against the mole's team", "agent", "vote_talk", "I am against this team. It fails at 100 %, as I see it."},
		{"a mole names none that it knows", "friend", "talk", "I cannot tell yet who the moles are."},
		{"while it does not talk, it says nothing", "agent", "vote", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, bot := range []string{"thinker", "searcher"} {
				offer := `{"type":"talk"}`
				if row.phase == "vote" {
					offer = `{"type":"vote","approve":true}`
				}
				if got := housetest.Ask(t, bot, caught(row.role, row.phase, offer)).Say; got != row.want {
					t.Errorf("%s says %q, want %q", bot, got, row.want)
				}
			}
		})
	}
}

// All talk in every round of talk, agents and moles in the same words, and no mole names one that it knows.
func TestATableOfThinkersTalks(t *testing.T) {
	said := map[string]int{}
	for seed := range uint64(12) {
		var seats []kit.Decide
		for seat := range game.Seat(7) {
			thinker := housetest.Find(t, "thinker").Decide(seed)
			seats = append(seats, func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
				a, err := thinker(ctx, turn)
				var v demol.View
				if err := json.Unmarshal(turn.View, &v); err != nil {
					t.Fatal(err)
				}
				talks := strings.HasSuffix(v.Phase, "talk")
				if talks != (a.Say != "") || len(a.Say) > protocol.MaxSayBytes {
					t.Errorf("match %d, seat %d, %s: says %q", seed, seat, v.Phase, a.Say)
				}
				for other, role := range v.Me.Known {
					if v.Me.Role == "mole" && role == "mole" && strings.Contains(a.Say, fmt.Sprintf("seat %d ", other)) {
						t.Errorf("match %d: the mole %d gives seat %d away: %q", seed, seat, other, a.Say)
					}
				}
				if v.Phase == "talk" && strings.HasPrefix(a.Say, "I suspect") {
					said[v.Me.Role]++
				}
				return a, err
			})
		}
		housetest.Play(t, game.Wrap(demol.Rules{}), `{"talk_rounds":1,"vote_talk_rounds":1}`, seed, seats)
	}
	if said["agent"] < 50 || said["mole"] < 20 {
		t.Errorf("seats are named %v times, want agents and moles to name some", said)
	}
}
