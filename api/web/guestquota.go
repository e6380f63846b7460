package web

import (
	"fmt"
	"slices"
	"sync"

	"github.com/molerun/molerun/tournament"
)

// guestQuota bounds the matches that guests of one account or, without one, from one address play at a time, so that none can take all
// places. It counts the matches of this process; the bound on all guests holds across processes.
type guestQuota struct {
	mu      sync.Mutex
	matches map[string][]string // ids by account or address; "" while a match is being made
}

// take keeps a place for an account or an address. Call the function that it returns once with the match, or with "" if none was made.
// over reports whether a match has ended. take returns [tournament.ErrLimit] for one that has most places.
func (x *guestQuota) take(who string, most int, over func(id string) bool) (func(match string), error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for of, list := range x.matches {
		if list = slices.DeleteFunc(list, func(id string) bool { return id != "" && over(id) }); len(list) == 0 {
			delete(x.matches, of)
			continue
		}
		x.matches[of] = list
	}
	if n := len(x.matches[who]); n >= most {
		return nil, fmt.Errorf("%w: %d people are playing as you or from your address, which is the most; try again when a match has ended", tournament.ErrLimit, n)
	}
	x.matches[who] = append(x.matches[who], "")
	return func(match string) {
		x.mu.Lock()
		defer x.mu.Unlock()
		list := x.matches[who]
		at := slices.Index(list, "")
		if list[at] = match; match == "" {
			x.matches[who] = slices.Delete(list, at, at+1)
		}
	}, nil
}
