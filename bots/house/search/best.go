package search

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// Best returns the index of the entry that scores highest; among equals the rng picks. Of an empty list it is [kit.ErrOffer].
func Best[A any](list []A, rng *rand.Rand, score func(A) float64) (int, error) {
	pick, top, ties := -1, 0.0, 0
	for k, a := range list {
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
		return 0, fmt.Errorf("%w: an empty list", kit.ErrOffer)
	}
	return pick, nil
}

// Answer is the [Best] entry of a list as an answer, which of makes of its index.
func Answer[A any](list []A, rng *rand.Rand, score func(A) float64, of func(k int) protocol.Answer) (protocol.Answer, error) {
	k, err := Best(list, rng, score)
	if err != nil {
		return protocol.Answer{}, err
	}
	return of(k), nil
}

// Pick returns the [Best] entry of a list alone; nothing of an empty one.
func Pick[A any](list []A, rng *rand.Rand, score func(A) float64) []A {
	k, err := Best(list, rng, score)
	if err != nil {
		return nil
	}
	return list[k : k+1]
}

// Ranked returns the indices of the entries that score highest, at most so many, the best first; among equals the rng picks.
func Ranked[A any](list []A, most int, rng *rand.Rand, score func(A) float64) []int {
	scores := make([]float64, len(list))
	for k, a := range list {
		scores[k] = score(a)
	}
	order := rng.Perm(len(list))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:min(most, len(order))]
}

// Read reads the configuration and the view of a turn.
func Read(t *protocol.Turn, config, view any) error {
	if err := json2.Unmarshal(t.Config, config); err != nil {
		return fmt.Errorf("config: %w", err)
	}
	if err := json2.Unmarshal(t.View, view); err != nil {
		return fmt.Errorf("view: %w", err)
	}
	return nil
}

// Actions reads the entries of an offer's list.
func Actions[A any](list []json.RawMessage) ([]A, error) {
	actions := make([]A, len(list))
	for k, raw := range list {
		if err := json2.Unmarshal(raw, &actions[k]); err != nil {
			return nil, fmt.Errorf("entry %d of the offer: %w", k, err)
		}
	}
	return actions, nil
}

// Seed draws the seed of a match that is only thought of.
func Seed(rng *rand.Rand) game.Seed {
	var seed game.Seed
	for i := 0; i < len(seed); i += 8 {
		binary.LittleEndian.PutUint64(seed[i:], rng.Uint64())
	}
	return seed
}
