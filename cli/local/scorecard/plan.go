package scorecard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/pool"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

// ErrPlan means that there is no such plan, game or pool in this program; the text says which there are.
var ErrPlan = errors.New("bad_plan")

// Plan is a registered plan: every match follows from it, the pool and the clock. The subject meets each bot of the pool in pairs of matches
// on one deal, in which the two change seats, or sides where there are hidden teams.
type Plan struct {
	Name  string `json:"name"`
	Seed  uint64 `json:"seed"`
	Pairs []Game `json:"games"`
}

// Game says how many pairs of matches against each bot of the pool a plan has in a game.
type Game struct {
	Game  string `json:"game"`
	Pairs int    `json:"pairs"`
}

// Plans returns the registered plans. What is registered never changes: a better plan has another name.
func Plans() []Plan {
	return []Plan{
		{Name: "quick", Seed: 3701, Pairs: []Game{{"cia", 12}, {"demol", 12}, {"mole", 3}, {"molehill", 8}, {"molemajority", 5}}},
		{Name: "standard", Seed: 3702, Pairs: []Game{{"cia", 80}, {"demol", 80}, {"mole", 16}, {"molehill", 50}, {"molemajority", 30}}},
	}
}

// PlanNames returns the names of the registered plans.
func PlanNames() (names []string) {
	for _, p := range Plans() {
		names = append(names, p.Name)
	}
	return names
}

// FindPlan returns a registered plan. Without one the error is [ErrPlan].
func FindPlan(name string) (Plan, error) {
	list := Plans()
	i := slices.IndexFunc(list, func(p Plan) bool { return p.Name == name })
	if i < 0 {
		return Plan{}, fmt.Errorf("%w: there is no plan %q; there are %s", ErrPlan, name, strings.Join(PlanNames(), ", "))
	}
	return list[i], nil
}

// Hash returns a hash of all that the plan says.
func (p Plan) Hash() string {
	b, _ := json.Marshal(p) // numbers and strings: nothing that could fail
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// GameIDs returns the games of the plan.
func (p Plan) GameIDs() (ids []string) {
	for _, g := range p.Pairs {
		ids = append(ids, g.Game)
	}
	return ids
}

// part is what a plan has in one game.
type part struct {
	matches.Series
	pool   pool.Game
	engine game.Engine
}

// part plans the matches of a game.
func (p Plan) part(id string, clock card.Clock) (part, error) {
	g, inPool := pool.Find(id)
	engine, ok := catalog.Find(id)
	i := slices.IndexFunc(p.Pairs, func(g Game) bool { return g.Game == id })
	if i < 0 || !ok || !inPool {
		return part{}, fmt.Errorf("%w: plan %s has no game %q; it has %s", ErrPlan, p.Name, id, strings.Join(p.GameIDs(), ", "))
	}
	config, err := g.Config(engine)
	if err != nil {
		return part{}, err
	}
	out := part{pool: g, engine: engine, Series: matches.Series{
		Config: config, Seats: g.Seats, Bots: append([]string{"subject"}, g.Bots...), Games: 2 * p.Pairs[i].Pairs * len(g.Bots), Seed: p.Seed,
		Rotate: true, Paired: true, Meetings: matches.Gauntlet, LimitMS: clock.LimitMS, BankMS: clock.BankMS, Patient: true, Luckless: true,
	}}
	if err := out.Settle(engine); err != nil { // a clock that no match may have
		return part{}, fmt.Errorf("%w: %w", ErrPlan, err)
	}
	return out, nil
}

// field returns who plays: the subject, and the pool's bots.
func (p part) field(subject matches.Bot) ([]matches.Bot, error) {
	field := []matches.Bot{subject}
	for _, name := range p.pool.Bots {
		b, ok := house.Find(name)
		if !ok {
			return nil, fmt.Errorf("%w: there is no house bot %q", ErrPlan, name)
		}
		field = append(field, matches.InProcess(name, b.Decide))
	}
	matches.Distinguish(field)
	return field, nil
}
