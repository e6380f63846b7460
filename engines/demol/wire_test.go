package demol

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// A change of behaviour or of the wire shows here; then raise the rules version.
func TestGoldenMatches(t *testing.T) {
	for _, row := range []struct {
		file string
		c    gametest.Case
	}{
		{"base-5-seats.jsonl", gametest.Case{Config: `{}`, Seats: 5}},
		{"targeting-7-seats-talk.jsonl", gametest.Case{Config: `{"targeting":true,"talk_rounds":1,"vote_talk_rounds":1}`, Seats: 7}},
		{"blind-10-seats.jsonl", gametest.Case{Config: `{"blind_moles":true}`, Seats: 10}},
		{"plot-6-seats.jsonl", gametest.Case{Config: `{"plot_cards":true}`, Seats: 6}},
		{"full-9-seats.jsonl", gametest.Case{Config: full, Seats: 9}},
	} {
		got, err := gametest.Record(game.Wrap(Rules{}), row.c, game.Seed{42})
		must.OK(t, err)
		gametest.Golden(t, row.file, got)
	}
}

// The view and the drawing of a moment, as they go out.
func TestGoldenView(t *testing.T) {
	d := open(t, Config{}, 5, 0, 0, 1)
	d.mission(0, 0)
	d.team(0, 0, 1, 2)
	view := Rules{}.View(&d.s, 0)
	text, err := json.MarshalIndent(view, "", " ")
	must.OK(t, err)
	gametest.Golden(t, "view.json", append(text, '\n'))
	gametest.Golden(t, "view.txt", []byte(Rules{}.Describe(view)))
	gametest.Golden(t, "view.svg", append(Rules{}.Draw(view, nil), '\n'))
}

// Before the first vote, and at each end.
func TestGoldenStartAndEnds(t *testing.T) {
	start := open(t, Config{}, 10, 0, 0, 1, 2, 3)
	agents, moles, rejected := open(t, Config{}, 5, 0, 0, 1), open(t, Config{}, 5, 0, 0, 1), open(t, Config{}, 5, 0, 0, 1)
	for range 3 {
		agents.mission(0)
		moles.mission(0, 0)
	}
	for range maxAttempts {
		rejected.team(0, 0, 1)
		rejected.vote()
	}
	var out bytes.Buffer
	for _, d := range []*desk{start, agents, moles, rejected} {
		view := Rules{}.View(&d.s, game.Spectator)
		out.WriteString(Rules{}.Describe(view) + "\n" + string(Rules{}.Draw(view, nil)) + "\n\n")
	}
	gametest.Golden(t, "start-and-ends.txt", out.Bytes())
}

// The same with plot cards: nine seats, two mission cards open, a window of Close Eye.
func TestGoldenPlotView(t *testing.T) {
	d := openDeck(t, Config{}, []Card{
		Overheard, OpinionMaker, CloseEye, NoConfidence, Spotlight, CloseEye, TakeResponsibility, Spotlight, StrongLeader,
	}, 9, 0, 1, 5, 8)
	d.give(Overheard, 4)
	d.look(5)
	d.give(OpinionMaker, 2)
	d.give(CloseEye, 4)
	d.send(0, 1, 3)
	d.cards(1)
	d.name(4, 1)
	d.give(NoConfidence, 7)
	d.give(Spotlight, 6)
	d.give(CloseEye, 4)
	d.send(0, 2, 3, 4)
	d.play(7, false)
	d.name(6, declined)
	d.cards()
	d.name(4, declined)
	d.give(TakeResponsibility, 6)
	d.take(7, NoConfidence)
	d.give(Spotlight, 6)
	d.give(StrongLeader, 5)
	d.send(1, 2, 3, 5)
	d.play(6, true)
	d.send(1, 2, 3, 5)
	d.name(6, 5)
	d.name(6, 2)
	d.cards(5)
	d.cards()
	view := Rules{}.View(&d.s, 4)
	text, err := json.MarshalIndent(view, "", " ")
	must.OK(t, err)
	gametest.Golden(t, "plot-view.json", append(text, '\n'))
	gametest.Golden(t, "plot-view.txt", []byte(Rules{}.Describe(view)))
	gametest.Golden(t, "plot-view.svg", append(Rules{}.Draw(view, nil), '\n'))
}

func TestErrorsSayWhatAndWhere(t *testing.T) {
	e := game.Wrap(Rules{})
	table, _, err := e.New(nil, 5, game.Seed{})
	must.OK(t, err)
	for _, row := range []struct{ action, want string }{
		{`{"type":"team","members":[0,1],"mission":null}`, "illegal_action: action: at /mission: must not be null"},
		{`{"type":"team"}`, "illegal_action: action: at /members: is missing"},
		{`{"type":"team","members":[0,0]}`, "illegal_action: action: at /members: seat 0 is named twice"},
		{`{"type":"tee"}`, `illegal_action: action: at /type: want one of talk, team, vote, mission, strong_leader, give, look, show, take, no_confidence, spotlight, close_eye, got "tee"`},
		{`{"type":"nothing"}`, `illegal_action: action: at /type: want one of talk, team, vote, mission, strong_leader, give, look, show, take, no_confidence, spotlight, close_eye, got "nothing"`},
		{`{"type":"vote","members":[1]}`, "illegal_action: action: at /members: does not belong to type vote; at /approve: is missing"},
		{`{"type":"team","members":[0,1],"mission":1}`, "illegal_action: mission: is chosen under targeting only, leave it out"},
		{`{"type":"team","members":[0]}`, "illegal_action: members: mission 1 wants 2 seats, got 1"},
		{`{"type":"team","members":[0,5]}`, "illegal_action: members: want seats 0 to 4, got [0,5]"},
		{`{"type":"team","members":[0,1],"mission":6}`, "illegal_action: action: at /mission: want 1 to 5"},
		{`{"type":"team","members":[0,1],"mission":0}`, "illegal_action: action: at /mission: want 1 to 5"},
		{`{"type":"team","members":[0,1],"mission":5}`, "illegal_action: mission: is chosen under targeting only, leave it out"},
		{`{"type":"give","card":"open_up","to":10}`, "illegal_action: action: at /to: want a seat 0 to 9, got 10"},
		{`{"type":"give","card":"open_up","to":-1}`, "illegal_action: action: at /to: want a seat 0 to 9, got -1"},
		{`{"type":"give","card":"open_up","to":9}`, "illegal_action: type: phase team asks for team, not give"},
		{`{"type":"give","card":"open_up","to":0}`, "illegal_action: type: phase team asks for team, not give"},
		{`{"type":"give","card":"nothing","to":1}`, `illegal_action: action: at /card: there is no card "nothing"`},
		{`{"type":"take","card":"open_up","from":11}`, "illegal_action: action: at /from: want a seat 0 to 9, got 11"},
		{`{"type":"look","at":10}`, "illegal_action: action: at /at: want a seat 0 to 9, got 10"},
		{`{"type":"look","at":null}`, "illegal_action: action: at /at: must not be null"},
		{`{"type":"spotlight","at":-1}`, "illegal_action: action: at /at: want a seat 0 to 9, got -1"},
		{`{"type":"vote","approve":true}`, "illegal_action: type: phase team asks for team, not vote"},
	} {
		err := table.Check(game.Turn{Seat: table.Due().Lowest(), Action: json.RawMessage(row.action)})
		if err == nil || err.Error() != row.want {
			t.Errorf("%s: got %v, want %s", row.action, err, row.want)
		}
	}
	for _, row := range []struct{ config, want string }{
		{`{"plot_cards":true,"plot_deck":{"joker":1}}`, `bad_config: plot_deck: there is no card "joker"`},
		{`{"plot_cards":true,"plot_deck":{"nothing":5,"open_up":5}}`, `bad_config: plot_deck: there is no card "nothing"`},
		{`{"plot_cards":true,"plot_deck":{"open_up":15,"spotlight":15,"close_eye":15,"opinion_maker":15,"no_confidence":1}}`, "bad_config: plot_deck: want 5 to 60 cards at 5 seats, got 61"},
		{`{"plot_cards":true,"plot_deck":{"open_up":16}}`, "bad_config: plot_deck: want 0 to 15 copies of open_up, got 16"},
		{`{"plot_cards":true,"plot_deck":{"open_up":-1}}`, "bad_config: plot_deck: want 0 to 15 copies of open_up, got -1"},
		{`{"plot_cards":true,"plot_deck":{"open_up":4}}`, "bad_config: plot_deck: want 5 to 60 cards at 5 seats, got 4"},
		{`{"plot_cards":true,"plot_deck":{"open_up":null}}`, "bad_config: config: at /plot_deck/open_up: must not be null"},
		{`{"plot_deck":{"spotlight":1}}`, "bad_config: plot_deck: must be null without plot_cards"},
		{`{"talk_rounds":10}`, "bad_config: talk_rounds: want 0 to 9, got 10"},
		{`{"vote_talk_rounds":-1}`, "bad_config: vote_talk_rounds: want 0 to 9, got -1"},
		{`{"pass_binds":"game"}`, `bad_config: pass_binds: want "opportunity" or "round", got "game"`},
		{`{"strong_leader_window":"x"}`, `bad_config: strong_leader_window: want "round" or "every_leader", got "x"`},
		{`{"targeting_last_needs":"x"}`, `bad_config: targeting_last_needs: want "two_played" or "two_successes", got "x"`},
		{`{"talk_rounds":null}`, "bad_config: config: at /talk_rounds: must not be null"},
		{`{"deck":1}`, "bad_config: config: at /deck: is not a known key"},
	} {
		if _, err := e.Configure(json.RawMessage(row.config), 5); err == nil || err.Error() != row.want {
			t.Errorf("%s: got %v, want %s", row.config, err, row.want)
		}
	}
}

// What is just allowed.
func TestTheEdgesOfTheConfiguration(t *testing.T) {
	for _, config := range []string{
		`{"talk_rounds":9,"vote_talk_rounds":9}`, `{"talk_rounds":0,"vote_talk_rounds":0}`,
		`{"plot_cards":true,"plot_deck":{"open_up":5,"spotlight":0}}`,
		`{"plot_cards":true,"plot_deck":{"open_up":15,"spotlight":15,"close_eye":15,"opinion_maker":15}}`,
	} {
		if _, err := game.Wrap(Rules{}).Configure(json.RawMessage(config), MinSeats); err != nil {
			t.Errorf("%s: %v", config, err)
		}
	}
}

func TestEveryKeyOfTheConfigurationIsThere(t *testing.T) {
	got, err := game.Wrap(Rules{}).Configure(json.RawMessage(`{"plot_deck":null,"strong_leader_window":"every_leader","pass_binds":"round"}`), 8)
	want := `{"plot_cards":false,"targeting":false,"targeting_last_needs":"two_played","blind_moles":false,` +
		`"strong_leader_window":"every_leader","pass_binds":"round","plot_deck":null,"talk_rounds":0,"vote_talk_rounds":0}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// Short lists of teams are complete, long ones become forms.
func TestTeamOffers(t *testing.T) {
	for _, row := range []struct {
		name   string
		c      Config
		seats  int
		rounds int
		list   int
		forms  int
	}{
		{"5 seats, mission 1", Config{}, 5, 0, 10, 0},
		{"9 seats, mission 2: 126 teams", Config{}, 9, 1, 126, 0},
		{"10 seats, mission 1: 120 teams", Config{}, 10, 0, 120, 0},
		{"10 seats, mission 2: 210 teams", Config{}, 10, 1, 0, 1},
		{"5 seats, targeting: four missions of 10", Config{Targeting: true}, 5, 0, 40, 0},
		{"6 seats, targeting: 15+20+15+20", Config{Targeting: true}, 6, 0, 70, 0},
		{"7 seats, targeting: 21+35+35+35 is the limit", Config{Targeting: true}, 7, 0, 126, 0},
		{"8 seats, targeting", Config{Targeting: true}, 8, 0, 0, 4},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := open(t, row.c, row.seats, 0, slicesOf(row.seats)...)
			for range row.rounds {
				d.mission(0)
			}
			var o game.Offer[Action]
			Rules{}.Offer(&d.s, d.s.Leader, &o)
			if len(o.List) != row.list || len(o.Forms) != row.forms || len(o.Examples) != row.forms {
				t.Errorf("got a list of %d, %d forms and %d examples, want %d, %d and %d", len(o.List), len(o.Forms), len(o.Examples), row.list, row.forms, row.forms)
			}
		})
	}
}

// slicesOf returns the first seats as moles, as many as the table has.
func slicesOf(seats int) (out []game.Seat) {
	for seat := range game.FirstSeats(moleCount[seats]).Each() {
		out = append(out, seat)
	}
	return out
}

// What holds at every moment of every match, whatever the configuration.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seats := rapid.IntRange(MinSeats, MaxSeats).Draw(t, "seats")
		c := anyConfig(t, seats)
		r := game.Stream(game.Seed{rapid.Byte().Draw(t, "seed")}, 0, "play")
		var s State
		Rules{}.Deal(&s, c, seats, r, nil)
		sim := game.Sim[Config, State, Action, View, Event]{Rules: Rules{}}
		for {
			checkInvariants(t, &s)
			checkCards(t, &s, c)
			var guess State
			seat := game.Seat(r.IntN(seats+1)) - 1
			if err := (Rules{}).StateFromView(c, seats, seat, Rules{}.View(&s, seat), &guess, r); err != nil {
				t.Fatalf("seat %d cannot guess: %v", seat, err)
			}
			due := Rules{}.Due(&s)
			if due == 0 {
				return
			}
			sim.Step(&s, due, r)
		}
	})
}

// anyConfig draws a configuration, with a deck of its own every other time.
func anyConfig(t *rapid.T, seats int) Config {
	c := Rules{}.Defaults()
	c.Targeting = rapid.Bool().Draw(t, "targeting")
	c.BlindMoles = rapid.Bool().Draw(t, "blind")
	c.TalkRounds = rapid.IntRange(0, 2).Draw(t, "talk")
	c.VoteTalkRounds = rapid.IntRange(0, 2).Draw(t, "vote talk")
	c.PlotCards = rapid.Bool().Draw(t, "plot")
	c.StrongLeaderWindow = rapid.SampledFrom([]string{everyRound, everyLeader}).Draw(t, "window")
	c.PassBinds = rapid.SampledFrom([]string{opportunity, everyRound}).Draw(t, "pass")
	if c.PlotCards && rapid.Bool().Draw(t, "own deck") {
		deck := map[string]int{}
		for _, card := range rapid.SliceOfN(rapid.IntRange(1, int(cardEnd)-1), missions*cardsPerRound[seats], 20).Draw(t, "deck") {
			deck[Card(card).String()] = min(deck[Card(card).String()]+1, maxCopies)
		}
		if c.PlotDeck = &deck; (Rules{}).Validate(c, seats) != nil {
			c.PlotDeck = nil // too many of one kind
		}
	}
	return c
}

// checkCards counts every plot card once: in the deck, drawn, being resolved, held or played.
func checkCards(t *rapid.T, s *State, c Config) {
	left := c.deck(int(s.Seats))
	for _, card := range s.Deck {
		left[card]--
	}
	for _, card := range s.Drawn {
		left[card]--
	}
	for _, hand := range s.Held {
		for card, copies := range hand {
			left[card] -= copies
		}
	}
	for _, p := range s.Plays {
		left[p.Card]--
	}
	left[s.Card]--
	left[NoCard] = 0
	if left != [cardEnd]int8{} {
		t.Fatalf("cards not accounted for: %v", left)
	}
	for seat, hand := range s.Held {
		if hand[Overheard]+hand[EstablishConfidence]+hand[OpenUp]+hand[TakeResponsibility] > 0 {
			t.Fatalf("seat %d keeps a card that takes effect at once: %v", seat, hand)
		}
	}
}

func checkInvariants(t *rapid.T, s *State) {
	successes, fails := s.score()
	over := s.Phase == phaseOver
	switch {
	case s.Moles.Len() != moleCount[s.Seats]:
		t.Fatalf("%d moles at %d seats", s.Moles.Len(), s.Seats)
	case !over && int(s.Round) != successes+fails+1:
		t.Fatalf("round %d after %d missions", s.Round, successes+fails)
	case s.Attempt < 1 || s.Attempt > maxAttempts:
		t.Fatalf("attempt %d", s.Attempt)
	case over != (successes == scoreToWin || fails == scoreToWin || s.Why == fiveRejections && over):
		t.Fatalf("over %v at %d to %d", over, successes, fails)
	case (s.Team != 0) != (s.Phase > phaseTeam && s.Phase < phaseOver):
		t.Fatalf("team %b in phase %s", s.Team, s.Phase)
	case !over && Rules{}.Due(s) == 0:
		t.Fatalf("nobody is due in phase %s", s.Phase)
	}
	for i, m := range s.Missions {
		if m.Failed&^(s.Moles&(m.Team|m.Open)) != 0 {
			t.Fatalf("mission %d: %b failed, of team %b with moles %b", i+1, m.Failed, m.Team, s.Moles)
		}
		if down := m.Team.Len() == s.size(int8(i+1)); down != (m.Played || s.Phase == phaseCloseEye && int(s.Mission) == i+1) {
			t.Fatalf("mission %d: played %v by %b in phase %s", i+1, m.Played, m.Team, s.Phase)
		}
	}
	for i := 1; i < int(s.VoteCount); i++ {
		before, now := &s.Votes[i-1], &s.Votes[i]
		if now.Leader != (before.Leader+1)%game.Seat(s.Seats) && !strongLed(s, now) {
			t.Fatalf("leader %d follows %d", now.Leader, before.Leader)
		}
	}
}

// strongLed reports whether the leader of a vote had played a Strong Leader.
func strongLed(s *State, v *vote) bool {
	for _, p := range s.Plays[:s.PlayCount] {
		if p.Card == StrongLeader && p.Round == v.Round && p.By == v.Leader && (p.Attempt == v.Attempt || !s.EveryLeader) {
			return true
		}
	}
	return false
}

// full is the variant of that name.
const full = `{"plot_cards":true,"targeting":true,"blind_moles":true}`

func FuzzAction(f *testing.F) {
	gametest.FuzzAction(f, Rules{}, []gametest.Case{{Config: `{}`, Seats: 5}, {Config: full, Seats: 9}}, append(hostile(), `{"type":"talk"}`,
		`{"type":"strong_leader","play":true}`, `{"type":"give","card":"open_up","to":3}`, `{"type":"look","at":4}`, `{"type":"show","to":2}`,
		`{"type":"take","from":1,"card":"no_confidence"}`, `{"type":"spotlight","at":2}`, `{"type":"close_eye","at":null}`, `{"type":"team","members":[2,0]}`,
		`{"type":"team","mission":5,"members":[1]}`, `{"type":"vote","approve":false}`, `{"type":"mission","success":true}`)...)
}

func FuzzConfig(f *testing.F) {
	gametest.FuzzConfig(f, game.Wrap(Rules{}), `{}`, `{"targeting":true,"blind_moles":true}`, `{"plot_deck":null,"talk_rounds":9}`, `{"plot_cards":true}`, `[]`,
		`{"plot_cards":true,"plot_deck":{"spotlight":15,"open_up":0}}`, `{"pass_binds":"round"}`)
}

func FuzzStateFromView(f *testing.F) {
	gametest.FuzzStateFromView(f, Rules{}, gametest.Case{Config: `{}`, Seats: 5}, gametest.Case{Config: full, Seats: 7})
}

func FuzzSnapshot(f *testing.F) {
	gametest.FuzzSnapshot(f, game.Wrap(Rules{}), gametest.Case{Config: `{}`, Seats: 5}, gametest.Case{Config: full, Seats: 9})
}

func BenchmarkResample(b *testing.B) {
	gametest.BenchmarkResample(b, Rules{}, gametest.Case{Config: `{}`, Seats: 10}, 4)
}

func BenchmarkPlayout(b *testing.B) {
	for _, c := range []gametest.Case{
		{Config: `{}`, Seats: 5}, {Config: `{}`, Seats: 10}, {Config: `{"targeting":true}`, Seats: 10}, {Config: full, Seats: 5}, {Config: full, Seats: 10},
	} {
		b.Run(c.String(), func(b *testing.B) { gametest.BenchmarkPlayout(b, Rules{}, c) })
	}
}

func BenchmarkAsk(b *testing.B) {
	for _, c := range []gametest.Case{
		{Config: `{}`, Seats: 5},
		{Config: `{}`, Seats: 9},
		{Config: `{"targeting":true}`, Seats: 10},
		{Config: `{"plot_cards":true}`, Seats: 9},
		{Config: full, Seats: 7},
		{Config: full, Seats: 10},
	} {
		b.Run(c.String(), func(b *testing.B) { gametest.BenchmarkAsk(b, game.Wrap(Rules{}), c) })
	}
}

func BenchmarkGuess(b *testing.B) {
	var s, guess State
	r := game.Stream(game.Seed{1}, 0, "bench")
	c := Rules{}.Defaults()
	c.PlotCards, c.Targeting, c.BlindMoles = true, true, true
	Rules{}.Deal(&s, c, 10, r, nil)
	sim := game.Sim[Config, State, Action, View, Event]{Rules: Rules{}}
	for s.Round < 3 {
		sim.Step(&s, Rules{}.Due(&s), r)
	}
	view := Rules{}.View(&s, 0)
	b.ReportAllocs()
	for b.Loop() {
		must.OK(b, (Rules{}).StateFromView(c, 10, 0, view, &guess, r))
	}
}
