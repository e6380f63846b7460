package game_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

func TestEventsAreToldToTheirAudience(t *testing.T) {
	_, events, err := game.Wrap(toy{}).New(nil, 2, game.Seed{1})
	must.OK(t, err)
	want := `[{"for":[0],"kind":"card","seat":0,"card":7},{"for":[1],"kind":"card","seat":1,"card":9},{"for":"all","kind":"begin","seat":0}]`
	if got := text(events); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, row := range []struct {
		event int
		seat  game.Seat
		want  bool
	}{{0, 0, true}, {0, 1, false}, {0, game.Spectator, false}, {1, 1, true}, {2, 0, true}, {2, 3, true}, {2, game.Spectator, true}} {
		if got := events[row.event].VisibleTo(row.seat); got != row.want {
			t.Errorf("event %d, seat %d: got %v, want %v", row.event, row.seat, got, row.want)
		}
	}
}

func TestAnEventWithoutFactsIsStillAnObject(t *testing.T) {
	if got := text(game.Event{For: game.Only(2), Data: []byte(`{}`)}); got != `{"for":[2]}` {
		t.Errorf("got %s", got)
	}
}

// TestApplyIsAllOrNothing: a refused step changes neither state nor step number, and a good one may follow.
func TestApplyIsAllOrNothing(t *testing.T) {
	for _, row := range []struct {
		name  string
		turns []game.Turn
		want  error
		text  string
	}{
		{"nobody", nil, game.ErrSeats, "the seats due are [0,1,2]"},
		{"one of three", []game.Turn{name(1, 1)}, game.ErrSeats, "the seats due are [0,1,2]"},
		{"one seat twice", []game.Turn{name(0, 1), name(1, 1), name(1, 2)}, game.ErrSeats, "seat 1 is given twice"},
		{"one seat twice beside all", []game.Turn{name(0, 1), name(1, 1), name(2, 2), name(0, 1)}, game.ErrSeats, "seat 0 is given twice"},
		{"a seat too high", []game.Turn{name(0, 1), name(1, 1), name(3, 1)}, game.ErrSeats, "there is no seat 3 at a table of 3"},
		{"the spectator", []game.Turn{name(-1, 1), name(1, 1), name(2, 1)}, game.ErrSeats, "there is no seat -1"},
		{"the last action is illegal", []game.Turn{name(0, 1), name(1, 1), name(2, 10)}, game.ErrIllegal, "name: want 1 to 9, got 10"},
		{"the last action is malformed", []game.Turn{name(0, 1), name(1, 1), {Seat: 2, Action: []byte(`{"name":1,"x":2}`)}}, game.ErrIllegal, "at /x: is not a known key"},
		{"an action is null", []game.Turn{name(0, 1), name(1, 1), {Seat: 2, Action: []byte(`null`)}}, game.ErrIllegal, "must not be null"},
		{"an action is missing", []game.Turn{name(0, 1), name(1, 1), {Seat: 2}}, game.ErrIllegal, "ends too early"},
		{"the last words are too long", []game.Turn{name(0, 1), name(1, 1), {Seat: 2, Action: []byte(`{"name":1}`), Say: strings.Repeat("x", 501)}}, game.ErrSay, "501 bytes, at most 500"},
	} {
		table := newToy(t, toy{talk: true}, 3)
		before, snapshot := table.Hash(), string(table.Snapshot())
		turns := slices.Clone(row.turns)
		events, err := table.Apply(row.turns)
		if !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.text) || events != nil {
			t.Errorf("%s: got %v, %v; want %v with %q", row.name, events, err, row.want, row.text)
		}
		if table.Hash() != before || string(table.Snapshot()) != snapshot || table.Step() != 0 {
			t.Errorf("%s: the refused step changed the table", row.name)
		}
		if text(turns) != text(row.turns) {
			t.Errorf("%s: Apply reordered its argument", row.name)
		}
		if _, err := table.Apply([]game.Turn{name(2, 1), name(0, 1), name(1, 1)}); err != nil || table.Step() != 1 {
			t.Errorf("%s: the good step after it: %v, step %d", row.name, err, table.Step())
		}
	}
}

func TestTheOrderOfTurnsDoesNotMatter(t *testing.T) {
	a, b := newToy(t, toy{talk: true}, 3), newToy(t, toy{talk: true}, 3)
	said := name(2, 3)
	said.Say = "hm"
	ea, errA := a.Apply([]game.Turn{name(0, 1), name(1, 2), said})
	eb, errB := b.Apply([]game.Turn{said, name(1, 2), name(0, 1)})
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if a.Hash() != b.Hash() {
		t.Error("the states differ")
	}
	if text(ea) != text(eb) {
		t.Errorf("the events differ:\n%s\n%s", text(ea), text(eb))
	}
}

func TestWordsBecomePublicEventsBeforeTheStep(t *testing.T) {
	table := newToy(t, toy{talk: true}, 2)
	loud := name(1, 1)
	loud.Say = `seat "0" <lies> é`
	events, err := table.Apply([]game.Turn{loud, name(0, 2)})
	must.OK(t, err)
	want := `{"for":"all","kind":"say","seat":1,"text":"seat \"0\" \u003clies\u003e é"}`
	if got := text(events[0]); got != want || len(events) != 3 {
		t.Errorf("got %s of %d events, want %s of 3", got, len(events), want)
	}
}

func TestWordsAreCheckedBeforeTheyAreHeard(t *testing.T) {
	for _, row := range []struct {
		name string
		talk bool
		say  string
		want string
	}{
		{"none", false, "", ""},
		{"none where talk is allowed", true, "", ""},
		{"some", true, "hello", ""},
		{"500 bytes", true, strings.Repeat("é", 250), ""},
		{"502 bytes", true, strings.Repeat("é", 251), "502 bytes, at most 500"},
		{"no text", true, "a\xff", "not valid UTF-8"},
		{"where the game forbids them", false, "hello", "toy has no table talk"},
	} {
		turn := name(0, 1)
		turn.Say = row.say
		table := newToy(t, toy{talk: row.talk}, 2)
		err := table.Check(turn)
		_, applied := table.Apply([]game.Turn{turn, name(1, 1)})
		if row.want == "" && (err != nil || applied != nil) {
			t.Errorf("%s: got %v, %v; want them heard", row.name, err, applied)
		}
		if row.want != "" && (!errors.Is(err, game.ErrSay) || !errors.Is(applied, game.ErrSay) || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: got %v, %v; want bad_say with %q", row.name, err, applied, row.want)
		}
	}
}

func TestOffersDoNotShareTheirMemory(t *testing.T) {
	table := newToy(t, toy{}, 2)
	first := table.Offer(0)
	want := string(first)
	_ = table.Offer(1)
	if string(first) != want || want != `{"list":[{"name":1},{"name":2},{"name":3},{"name":4},{"name":5},{"name":6},{"name":7},{"name":8},{"name":9}]}` {
		t.Errorf("got %s", first)
	}
}

func TestLookingDoesNotChangeTheLuckToCome(t *testing.T) {
	looked, blind := newToy(t, guessing{}.toy, 2), newToy(t, guessing{}.toy, 2)
	_, _, _, _ = looked.House(0), looked.View(1), looked.Offer(0), looked.Resample(0, game.Seed{9})
	_ = looked.Check(name(0, 3))
	for _, table := range []game.Table{looked, blind} {
		_, err := table.Apply([]game.Turn{name(0, 1), name(1, 1)})
		must.OK(t, err)
	}
	if looked.Hash() != blind.Hash() {
		t.Error("looking changed the match")
	}
}

func TestAResampledTwinKeepsWhatTheSeatKnowsAndHasItsOwnLuck(t *testing.T) {
	table := newToy(t, toy{}, 3)
	before := table.Hash()
	cards := map[string]bool{}
	for k := range 40 {
		twin := table.Resample(1, game.Seed{byte(k)})
		if string(twin.View(1)) != string(table.View(1)) || twin.Step() != table.Step() {
			t.Fatalf("twin: seat 1 sees %s, want %s", twin.View(1), table.View(1))
		}
		cards[string(twin.View(0))+string(twin.View(2))] = true
		_, err := twin.Apply([]game.Turn{name(0, 1), name(1, 1), name(2, 1)})
		must.OK(t, err)
	}
	if len(cards) < 20 || table.Hash() != before {
		t.Errorf("40 twins: got %d hands of the others, want many; the table must stay as it was", len(cards))
	}
	a, b := table.Resample(1, game.Seed{1}), table.Resample(1, game.Seed{2})
	for _, twin := range []game.Table{a, b} {
		_, err := twin.Apply([]game.Turn{name(0, 1), name(1, 1), name(2, 1)})
		must.OK(t, err)
	}
	if string(a.Reveal()) == string(b.Reveal()) {
		t.Error("two twins had the same luck")
	}
}

func TestOptionalAbilitiesAreSaidToBeMissing(t *testing.T) {
	e := game.Wrap(toy{})
	table := newToy(t, toy{}, 2)
	_, drawn := table.Draw(0, nil)
	_, described := table.Describe(0)
	_, guessed := e.StateFromView(nil, 2, 0, []byte(`{"score":[0,0]}`), game.Seed{})
	for what, err := range map[string]error{"draw": drawn, "describe": described, "guess": guessed} {
		if !errors.Is(err, game.ErrUnsupported) {
			t.Errorf("%s: got %v, want not_supported", what, err)
		}
	}
	if e.Schemas() != nil {
		t.Error("schemas of a game without any")
	}
}

func TestAGuessTakesTheViewStrictly(t *testing.T) {
	e := game.Wrap(guessing{})
	for _, row := range []struct {
		seat       game.Seat
		seats      int
		config     string
		view, want string
		is         error
	}{
		{0, 2, ``, `{"card":12,"score":[0,0]}`, "card: want 1 to 9", game.ErrView},
		{0, 2, ``, `{"card":1}`, "at /score: is missing", game.ErrView},
		{0, 2, ``, `{"card":1,"score":[0],"luck":1}`, "at /luck: is not a known key", game.ErrView},
		{0, 2, ``, ``, "ends too early", game.ErrView},
		{2, 2, ``, `{"score":[]}`, "there is no seat 2 at a table of 2", game.ErrSeats},
		{-2, 2, ``, `{"score":[]}`, "there is no seat -2", game.ErrSeats},
		{0, 9, ``, `{"score":[]}`, "seats: want 2 to 4", game.ErrConfig},
		{0, 2, `{"rounds":0}`, `{"score":[]}`, "rounds: want 1 to 9", game.ErrConfig},
	} {
		if _, err := e.StateFromView([]byte(row.config), row.seats, row.seat, []byte(row.view), game.Seed{}); !errors.Is(err, row.is) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: got %v", row, err)
		}
	}
	table, err := e.StateFromView(nil, 2, 1, []byte(`{"card":7,"score":[0,0]}`), game.Seed{})
	must.OK(t, err)
	if got, want := string(table.View(1)), `{"card":7,"score":[0,0]}`; got != want {
		t.Errorf("a guess shows %s, want %s", got, want)
	}
	if table.Step() != 0 || table.Due() != 3 {
		t.Errorf("a guess is at step %d and asks seats %s, want 0 and both", table.Step(), table.Due().Words())
	}
	svg, err := table.Draw(1, nil)
	words, err2 := table.Describe(1)
	if string(svg) != "<svg>7</svg>" || err != nil {
		t.Errorf("the drawing: got %s, %v", svg, err)
	}
	if words != "card 7" || err2 != nil {
		t.Errorf("the description: got %s, %v", words, err2)
	}
	if got := e.Schemas()["view"]; got != "{}" {
		t.Errorf("the schema: got %s", got)
	}
}

// loose has a state that is no plain data.
type (
	loose      struct{ toy }
	looseState struct{ List []int }
)

func (loose) Deal(*looseState, toyConfig, int, *game.Rand, *game.Log[toyEvent])         {}
func (loose) Due(*looseState) game.Seats                                                { return 0 }
func (loose) View(*looseState, game.Seat) (v toyView)                                   { return v }
func (loose) Offer(*looseState, game.Seat, *game.Offer[toyAction])                      {}
func (loose) Legal(*looseState, game.Seat, toyAction) error                             { return nil }
func (loose) MaxSteps(toyConfig, int) (int, string)                                     { return 1, "" }
func (loose) Sample(*looseState, game.Seat, *game.Rand) (a toyAction)                   { return a }
func (loose) Apply(*looseState, []game.Act[toyAction], *game.Rand, *game.Log[toyEvent]) {}
func (loose) Result(*looseState) (r game.Result)                                        { return r }
func (loose) Resample(*looseState, game.Seat, *game.Rand)                               {}
func TestAStateThatIsNoPlainDataIsABug(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), "toy is not plain data") {
			t.Errorf("got %v, want a panic that names the game", p)
		}
	}()
	game.Wrap(loose{})
}

func TestErrorsHaveStableCodes(t *testing.T) {
	table := newToy(t, toy{}, 2)
	_, restored := game.Wrap(toy{}).Restore(nil)
	_, seed := game.ParseSeed("12")
	for _, row := range []struct {
		err          error
		code, detail string
	}{
		{table.Check(name(0, 10)), "illegal_action", "name: want 1 to 9, got 10"},
		{table.Check(name(7, 1)), "wrong_seats", "there is no seat 7 at a table of 2"},
		{restored, "bad_snapshot", "it is too short"},
		{seed, "bad_seed", "want 64 hex digits, got 2 characters"},
		{errors.New("disk full"), "internal", "disk full"},
	} {
		if code, detail := game.Code(row.err); code != row.code || detail != row.detail {
			t.Errorf("%v: got %q, %q; want %q, %q", row.err, code, detail, row.code, row.detail)
		}
	}
}

func TestASimPlaysToTheEndAndCountsDecisions(t *testing.T) {
	sim := game.Sim[toyConfig, toyState, toyAction, toyView, toyEvent]{Rules: toy{}}
	var s toyState
	toy{}.Deal(&s, toyConfig{Rounds: 3}, 4, game.Stream(game.Seed{}, 0, "deal"), nil)
	if got := sim.Playout(&s, game.Stream(game.Seed{}, 0, "sim")); got != 3*4+1 || (toy{}).Due(&s) != 0 {
		t.Errorf("decisions: got %d, want 13, and nobody due", got)
	}
}

func TestAWalkIsAMatchWithoutItsTypes(t *testing.T) {
	engine := game.Wrap(toy{})
	walk, err := engine.Playout(json.RawMessage(`{"rounds":3}`), 4)
	must.OK(t, err)
	r := game.Stream(game.Seed{}, 0, "walk")
	for range 2 { // a walk may be dealt again
		walk.Deal(r)
		moves, steps := 0, 0
		for n := walk.Step(r); n > 0; n = walk.Step(r) {
			moves += n
			steps++
		}
		if moves != 3*4+1 || steps != 4 || walk.Step(r) != 0 {
			t.Errorf("decisions: got %d in %d steps; want 13 in 4, then no more", moves, steps)
		}
	}
	walk.Deal(r)
	again, err := engine.Playout(json.RawMessage(`{"rounds":1}`), 2)
	must.OK(t, err)
	again.Set(walk)
	if kind := again.Kind(r); kind != "" {
		t.Errorf("an action without a type: got kind %q", kind)
	}
	for n := again.Step(r); n > 0; n = again.Step(r) {
		if n != 4 && n != 1 {
			t.Errorf("a copy of a match of four: %d decide", n)
		}
	}
	if n := walk.Step(r); n != 4 {
		t.Errorf("after its copy was played to the end: %d decide, want 4", n)
	}
	if _, err := engine.Playout(json.RawMessage(`{"rounds":3}`), 17); !errors.Is(err, game.ErrConfig) {
		t.Errorf("17 seats: got %v, want %v", err, game.ErrConfig)
	}
}
