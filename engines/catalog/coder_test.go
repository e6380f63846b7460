package catalog_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// course is a variant at a table size.
type course struct {
	engine game.Engine
	name   string
	config json.RawMessage
	seats  int
}

func courses() (list []course) {
	for _, e := range catalog.All() {
		info := e.Info()
		for _, v := range info.Variants {
			for _, seats := range slices.Compact([]int{info.MinSeats, info.MaxSeats}) {
				list = append(list, course{e, fmt.Sprintf("%s %s %d", info.ID, v.Name, seats), json.RawMessage(v.Config), seats})
			}
		}
	}
	return list
}

// walk plays matches of a course at random, and gives visit one position in every few, with the actions there, before a number is chosen.
// In the others the house decides.
func (c course) walk(t *testing.T, matches, every int, visit func(m game.Numbered, actions []json.RawMessage, table game.Table)) {
	t.Helper()
	m, err := c.engine.Numbered(c.config, c.seats)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	for i := range matches {
		seed := game.Seed{'n', byte(i), byte(i >> 8)}
		m.Deal(seed)
		table, _, err := c.engine.New(c.config, c.seats, seed)
		must.OK(t, err)
		r := game.Stream(seed, 0, "walk")
		for step := 0; step < mostSteps && m.Asked() != game.Spectator; step = table.Step() {
			var turns []game.Turn
			for range table.Due().Len() {
				if r.IntN(every) > 0 {
					turns = append(turns, game.Turn{Seat: m.Asked(), Action: table.House(m.Asked())})
					m.House()
					continue
				}
				actions := m.Actions()
				visit(m, actions, table)
				k := r.IntN(len(actions))
				turns = append(turns, game.Turn{Seat: m.Asked(), Action: actions[k]})
				if err := m.Choose(int(m.Choices()[k])); err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
			}
			if _, err := table.Apply(turns); err != nil {
				t.Fatalf("%s: step %d: %v", c.name, step, err)
			}
			if table.Hash() != m.Table().Hash() {
				t.Fatalf("%s: step %d: a match played by numbers is another than the same match played by actions", c.name, step)
			}
		}
	}
}

// mostSteps ends a walk through a match that is still going on.
const mostSteps = 400

// size is how much is walked: matches, and one position in how many is looked at.
func size() (matches, every int) {
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		return 40, 2
	}
	return 2, 4
}

func TestNumbersAndActionsAreEachOthers(t *testing.T) {
	for _, c := range courses() {
		matches, every := size()
		positions := 0
		c.walk(t, matches, every, func(m game.Numbered, actions []json.RawMessage, table game.Table) {
			positions++
			numbers := slices.Clone(m.Choices())
			for i, action := range actions {
				if n, err := m.Number(action); err != nil || n != int(numbers[i]) || n >= m.Size() {
					t.Fatalf("%s: %s has the number %d (%v), want %d of %d", c.name, action, n, err, numbers[i], m.Size())
				}
				if err := table.Check(game.Turn{Seat: m.Asked(), Action: action}); err != nil {
					t.Fatalf("%s: number %d: %v", c.name, numbers[i], err)
				}
			}
			var offer struct {
				List []json.RawMessage `json:"list"`
			}
			must.OK(t, json.Unmarshal(table.Offer(m.Asked()), &offer))
			var offered []uint16
			for _, action := range offer.List {
				n, err := m.Number(action)
				if err != nil || n < 0 {
					t.Fatalf("%s: the offered %s has the number %d (%v)", c.name, action, n, err)
				}
				offered = append(offered, uint16(n))
			}
			slices.Sort(numbers)
			if slices.Sort(offered); len(offered) > 0 && !slices.Equal(offered, numbers) {
				t.Fatalf("%s: the numbers of the offer are %v, of the choices %v", c.name, offered, numbers)
			}
			if len(slices.Compact(numbers)) != len(m.Choices()) || len(numbers) == 0 {
				t.Fatalf("%s: step %d: a number is there twice, or none: %v", c.name, table.Step(), numbers)
			}
		})
		t.Logf("%s: %d positions", c.name, positions)
	}
}

// An observation is all the view's: the table that is guessed from the view alone has the same.
func TestObservationsFollowFromViewsAndKeepTheirShape(t *testing.T) {
	for _, c := range courses() {
		matches, every := size()
		var guessed game.Numbered
		c.walk(t, max(1, matches/2), every, func(m game.Numbered, _ []json.RawMessage, table game.Table) {
			if guessed == nil {
				guessed = m.Twin()
			}
			seat := game.Seat(table.Step() % c.seats)
			seen := m.Observe(seat, nil)
			guess, err := c.engine.StateFromView(c.config, c.seats, seat, table.View(seat), game.Seed{1})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			must.OK(t, guessed.Sit(guess))
			again, at := guessed.Observe(seat, nil), 0
			for _, f := range m.Features() {
				n := 1
				for _, side := range f.Shape {
					n *= side
				}
				if len(seen) < at+n || !slices.Equal(seen[at:at+n], again[at:at+n]) {
					t.Fatalf("%s: step %d, seat %d: %s is %v, and by the view alone %v", c.name, table.Step(), seat, f.Name, seen[at:], again[at:])
				}
				for _, x := range seen[at : at+n] {
					if int(x) < f.Low || int(x) > f.High {
						t.Fatalf("%s: step %d: %s is %d, want %d to %d", c.name, table.Step(), f.Name, x, f.Low, f.High)
					}
				}
				at += n
			}
			if at != len(seen) {
				t.Fatalf("%s: an observation has %d numbers, its features %d", c.name, len(seen), at)
			}
		})
	}
}

// What was learned with a number stays true only while the number means the same: in this process, the last one and the next.
func TestNumbersAreThoseOfEveryProcess(t *testing.T) {
	var got strings.Builder
	for _, c := range courses() {
		met, shape := map[uint16]string{}, ""
		c.walk(t, 2, 8, func(m game.Numbered, actions []json.RawMessage, _ game.Table) {
			features, err := json.Marshal(m.Features())
			must.OK(t, err)
			shape = fmt.Sprintf("%d %s", m.Size(), features)
			for i, action := range actions {
				met[m.Choices()[i]] = fmt.Sprintf("%d %s\n", m.Choices()[i], action)
			}
		})
		sum := sha256.New()
		sum.Write([]byte(shape))
		numbers := make([]uint16, 0, len(met))
		for n := range met {
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		for _, n := range numbers {
			sum.Write([]byte(met[n]))
		}
		fmt.Fprintf(&got, "%s: %d met, %s\n", c.name, len(met), hex.EncodeToString(sum.Sum(nil)))
	}
	gametest.Golden(t, "numbering.txt", []byte(got.String()))
}
