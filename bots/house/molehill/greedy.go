package molehill

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/molehill"
)

// Greedy looks one step ahead. The mole takes what its new square is worth (flowers, then ways on, then squares in reach,
// flowers near by) after the worst rod the gardener could lay right there; the gardener lays the rod that leaves the mole's
// square worth least.
func Greedy(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	p, err := readPosition(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	return search.Answer(p.offer(), rng, func(a molehill.Action) float64 {
		if p.Phase == molehill.PhaseRod {
			return -p.behind(edge{p.number(a.At), a.Up}, p.mole())
		}
		return p.goTo(p.number(a.At))
	}, kit.Pick)
}
