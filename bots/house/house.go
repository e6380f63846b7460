package house

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/house/cia"
	"github.com/molerun/molerun/bots/house/demol"
	"github.com/molerun/molerun/bots/house/mole"
	"github.com/molerun/molerun/bots/house/molehill"
	"github.com/molerun/molerun/bots/house/molemajority"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// Bot is a house bot.
type Bot struct {
	Name  string
	About string   // its strategy, in a sentence
	Games []string // ids of the games it plays

	decide map[string]strategy // by id of the game
}

// Names lists the house bots, the weakest first.
func Names() []string {
	var list []string
	for _, b := range all() {
		list = append(list, b.Name)
	}
	return list
}

// Find returns the house bot of that name; false if there is none.
func Find(name string) (Bot, bool) {
	list := all()
	i := slices.IndexFunc(list, func(b Bot) bool { return b.Name == name })
	if i < 0 {
		return Bot{}, false
	}
	list[i].Games = slices.Sorted(maps.Keys(list[i].decide))
	return list[i], true
}

// strategy answers a turn of one game.
type strategy = func(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error)

// searchPlayouts is the searcher's budget a decision; some games allow themselves less.
const searchPlayouts = 160

func all() []Bot {
	return []Bot{
		{
			Name:  "random",
			About: "plays any legal action with equal chances; in Mole any coin, direction and speed",
			decide: map[string]strategy{
				"cia": cia.Random, "demol": anyAction, "mole": mole.Random, "molehill": anyAction, "molemajority": anyAction,
			},
		},
		{
			Name:  "greedy",
			About: "takes the action after which it stands best, by a simple measure for each game",
			decide: map[string]strategy{
				"cia": cia.Greedy, "demol": demol.Greedy, "mole": mole.Greedy, "molehill": molehill.Greedy, "molemajority": molemajority.Greedy,
			},
		},
		{
			Name: "thinker",
			About: "works out who is who, hides who it is, and looks a turn ahead; in Mole it aims by geometry; in Mole Majority it searches" +
				" whole turns",
			decide: map[string]strategy{
				"cia": cia.Thinker, "demol": demol.Thinker, "mole": mole.Thinker, "molehill": molehill.Thinker, "molemajority": molemajority.Thinker,
			},
		},
		{
			Name: "searcher",
			About: fmt.Sprintf("plays the thinker's ideas out on whole tables that fit its view, with the thinker, or in CIA greedy, in every seat: at most"+
				" %d playouts a decision, in CIA %d, in De Mol %d, in Mole Hill %d, in Mole Majority for a whole turn", searchPlayouts, cia.Times*searchPlayouts, demol.MostPlayouts, molehill.MostPlayouts),
			decide: searcher(searchPlayouts),
		},
	}
}

// anyAction draws evenly from the legal actions.
func anyAction(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	return kit.Random(t.Offer, rng)
}

// searcher returns the searcher's strategies with a budget of playouts a decision.
func searcher(playouts int) map[string]strategy {
	strategies := map[string]strategy{}
	for id, search := range map[string]func(*protocol.Turn, *rand.Rand, int) (protocol.Answer, error){
		"cia": cia.Searcher, "demol": demol.Searcher, "mole": mole.Searcher, "molehill": molehill.Searcher, "molemajority": molemajority.Searcher,
	} {
		strategies[id] = func(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) { return search(t, rng, playouts) }
	}
	return strategies
}

// Decide returns the bot's function. Luck follows from seed and from what the seat sees, not from the names of match and players:
// the same position gets the same answer whenever and wherever it is asked. It is safe for concurrent use.
func (b Bot) Decide(seed uint64) kit.Decide {
	return func(_ context.Context, t *protocol.Turn) (protocol.Answer, error) {
		decide := b.decide[t.Game]
		if decide == nil {
			return protocol.Answer{}, fmt.Errorf("%w: %s", errGame, protocol.Quote(t.Game))
		}
		return decide(t, rand.New(rand.NewPCG(seed, key(t))))
	}
}

// Kit returns the bot as the kit serves it.
func (b Bot) Kit(seed uint64) kit.Bot {
	games := make(map[string]kit.Decide, len(b.Games))
	for _, id := range b.Games {
		games[id] = b.Decide(seed)
	}
	return kit.Bot{Name: b.Name, Author: "molerun", Games: games}
}

func key(t *protocol.Turn) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d/%d/%s", t.Game, t.Step, t.Seat, t.View)
	return h.Sum64()
}

var errGame = errors.New("no strategy for this game")

// Valuer returns a new valuer of a game by its id; false if there is none.
func Valuer(id string) (search.Valuer, bool) {
	valuer, ok := map[string]func() search.Valuer{
		"cia": cia.Valuer, "demol": demol.Valuer, "mole": mole.Valuer, "molehill": molehill.Valuer, "molemajority": molemajority.Valuer,
	}[id]
	if !ok {
		return search.Valuer{}, false
	}
	return valuer(), true
}
