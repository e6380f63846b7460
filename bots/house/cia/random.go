package cia

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// Random draws evenly from the legal actions. It goes beyond the values that a form of CIA names: they are examples of splits
// and of dossiers too many to list.
func Random(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return protocol.Answer{}, err
	}
	if len(offer.List) > 0 || len(offer.Forms) != 1 || len(offer.Forms[0].Fields) != 1 {
		return kit.Random(t.Offer, rng)
	}
	form := offer.Forms[0]
	field := form.Fields[0]
	values := map[string]int{} // what the examples give an agent at most
	for _, raw := range field.OneOf {
		var example map[string]*int
		if err := json2.Unmarshal(raw, &example); err != nil {
			return protocol.Answer{}, fmt.Errorf("%w: field %s: %w", kit.ErrOffer, field.Name, err)
		}
		for agent, n := range example {
			if n == nil {
				continue
			}
			values[agent] = max(values[agent], *n)
		}
	}
	if len(values) == 0 {
		return protocol.Answer{}, fmt.Errorf("%w: field %s names no agent", kit.ErrOffer, field.Name)
	}
	agents := slices.Sorted(maps.Keys(values)) // not in the map's order: the same position gets the same answer
	most := slices.Max(slices.Collect(maps.Values(values)))
	drawn := map[string]any{"type": form.Type}
	if field.Name == "steps" {
		drawn[field.Name] = randomSplit(agents, most, rng)
	} else {
		drawn[field.Name] = randomOwners(agents, most+1, rng)
	}
	action, err := json.Marshal(drawn)
	return protocol.Answer{Action: action}, err
}

// randomSplit gives n points to agents, every split alike: n stars between len(agents) − 1 bars.
func randomSplit(agents []string, n int, rng *rand.Rand) map[string]int {
	bars := rng.Perm(n + len(agents) - 1)[:len(agents)-1]
	slices.Sort(bars)
	bars = append(bars, n+len(agents)-1)
	steps := map[string]int{}
	from := 0
	for i, bar := range bars {
		if stars := bar - from; stars > 0 {
			steps[agents[i]] = stars
		}
		from = bar + 1
	}
	return steps
}

// randomOwners puts every seat behind an agent of its own, all ways alike; nobody is behind the rest.
func randomOwners(agents []string, seats int, rng *rand.Rand) map[string]*int {
	owners := map[string]*int{}
	for i, k := range rng.Perm(len(agents)) {
		owners[agents[k]] = nil
		if i < seats {
			owners[agents[k]] = &i
		}
	}
	return owners
}
