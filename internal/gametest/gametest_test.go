package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// The game of these tests: two seats hold a secret card 0–2 each and bid 0–2 at once, three times; the higher sum wins.
type toyConfig struct {
	Bids int8 `json:"bids"`
}
type toyState struct {
	Cards, Sums [2]int8
	Left        int8
}
type toyAction struct {
	Type string `json:"type"`
	N    int8   `json:"n"`
}
type toyView struct {
	Left int8    `json:"left"`
	Sums [2]int8 `json:"sums"`
	Card *int8   `json:"card,omitempty"`
}
type toyEvent struct {
	Kind string  `json:"kind"`
	Sums [2]int8 `json:"sums"`
}
type toy struct{}

type toyRules = game.Rules[toyConfig, toyState, toyAction, toyView, toyEvent]

func (toy) Info() game.Info {
	return game.Info{ID: "toy", Version: 1, MinSeats: 2, MaxSeats: 2, Variants: []game.Variant{{Name: "base", Config: `{}`}}}
}
func (toy) Defaults() toyConfig { return toyConfig{3} }
func (toy) Validate(c toyConfig, seats int) error {
	if seats != 2 || c.Bids < 1 || c.Bids > 9 {
		return errors.New("bids: want 1 to 9 at 2 seats")
	}
	return nil
}

func (toy) Deal(s *toyState, c toyConfig, _ int, r *game.Rand, _ *game.Log[toyEvent]) {
	*s = toyState{Left: c.Bids}
	s.Cards = [2]int8{int8(r.IntN(3)), int8(r.IntN(3))}
}

func (toy) Due(s *toyState) game.Seats {
	if s.Left == 0 {
		return 0
	}
	return 3
}

func (toy) View(s *toyState, seat game.Seat) toyView {
	v := toyView{Left: s.Left, Sums: s.Sums}
	if seat >= 0 {
		card := s.Cards[seat]
		v.Card = &card
	}
	return v
}

func (toy) Offer(_ *toyState, _ game.Seat, o *game.Offer[toyAction]) {
	low, high := 0, 2
	o.Forms = append(o.Forms, game.Form{Type: "bid", Fields: []game.Field{{Name: "n", Min: &low, Max: &high}}})
	o.Examples = append(o.Examples, toyAction{"bid", 0})
}

func (toy) Legal(_ *toyState, _ game.Seat, a toyAction) error {
	if a.Type != "bid" || a.N < 0 || a.N > 2 {
		return errors.New("n: want a bid of 0 to 2")
	}
	return nil
}

func (toy) MaxSteps(c toyConfig, _ int) (int, string) { return 2 * int(c.Bids), "bids" }

func (toy) Sample(_ *toyState, _ game.Seat, r *game.Rand) toyAction {
	return toyAction{"bid", int8(r.IntN(3))}
}

func (toy) Apply(s *toyState, acts []game.Act[toyAction], _ *game.Rand, log *game.Log[toyEvent]) {
	for _, a := range acts {
		s.Sums[a.Seat] += a.Action.N
	}
	s.Left--
	log.Emit(game.All, toyEvent{"bids", s.Sums})
}

func (toy) Result(s *toyState) game.Result {
	out := game.Result{Rank: []int{1, 1}, Points: []float64{0, 0}, Why: "sums"}
	if s.Sums[0] != s.Sums[1] {
		out.Rank[map[bool]int{true: 1, false: 0}[s.Sums[0] > s.Sums[1]]] = 2
	}
	return out
}

func (toy) Resample(s *toyState, seat game.Seat, r *game.Rand) {
	for i := range s.Cards {
		if game.Seat(i) != seat {
			s.Cards[i] = int8(r.IntN(3))
		}
	}
}

func (toy) Schemas() map[string]string {
	object := func(keys string) string {
		return `{"type":"object","additionalProperties":false,"properties":{` + keys + `}}`
	}
	sums := `"sums":{"type":"array","items":{"type":"integer"}}`
	return map[string]string{
		"config": object(`"bids":{"type":"integer"}`),
		"action": object(`"type":{"const":"bid"},"n":{"type":"integer","minimum":0,"maximum":2}`),
		"view":   object(`"left":{"type":"integer"},"card":{"type":"integer"},` + sums),
		"event":  object(`"kind":{"const":"bids"},` + sums),
	}
}

func toyFacts(s *toyState) []string {
	return []string{fmt.Sprint("seat 0 holds ", s.Cards[0]), fmt.Sprint("seat 1 holds ", s.Cards[1])}
}

func toyPossible(s *toyState, seat game.Seat) (out []string) {
	for i := range 2 {
		for card := range int8(3) {
			if game.Seat(i) != seat || card == s.Cards[i] {
				out = append(out, fmt.Sprintf("seat %d holds %d", i, card))
			}
		}
	}
	return out
}

func TestAGoodGameKeepsAllLaws(t *testing.T) {
	Run(t, toyRules(toy{}), Cases[toyState, toyAction]{
		MaxSteps: 9, List: []Case{{`{}`, 2}, {`{"bids":9}`, 2}}, Hidden: Hidden[toyState]{Facts: toyFacts, Possible: toyPossible},
	})
}

// The broken games: each breaks one law.
type (
	impure     struct{ toy } // luck from outside
	lookWrites struct{ toy }
	badOffer   struct{ toy }
	badExample struct{ toy }
	badHouse   struct{ toy }
	nothing    struct{ toy } // offers nothing to a due seat
	takesAll   struct{ toy }
	legalMoves struct{ toy }
	endless    struct{ toy }
	longer     struct{ toy }
	badResult  struct{ toy }
	badTeam    struct{ toy }
	badSchema  struct{ toy }
	openSchema struct{ toy }
	anyTable   struct{ toy }
	noKind     struct{ toy }
	forgets    struct{ toy }      // guesses all but the sums
	hidesDeal  struct{ toy }      // says that its deal may be shared
	luckyDeal  struct{ toyRules } // so does this; without Resample it hides nothing
)

var outside int8 // what a game must not have

func (impure) Deal(s *toyState, c toyConfig, n int, r *game.Rand, log *game.Log[toyEvent]) {
	toy{}.Deal(s, c, n, r, log)
	outside++
	s.Cards[0] = outside % 3
}

func (lookWrites) View(s *toyState, seat game.Seat) toyView {
	s.Cards[1] = (s.Cards[1] + 1) % 3
	return toy{}.View(s, seat)
}

func (badOffer) Offer(_ *toyState, _ game.Seat, o *game.Offer[toyAction]) { o.Add(toyAction{"bid", 7}) }

func (badExample) Offer(s *toyState, seat game.Seat, o *game.Offer[toyAction]) {
	toy{}.Offer(s, seat, o)
	o.Examples[0].N = 3
}
func (badHouse) Sample(*toyState, game.Seat, *game.Rand) toyAction { return toyAction{"bid", 3} }
func (nothing) Offer(*toyState, game.Seat, *game.Offer[toyAction]) {}
func (takesAll) Legal(*toyState, game.Seat, toyAction) error       { return nil }
func (legalMoves) Legal(s *toyState, seat game.Seat, a toyAction) error {
	s.Sums[1]++
	return toy{}.Legal(s, seat, a)
}

func (longer) MaxSteps(toyConfig, int) (int, string) { return 1, "bids" }

func (endless) MaxSteps(toyConfig, int) (int, string) { return game.Endless, "bids" }

func (endless) Apply(*toyState, []game.Act[toyAction], *game.Rand, *game.Log[toyEvent]) {
}

func (badResult) Result(*toyState) game.Result {
	return game.Result{Rank: []int{2, 2}, Points: []float64{0, 0}, Why: "x"}
}

func (badTeam) Result(*toyState) game.Result {
	return game.Result{Rank: []int{1, 2}, Points: []float64{0, 0}, Team: []string{"a", "a"}, Why: "x"}
}

func (badSchema) Schemas() map[string]string {
	all := toy{}.Schemas()
	all["view"] = strings.Replace(all["view"], `"card"`, `"cord"`, 1)
	return all
}

func (openSchema) Schemas() map[string]string {
	all := toy{}.Schemas()
	all["action"] = `{}`
	return all
}
func (anyTable) Validate(toyConfig, int) error { return nil }
func (noKind) Apply(s *toyState, acts []game.Act[toyAction], r *game.Rand, log *game.Log[toyEvent]) {
	toy{}.Apply(s, acts, r, log)
	if log.Enabled() {
		log.Notes[0].Event.Kind = ""
	}
}

func (forgets) StateFromView(_ toyConfig, _ int, seat game.Seat, v toyView, s *toyState, _ *game.Rand) error {
	*s = toyState{Left: v.Left}
	if seat >= 0 {
		s.Cards[seat] = *v.Card
	}
	return nil
}

func (hidesDeal) Info() game.Info {
	info := toy{}.Info()
	info.OneDeal = true
	return info
}

func (luckyDeal) Info() game.Info { return hidesDeal{}.Info() }

func (luckyDeal) Apply(s *toyState, acts []game.Act[toyAction], r *game.Rand, log *game.Log[toyEvent]) {
	toy{}.Apply(s, acts, r, log)
	s.Sums[0] += int8(r.IntN(100))
}

func TestABrokenGameBreaksItsLaw(t *testing.T) {
	for _, row := range []struct {
		name  string
		r     toyRules
		law   string
		words string
	}{
		{"luck from outside", impure{}, "same seed", "differ"},
		{"a view that writes", lookWrites{}, "looking", "two things"},
		{"a score that writes", scoreWrites{}, "looking", "two things"},
		{"a look that moves the sums", legalMoves{}, "looking", "changed"},
		{"an illegal action on the list", badOffer{}, "everything offered", "want a bid"},
		{"an illegal example", badExample{}, "everything offered", "want a bid"},
		{"an illegal house action", badHouse{}, "everything offered", "want a bid"},
		{"no offer", nothing{}, "everything offered", "it is empty"},
		{"rules that take everything", takesAll{}, "a bad action", "want illegal_action"},
		{"a check that writes", legalMoves{}, "a bad action", "changed"},
		{"a match without end", endless{}, "play ends", "not ended within"},
		{"a match longer than it may be", longer{}, "play ends", "goes on after the 1 steps"},
		{"ranks without a first", badResult{}, "play ends", "ranks are from 1"},
		{"a team of two ranks", badTeam{}, "play ends", "a team shares"},
		{"a view outside its schema", badSchema{}, "all that goes out", "view"},
		{"a schema that takes all", openSchema{}, "all that goes out", "takes"},
		{"an event without a kind", noKind{}, "all that goes out", "has no kind"},
		{"a guess that forgets", forgets{}, "a state guessed", "the guess shows"},
		{"a shared deal with secrets", hidesDeal{}, "a deal that may be shared", "hidden from seat -1"},
		{"a shared deal and luck after it", luckyDeal{toy{}}, "a deal that may be shared", "luck after the deal"},
		{"every number of seats", anyTable{}, "a configuration", "seats: want bad_config"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := &suite{e: game.Wrap(row.r), maxSteps: 20}
			var got error
			for _, law := range laws() {
				for i := 0; i < 10 && got == nil && strings.HasPrefix(law.name, row.law); i++ {
					got = law.check(s, Case{`{}`, 2}, Seed(i))
				}
			}
			if got == nil || !strings.Contains(got.Error(), row.words) {
				t.Errorf("got %v, want an error with %q", got, row.words)
			}
		})
	}
}

// A table whose restored copy has another future is caught.
type forgetful struct{ game.Engine }

func (f forgetful) Restore(snapshot []byte) (game.Table, error) {
	t, err := f.Engine.Restore(snapshot)
	if err != nil {
		return nil, err
	}
	return t.Resample(0, game.Seed{1}), nil
}

func TestARestoreThatForgetsIsCaught(t *testing.T) {
	s := &suite{e: forgetful{game.Wrap(toyRules(toy{}))}, maxSteps: 20}
	if err := s.restores(Case{`{}`, 2}, Seed(0)); err == nil {
		t.Error("a restored table with another seed was not caught")
	}
}

func TestLeaksOfTheToyAreCaught(t *testing.T) {
	type spoiled = Faulty[toyConfig, toyState, toyAction, toyView, toyEvent]
	Catch(t, toyRules(toy{}), Case{`{}`, 2}, 200, map[string]spoiled{
		"view":   {SpoilView: func(s *toyState, _ game.Seat, v *toyView) { v.Left += s.Cards[0] }},
		"offer":  {SpoilOffer: func(s *toyState, _ game.Seat, o *game.Offer[toyAction]) { o.Examples[0].N = s.Cards[0] }},
		"error":  {SpoilLegal: func(s *toyState, _ game.Seat, err error) error { return fmt.Errorf("%w %d", err, s.Cards[0]) }, SpoilSample: func(_ *toyState, _ game.Seat, a *toyAction) { a.N = 9 }},
		"due":    {SpoilDue: func(s *toyState, due game.Seats) game.Seats { return game.Only(game.Seat(s.Cards[0] % 2)) }},
		"sample": {SpoilSample: func(s *toyState, _ game.Seat, a *toyAction) { a.N = s.Cards[1] }},
		"event":  {SpoilNote: func(s *toyState, n *game.Note[toyEvent]) { n.Event.Sums[0] = s.Cards[1] }},
		"audience": {SpoilNotes: func(s *toyState, n []game.Note[toyEvent]) []game.Note[toyEvent] {
			return append(n, game.Note[toyEvent]{For: game.Only(game.Seat(s.Cards[0] % 2)), Event: toyEvent{Kind: "psst"}})
		}},
	})
	for name, h := range map[string]Hidden[toyState]{"with facts": {Facts: toyFacts, Possible: toyPossible}, "without": {}} {
		if err := Vary(toyRules(spoiled{Rules: toy{}, NoResample: true}), Case{`{}`, 2}, 1, h); err == nil {
			t.Errorf("%s: a Resample that changes nothing was not caught", name)
		}
	}
	if _, err := Indistinguishable(toyRules(noTwin{toy{}}), Case{`{}`, 2}, 10); err == nil {
		t.Error("rules without Resample have no twins")
	}
}

// noTwin hides Resample.
type noTwin struct{ toyRules }

func TestPickFillsEveryKindOfField(t *testing.T) {
	r := game.Stream(game.Seed{}, 0, "pick")
	offer := `{"forms":[{"type":"x","fields":[{"name":"a","one_of":["p","q"]},{"name":"b","choose":2,"of":[1,2,3]},{"name":"c","min":-1,"max":1}]}],"examples":[{}]}`
	seen := map[string]bool{}
	for range 400 {
		action, err := pick(json.RawMessage(offer), r)
		if err != nil {
			t.Fatal(err)
		}
		seen[string(action)] = true
	}
	if len(seen) != 2*6*3 {
		t.Errorf("got %d different actions, want %d", len(seen), 2*6*3)
	}
	for _, bad := range []string{`{"list":[]}`, `x`, `{"forms":[{"type":"x","fields":[{"name":"a"}]}]}`, `{"forms":[{"type":"x","fields":[{"name":"a","choose":2,"of":[1]}]}]}`} {
		if action, err := pick(json.RawMessage(bad), r); err == nil {
			t.Errorf("%s: got %s, want an error", bad, action)
		}
	}
}
