package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// suite is an engine with what its laws need.
type suite struct {
	e        game.Engine
	maxSteps int
	hostile  []string
	badConf  []string
}

// law is one promise of the port, checked over one match.
type law struct {
	name  string
	check func(s *suite, c Case, seed game.Seed) error
}

// laws returns all promises that can be checked from outside.
func laws() []law {
	return []law{
		{"same seed and decisions give the same match", (*suite).replays},
		{"snapshot and restore change nothing", (*suite).restores},
		{"looking changes nothing", (*suite).looks},
		{"everything offered is legal and can be applied", (*suite).offers},
		{"a bad action is an error and changes nothing", (*suite).refuses},
		{"wrong seats and words are errors and change nothing", (*suite).refusesTurns},
		{"play ends with a result", (*suite).ends},
		{"all that goes out keeps the published schemas", (*suite).schemas},
		{"a configuration has one canonical form", (*suite).configures},
		{"a deal that may be shared is all the luck, and open", (*suite).shares},
		{"what is asked of beliefs follows from the view, and has the truth among its answers", (*suite).asks},
		{"the score is what its view shows, and agrees with the result", (*suite).scores},
		{"a state guessed from a view shows that view, and asks the same", (*suite).guesses},
	}
}

func (s *suite) play(c Case, seed game.Seed, see func(moment) error) error {
	return play(s.e, c, seed, s.maxSteps, see)
}

func (s *suite) replays(c Case, seed game.Seed) error {
	again, dealt, err := s.e.New(json.RawMessage(c.Config), c.Seats, seed)
	if err != nil {
		return err
	}
	return s.play(c, seed, func(m moment) error {
		if err := sameTable(m.table, again); err != nil {
			return err
		}
		if a, b := JSON(m.events), JSON(dealt); !bytes.Equal(a, b) {
			return fmt.Errorf("events differ: %s and %s", a, b)
		}
		if len(m.turns) == 0 {
			return nil
		}
		slices.Reverse(m.turns) // the order of the turns does not count
		dealt, err = again.Apply(m.turns)
		return err
	})
}

// sameTable compares all that can be seen of two tables.
func sameTable(a, b game.Table) error {
	if a.Step() != b.Step() || a.Seats() != b.Seats() || a.Due() != b.Due() {
		return fmt.Errorf("step, seats or due differ: %d %d %s and %d %d %s", a.Step(), a.Seats(), a.Due().AppendJSON(nil),
			b.Step(), b.Seats(), b.Due().AppendJSON(nil))
	}
	if a.Hash() != b.Hash() {
		return fmt.Errorf("hashes differ: %x and %x", a.Hash(), b.Hash())
	}
	ra, oka := a.Result()
	rb, okb := b.Result()
	if oka != okb || !bytes.Equal(JSON(ra), JSON(rb)) {
		return fmt.Errorf("results differ: %s and %s", JSON(ra), JSON(rb))
	}
	for seat := game.Spectator; int(seat) < a.Seats(); seat++ {
		if va, vb := a.View(seat), b.View(seat); !bytes.Equal(va, vb) {
			return fmt.Errorf("views of seat %d differ: %s and %s", seat, va, vb)
		}
		if oa, ob := a.Offer(seat), b.Offer(seat); !bytes.Equal(oa, ob) {
			return fmt.Errorf("offers to seat %d differ: %s and %s", seat, oa, ob)
		}
		if ha, hb := a.House(seat), b.House(seat); !bytes.Equal(ha, hb) {
			return fmt.Errorf("house actions of seat %d differ: %s and %s", seat, ha, hb)
		}
	}
	return nil
}

func (s *suite) restores(c Case, seed game.Seed) error {
	return s.play(c, seed, func(m moment) error {
		snapshot := m.table.Snapshot()
		again, err := s.e.Restore(snapshot)
		if err != nil {
			return fmt.Errorf("Restore: %w", err)
		}
		if !bytes.Equal(again.Snapshot(), snapshot) {
			return errors.New("the snapshot of the restored table differs")
		}
		if err := sameTable(m.table, again); err != nil {
			return err
		}
		for _, at := range []int{0, len(snapshot) / 2, len(snapshot) - 1} {
			bad := bytes.Clone(snapshot)
			bad[at] ^= 1
			if _, err := s.e.Restore(bad); !errors.Is(err, game.ErrSnapshot) {
				return fmt.Errorf("a snapshot with byte %d changed: want %v, got %v", at, game.ErrSnapshot, err)
			}
		}
		return s.sameFuture(m, again)
	})
}

// sameFuture plays the next step on two copies and compares.
func (s *suite) sameFuture(m moment, again game.Table) error {
	if len(m.turns) == 0 {
		return nil
	}
	first, err := s.e.Restore(m.table.Snapshot())
	if err != nil {
		return err
	}
	silent, err := s.e.Restore(m.table.Snapshot())
	if err == nil {
		err = silent.Repeat(m.turns)
	}
	if err != nil {
		return err
	}
	for n := range 2 { // the second time from the copy's own snapshot: the step and the seed are in it
		a, errA := first.Apply(m.turns)
		b, errB := again.Apply(m.turns)
		if errA != nil || errB != nil || !bytes.Equal(JSON(a), JSON(b)) {
			return fmt.Errorf("after restoring, events differ: %s %v and %s %v", JSON(a), errA, JSON(b), errB)
		}
		if err := sameTable(first, again); err != nil {
			return fmt.Errorf("one step after restoring: %w", err)
		}
		if n == 0 && first.Hash() != silent.Hash() {
			return fmt.Errorf("one step further without a report: hashes differ: %x and %x", first.Hash(), silent.Hash())
		}
		if again, err = s.e.Restore(again.Snapshot()); err != nil {
			return err
		}
		if m.turns = house(first); len(m.turns) == 0 {
			return nil
		}
	}
	return nil
}

// house returns the house's turns for all due seats.
func house(t game.Table) []game.Turn {
	var turns []game.Turn
	for seat := range t.Due().Each() {
		turns = append(turns, game.Turn{Seat: seat, Action: t.House(seat)})
	}
	return turns
}

func (s *suite) looks(c Case, seed game.Seed) error {
	return s.play(c, seed, func(m moment) error {
		t := m.table
		before := t.Snapshot()
		hash := t.Hash()
		for seat := game.Spectator; int(seat) < c.Seats; seat++ {
			view, offer := t.View(seat), t.Offer(seat)
			_, errDraw := t.Draw(seat, nil)
			_, errWords := t.Describe(seat)
			_, errScore := t.Score(seat)
			for _, err := range []error{errDraw, errWords, errScore} {
				if err != nil && !errors.Is(err, game.ErrUnsupported) {
					return err
				}
			}
			t.House(seat)
			t.Resample(seat, Seed(int(seat)+7))
			if !bytes.Equal(view, t.View(seat)) || !bytes.Equal(offer, t.Offer(seat)) {
				return fmt.Errorf("seat %d looks twice and sees two things", seat)
			}
		}
		for _, turn := range m.turns {
			if err := t.Check(turn); err != nil {
				return fmt.Errorf("Check of %s: %w", turn.Action, err)
			}
		}
		if !json.Valid(t.Reveal()) {
			return errors.New("Reveal is not JSON")
		}
		t.Result()
		return unchanged(t, before, hash)
	})
}

// unchanged compares a table with what it was.
func unchanged(t game.Table, before []byte, hash [32]byte) error {
	if t.Hash() != hash || !bytes.Equal(t.Snapshot(), before) {
		return errors.New("the table has changed")
	}
	return nil
}

func (s *suite) offers(c Case, seed game.Seed) error {
	r := game.Stream(seed, 1, "gametest")
	return s.play(c, seed, func(m moment) error {
		for seat := game.Spectator; int(seat) < c.Seats; seat++ {
			if !m.table.Due().Has(seat) {
				if got := string(m.table.Offer(seat)); got != `{"list":[]}` || m.table.House(seat) != nil {
					return fmt.Errorf("seat %d is not due and is offered %s, house %s", seat, got, m.table.House(seat))
				}
				continue
			}
			actions, err := offered(m.table.Offer(seat), r)
			if err != nil {
				return fmt.Errorf("seat %d: %w", seat, err)
			}
			for _, action := range append(actions, m.table.House(seat)) {
				if err := m.table.Check(game.Turn{Seat: seat, Action: action}); err != nil {
					return fmt.Errorf("seat %d is offered %s: %w", seat, action, err)
				}
			}
			if err := s.applies(m, seat, actions[r.IntN(len(actions))]); err != nil {
				return err
			}
		}
		return nil
	})
}

// offered returns everything listed, or the examples and some fillings of the forms.
func offered(offer json.RawMessage, r *game.Rand) ([]json.RawMessage, error) {
	var out []json.RawMessage
	var o wireOffer
	if err := json.Unmarshal(offer, &o); err != nil {
		return nil, err
	}
	if len(o.List) == 0 && (len(o.Forms) == 0 || len(o.Examples) == 0) {
		return nil, fmt.Errorf("it is due and is offered %s", offer)
	}
	seen := map[string]bool{}
	for _, action := range o.List {
		if seen[string(action)] {
			return nil, fmt.Errorf("it is offered %s twice", action)
		}
		seen[string(action)] = true
	}
	out = append(o.List, o.Examples...)
	for _, form := range o.Forms {
		for range 8 {
			action, err := form.fill(r)
			if err != nil {
				return nil, err
			}
			out = append(out, action)
		}
	}
	return out, nil
}

// applies plays the moment's turns with one of them exchanged, on a copy.
func (s *suite) applies(m moment, seat game.Seat, action json.RawMessage) error {
	t, err := s.e.Restore(m.table.Snapshot())
	if err != nil {
		return err
	}
	_, err = t.Apply(exchanged(m.turns, seat, action))
	if err != nil {
		return fmt.Errorf("Apply of seat %d's legal %s: %w", seat, action, err)
	}
	if t.Step() != m.table.Step()+1 {
		return fmt.Errorf("Apply leaves the step at %d", t.Step())
	}
	return nil
}

func exchanged(turns []game.Turn, seat game.Seat, action json.RawMessage) []game.Turn {
	turns = slices.Clone(turns)
	for i := range turns {
		if turns[i].Seat == seat {
			turns[i].Action = action
		}
	}
	return turns
}

func (s *suite) ends(c Case, seed game.Seed) error {
	return s.play(c, seed, func(m moment) error {
		result, over := m.table.Result()
		if over != (m.table.Due() == 0) {
			return fmt.Errorf("due %s, over %v", m.table.Due().AppendJSON(nil), over)
		}
		if m.table.Due()&^game.FirstSeats(c.Seats) != 0 {
			return fmt.Errorf("due %s at a table of %d", m.table.Due().AppendJSON(nil), c.Seats)
		}
		if !over {
			return nil
		}
		for _, turns := range [][]game.Turn{nil, {{Seat: 0, Action: json.RawMessage(`{}`)}}} {
			if _, err := m.table.Apply(turns); !errors.Is(err, game.ErrSeats) {
				return fmt.Errorf("Apply after the end: want %v, got %v", game.ErrSeats, err)
			}
		}
		return checkResult(result, c.Seats)
	})
}

// checkResult holds a result against its shape.
func checkResult(x game.Result, seats int) error {
	if len(x.Rank) != seats || len(x.Points) != seats || len(x.Team) != 0 && len(x.Team) != seats || x.Why == "" {
		return fmt.Errorf("result: want a rank and points for each of %d seats, a team for each or none, and why; got %+v", seats, x)
	}
	if slices.Min(x.Rank) != 1 || slices.Max(x.Rank) > seats {
		return fmt.Errorf("result: ranks are from 1 to %d, got %v", seats, x.Rank)
	}
	for a := range x.Team {
		for b := range x.Team {
			if x.Team[a] == x.Team[b] && (x.Rank[a] != x.Rank[b]) {
				return fmt.Errorf("result: a team shares its rank, got %v for %v", x.Rank, x.Team)
			}
		}
	}
	return nil
}

// shares holds a game to OneDeal of its info: nothing is hidden from any seat, and another seed after the deal changes nothing.
func (s *suite) shares(c Case, seed game.Seed) error {
	if !s.e.Info().OneDeal {
		return nil
	}
	var twin game.Table
	return s.play(c, seed, func(m moment) error {
		for seat := game.Spectator; int(seat) < c.Seats; seat++ {
			if m.table.Resample(seat, Seed(-1)).Hash() != m.table.Hash() {
				return fmt.Errorf("something is hidden from seat %d", seat)
			}
		}
		if twin == nil {
			twin = m.table.Resample(game.Spectator, Seed(-1))
		}
		if twin.Hash() != m.table.Hash() {
			return errors.New("there is luck after the deal: with another seed the same decisions lead elsewhere")
		}
		if len(m.turns) == 0 {
			return nil
		}
		return twin.Repeat(m.turns)
	})
}

// guessEvery is how many seats and steps lie between two guesses: those of a game with many hidden facts are dear.
const guessEvery = 3

// guesses holds a game that builds states from views to it.
func (s *suite) guesses(c Case, seed game.Seed) error {
	return s.play(c, seed, func(m moment) error {
		for seat := game.Spectator; int(seat) < c.Seats; seat++ {
			if (m.table.Step()+int(seat))%guessEvery != 0 && len(m.turns) > 0 {
				continue
			}
			view := m.table.View(seat)
			guess, err := s.e.StateFromView(json.RawMessage(c.Config), c.Seats, seat, view, Seed(1))
			if errors.Is(err, game.ErrUnsupported) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("seat %d: %w, from the view %s", seat, err, view)
			}
			if got := guess.View(seat); !bytes.Equal(got, view) {
				return fmt.Errorf("seat %d: the guess shows %s, not %s", seat, got, view)
			}
			if got, want := guess.Offer(seat), m.table.Offer(seat); !bytes.Equal(got, want) || guess.Due() != m.table.Due() {
				return fmt.Errorf("seat %d: the guess asks %s of %v, not %s of %v", seat, got, guess.Due(), want, m.table.Due())
			}
		}
		return nil
	})
}
