package web

import (
	"fmt"
	"slices"
	"sync"

	"github.com/molerun/molerun/tournament"
)

// chairs are the matches of people by the address that they come from, so that one address cannot take all places. It counts
// those of this process; the bound of all places holds over all.
type chairs struct {
	mu sync.Mutex
	by map[string][]string
}

func newChairs() *chairs { return &chairs{by: map[string][]string{}} }

// take keeps a place for an address until the function that it returns is told the match, or "" if there is none. over says
// whether a match has ended. An address that has most places is [tournament.ErrLimit].
func (x *chairs) take(address string, most int, over func(id string) bool) (func(match string), error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for of, list := range x.by {
		if list = slices.DeleteFunc(list, func(id string) bool { return id != "" && over(id) }); len(list) == 0 {
			delete(x.by, of)
			continue
		}
		x.by[of] = list
	}
	if n := len(x.by[address]); n >= most {
		return nil, fmt.Errorf("%w: %d people are playing from your address, which is the most; try again when a match has ended", tournament.ErrLimit, n)
	}
	x.by[address] = append(x.by[address], "")
	return func(match string) {
		x.mu.Lock()
		defer x.mu.Unlock()
		list := x.by[address]
		at := slices.Index(list, "")
		if list[at] = match; match == "" {
			x.by[address] = slices.Delete(list, at, at+1)
		}
	}, nil
}
