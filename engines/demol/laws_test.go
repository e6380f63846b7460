package demol

import (
	"fmt"
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

// often returns the count of the default run, or that of the nightly one, or under mutation testing a twentieth.
func often(n, nightly int) int {
	switch {
	case os.Getenv("MOLERUN_NIGHTLY") == "1":
		return nightly
	case gametest.Mutating():
		return max(1, n/20)
	}
	return n
}

// configs returns all combinations of plot cards, targeting and blind moles, and mixes of the other keys with them.
func configs() []gametest.Case {
	list := []string{
		`{"targeting":true,"targeting_last_needs":"two_successes","blind_moles":true,"talk_rounds":1,"vote_talk_rounds":2}`,
		`{"talk_rounds":2,"strong_leader_window":"every_leader","pass_binds":"round"}`,
		`{"plot_cards":true,"strong_leader_window":"every_leader","pass_binds":"round","plot_deck":` + crowded + `}`,
		`{"plot_cards":true,"blind_moles":true,"talk_rounds":1,"vote_talk_rounds":1,"pass_binds":"round","plot_deck":` + crowded + `}`,
		`{"plot_cards":true,"targeting":true,"targeting_last_needs":"two_successes","strong_leader_window":"every_leader","talk_rounds":1}`,
	}
	for i := range 8 {
		list = append(list, fmt.Sprintf(`{"plot_cards":%v,"targeting":%v,"blind_moles":%v}`, i&1 == 1, i&2 == 2, i&4 == 4))
	}
	return gametest.Thinned(gametest.Sampled(gametest.Cross(Rules{}.Info(), list...), 5), 4)
}

// crowded is a deck in which every window has several holders soon.
const crowded = `{"overheard_conversation":2,"opinion_maker":2,"establish_confidence":1,"open_up":1,"no_confidence":2,` +
	`"close_eye":3,"strong_leader":3,"spotlight":3,"take_responsibility":3}`

func TestLaws(t *testing.T) {
	gametest.Run(t, Rules{}, gametest.Cases[State, Action]{
		List:     configs(),
		MaxSteps: maxVotes*(2+2+2) + missions + 60*5, // a window asks each holder once
		Matches:  often(1, 20),
		Pairs:    often(700, 130_000), // more than 10,000 in all, nightly ten million
		Hostile:  hostile(),
		BadConfigs: []string{
			`{"plot_cards":true,"plot_deck":{}}`, `{"plot_cards":true,"plot_deck":{"open_up":4}}`, `{"plot_cards":1}`,
			`{"plot_cards":true,"plot_deck":{"open_up":15,"spotlight":16}}`, `{"plot_cards":true,"plot_deck":{"tea":15}}`,
			`{"plot_cards":true,"plot_deck":{"open_up":15,"spotlight":-1}}`, `{"plot_cards":true,"plot_deck":[]}`, `{"plot_deck":{}}`, `{"plot_deck":{"open_up":1}}`, `{"plot_cards":null}`, `{"targeting":null}`,
			`{"targeting":1}`, `{"targeting_last_needs":"three_played"}`, `{"strong_leader_window":""}`, `{"pass_binds":"never"}`,
			`{"talk_rounds":-1}`, `{"talk_rounds":10}`, `{"vote_talk_rounds":10}`, `{"talk_rounds":1.5}`, `{"talk_rounds":null}`,
			`{"Targeting":true}`, `{"targeting":true,"targeting":true}`,
		},
		Probes: []Action{
			{},
			{Kind: ActTalk},
			{Kind: ActVote},
			{Kind: ActMission},
			{Kind: ActMission, Yes: true},
			{Kind: ActTeam},
			{Kind: 99},
			{Kind: ActTeam, Proposal: Proposal{Members: 3}},
			{Kind: ActTeam, Proposal: Proposal{Mission: 2, Members: 7}},
			{Kind: ActTeam, Proposal: Proposal{Mission: 1, Members: 1<<15 | 1}},
			{Kind: ActTeam, Proposal: Proposal{Mission: 5, Members: 31}},
			{Kind: ActTeam, Proposal: Proposal{Mission: -1}},
			{Kind: ActTeam, Proposal: Proposal{Mission: 9}},
			{Kind: ActStrongLeader, Yes: true},
			{Kind: ActNoConfidence},
			{Kind: ActGive, Target: Target{Card: OpenUp, Seat: 1}},
			{Kind: ActGive, Target: Target{Card: 99}},
			{Kind: ActLook, Target: Target{Seat: 1}},
			{Kind: ActLook, Target: Target{Seat: game.Spectator}},
			{Kind: ActShow, Target: Target{Seat: 2}},
			{Kind: ActShow, Target: Target{Seat: 15}},
			{Kind: ActTake, Target: Target{Card: NoConfidence, Seat: 1}},
			{Kind: ActTake, Target: Target{Card: 99, Seat: 2}},
			{Kind: ActTake, Target: Target{Seat: 3}},
			{Kind: ActSpotlight, Target: Target{Seat: 1}},
			{Kind: ActSpotlight, Target: Target{Seat: -2}},
			{Kind: ActCloseEye, Target: Target{Seat: 2}},
			{Kind: ActCloseEye, Target: Target{Seat: 16}},
		},
		Hidden: gametest.Hidden[State]{Facts: facts, Possible: possible, Draws: 1000},
	})
}

// hostile actions are well-formed JSON and never legal.
func hostile() []string {
	return []string{
		`{"type":"nothing"}`, `{"type":"talk","say":"x"}`, `{"type":"talk","members":[0]}`, `{"type":"team"}`, `{"type":"team","members":[]}`,
		`{"type":"team","members":null}`, `{"type":"team","members":[0,0]}`, `{"type":"team","members":[0,10]}`,
		`{"type":"team","members":[-1,1]}`, `{"type":"team","members":[0,1,2,3,4,5,6,7,8,9]}`, `{"type":"team","members":["0","1"]}`,
		`{"type":"team","members":[0,1],"mission":0}`, `{"type":"team","members":[0,1],"mission":6}`,
		`{"type":"team","members":[0,1],"mission":null}`, `{"type":"team","members":[0,1],"mission":"1"}`, `{"type":"vote"}`,
		`{"type":"vote","approve":null}`, `{"type":"vote","approve":1}`, `{"type":"vote","approve":"true"}`,
		`{"type":"vote","success":true}`, `{"type":"vote","approve":true,"success":true}`, `{"type":"mission"}`,
		`{"type":"mission","success":null}`, `{"type":"mission","approve":true}`, `{"type":"Vote","approve":true}`,
		`{"type":"strong_leader"}`, `{"type":"strong_leader","play":null}`, `{"type":"strong_leader","play":true,"at":0}`,
		`{"type":"no_confidence","play":"yes"}`, `{"type":"no_confidence","approve":true}`, `{"type":"give"}`,
		`{"type":"give","card":"open_up"}`, `{"type":"give","to":1}`, `{"type":"give","card":"open_up","to":null}`,
		`{"type":"give","card":"open_up","to":10}`, `{"type":"give","card":"open_up","to":-1}`, `{"type":"give","card":"tea","to":1}`,
		`{"type":"give","card":"nothing","to":1}`, `{"type":"give","card":null,"to":1}`, `{"type":"give","card":"open_up","to":"1"}`,
		`{"type":"look"}`, `{"type":"look","at":null}`, `{"type":"look","at":10}`, `{"type":"look","to":1}`, `{"type":"show","to":null}`,
		`{"type":"show","at":1}`, `{"type":"take","from":1}`, `{"type":"take","card":"no_confidence"}`,
		`{"type":"take","from":null,"card":"no_confidence"}`, `{"type":"spotlight"}`, `{"type":"spotlight","at":-1}`,
		`{"type":"spotlight","at":10}`, `{"type":"spotlight","at":"0"}`, `{"type":"spotlight","play":false}`, `{"type":"close_eye"}`,
		`{"type":"close_eye","at":[1]}`, `{"type":"close_eye","at":99}`, `{"type":"close_eye","at":null,"play":false}`,
	}
}

// words are the texts of all facts, made once.
var words = func() (w struct {
	role [MaxSeats][2]string
	card [missions][MaxSeats][2]string
	deck [maxDeck][cardEnd]string
},
) {
	for seat := range MaxSeats {
		for i, moles := range []game.Seats{0, game.All} {
			w.role[seat][i] = fmt.Sprintf("seat %d is %s", seat, roleIn(moles, 0))
			for m := range missions {
				w.card[m][seat][i] = fmt.Sprintf("seat %d plays %s on mission %d", seat, resultWord(i == 1), m+1)
			}
		}
	}
	for i := range w.deck {
		for card := range w.deck[i] {
			w.deck[i][card] = fmt.Sprintf("place %d of the deck is %s", i, Card(card))
		}
	}
	return w
}()

func at(m game.Seats, seat game.Seat) int { return int(m >> seat & 1) }

// facts returns the hidden things of a state.
func facts(s *State) []string {
	out := make([]string, 0, 64)
	for seat := range s.seats().Each() {
		out = append(out, words.role[seat][at(s.Moles, seat)])
	}
	for i := range s.Missions {
		m := &s.Missions[i]
		for seat := range (m.Team | m.Open).Each() {
			out = append(out, words.card[i][seat][at(m.Failed, seat)])
		}
	}
	for i, card := range s.Deck[:s.DeckLen] {
		out = append(out, words.deck[i][card])
	}
	return out
}

// possible tries every set of moles and every set of failures against what the seat has seen, one by one. Every card left
// may lie in any place of the deck.
func possible(s *State, seat game.Seat) (out []string) {
	for i := range s.Deck[:s.DeckLen] {
		for _, card := range s.Deck[:s.DeckLen] {
			out = append(out, words.deck[i][card])
		}
	}
	for moles := game.Seats(0); moles <= s.seats(); moles++ {
		if moles.Len() == moleCount[s.Seats] && fits(s, seat, moles) {
			out = append(out, possibleCards(s, seat, moles)...)
		}
	}
	return out
}

// possibleCards tries every set of failures of these moles; none if one mission cannot have gone so.
func possibleCards(s *State, seat game.Seat, moles game.Seats) []string {
	out := make([]string, 0, 64)
	for other := range s.seats().Each() {
		out = append(out, words.role[other][at(moles, other)])
	}
	for i := range s.Missions {
		m := &s.Missions[i]
		seen := m.Open.With(seat)
		for _, p := range s.Plays[:s.PlayCount] {
			if p.Card == CloseEye && p.By == seat && int(p.Mission) == i+1 {
				seen = seen.With(p.At)
			}
		}
		some := false
		team := m.Team | m.Open
		for failed := team; ; failed = (failed - 1) & team { // every part of the team
			if failed&^moles == 0 && (failed.Len() == m.Failed.Len() || !m.Played) && (failed^m.Failed)&seen == 0 {
				some = true
				for other := range team.Each() {
					out = append(out, words.card[i][other][at(failed, other)])
				}
			}
			if failed == 0 {
				break
			}
		}
		if !some {
			return nil
		}
	}
	return out
}

// fits reports whether the seat could sit at a table with these moles.
func fits(s *State, seat game.Seat, moles game.Seats) bool {
	switch {
	case s.Phase == phaseOver:
		return moles == s.Moles
	case seat == game.Spectator:
		return true
	case s.Moles.Has(seat) && !s.Blind:
		return moles == s.Moles
	}
	for _, p := range s.Plays[:s.PlayCount] {
		shown := p.Card == EstablishConfidence || p.Card == OpenUp
		if p.Card == Overheard && p.By == seat && moles.Has(p.At) != s.Moles.Has(p.At) ||
			shown && p.At == seat && moles.Has(p.By) != s.Moles.Has(p.By) {
			return false
		}
	}
	return moles.Has(seat) == s.Moles.Has(seat)
}
