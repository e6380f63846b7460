package house

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// Bot is a house bot.
type Bot struct {
	Name  string
	About string   // its strategy, in a sentence
	Games []string // ids of the games it plays

	decide func(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error)
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
	return list[i], true
}

func all() []Bot {
	every := []string{"cia", "demol", "mole", "molehill", "molemajority"}
	return []Bot{
		{"random", "plays any legal action, all alike; in Mole any coin, direction and speed", every, random},
		{"greedy", "takes the action that looks best right after it, by a simple measure for each game", every, greedy},
		{"searcher", "weighs the best ideas by playing on from tables guessed from its view, " + strconv.Itoa(searchPlayouts) + " a decision, in De Mol " + strconv.Itoa(demolPlayouts) +
			"; in Mole samples flicks through the physics; in Mole Majority a round with each of the thinker's turns, " + strconv.Itoa(turnPlayouts) + " a turn", every, searcher{searchPlayouts}.decide},
		{"thinker", "weighs who is who by all that was seen, hides who it is, and looks a turn ahead; in Mole aims by geometry; in Mole Majority searches over whole turns", every, thinker},
	}
}

// Decide is the bot's function. Luck follows from seed and from what the seat sees, not from the names of match and players:
// the same position gets the same answer whenever and wherever it is asked. It is safe for concurrent use.
func (b Bot) Decide(seed uint64) kit.Decide {
	return func(_ context.Context, t *protocol.Turn) (protocol.Answer, error) {
		return b.decide(t, rand.New(rand.NewPCG(seed, key(t)))) //nolint:gosec // play, not secrets
	}
}

// Kit is the bot as the kit serves it.
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

func greedy(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	switch t.Game {
	case "molehill":
		return greedyMolehill(t, rng)
	case "demol":
		return greedyDemol(t, rng)
	case "cia":
		return greedyCIA(t, rng)
	case "mole":
		return greedyMole(t, rng)
	case "molemajority":
		return greedyMajority(t, rng)
	}
	return protocol.Answer{}, fmt.Errorf("%w: %s", errGame, protocol.Quote(t.Game))
}

func thinker(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	switch t.Game {
	case "molehill":
		return thinkerMolehill(t, rng)
	case "demol":
		return thinkerDemol(t, rng)
	case "cia":
		return thinkerCIA(t, rng)
	case "mole":
		return thinkerMole(t, rng)
	case "molemajority":
		return thinkerMajority(t, rng)
	}
	return protocol.Answer{}, fmt.Errorf("%w: %s", errGame, protocol.Quote(t.Game))
}

// best answers with the entry of the offer's list that scores highest; among equals the rng picks.
func best[A any](list []json.RawMessage, rng *rand.Rand, score func(A) float64) (protocol.Answer, error) {
	pick, top, ties := -1, 0.0, 0
	for k, raw := range list {
		var a A
		if err := json2.Unmarshal(raw, &a); err != nil {
			return protocol.Answer{}, fmt.Errorf("entry %d of the offer: %w", k, err)
		}
		v := score(a)
		switch {
		case pick < 0 || v > top:
			pick, top, ties = k, v, 1
		case v == top:
			if ties++; rng.IntN(ties) == 0 {
				pick = k
			}
		}
	}
	if pick < 0 {
		return protocol.Answer{}, fmt.Errorf("%w: an empty list", kit.ErrOffer)
	}
	return kit.Pick(pick), nil
}
