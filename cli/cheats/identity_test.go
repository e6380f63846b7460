package cheats_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
)

// identities are cheats that learn what is hidden: who the opponent is, and who is on which team.
func identities() []entry {
	w := new(watch)
	const told = "share of opponents told right, above one in four"
	return []entry{
		w.entry("by their aliases", told, "aliases are drawn again for each match", "", func(a, b sight) float64 {
			return 2 - common(a.alias, b.alias)
		}),
		w.entry("by the ids of matches", told, "ids tell when they were made, and nothing else", "", func(a, b sight) float64 {
			return distance(a.id, b.id)
		}),
		w.entry("by commitments, and so by seeds", told, "a commitment hashes a secret seed with a nonce; both are drawn for the match", "", func(a, b sight) float64 {
			return distance(a.commitment, b.commitment)
		}),
		w.entry("by the order in which they are met", told, "", "whoever meets whom in a schedule is public; aliases keep names out of messages, not out of the list of fixtures", func(a, b sight) float64 {
			return float64(((a.place-b.place)%field + field) % field)
		}),
		w.entry("by how long they think", told, "", "whoever waits for an answer sees how long it takes, as at any table", func(a, b sight) float64 {
			return math.Abs(float64(a.pace - b.pace))
		}),
		roles(),
	}
}

// field is how many opponents are to be told apart, cycles how often each of them is met.
const field, cycles = 4, 6

// sight is what a bot sees of one match, and, once the match is over, whom it met.
type sight struct {
	alias, id, commitment string
	place                 int // in the schedule
	pace                  time.Duration
	opponent              string
}

// watch is a gauntlet of one watcher against a field whose bots play alike and take each their own time, played once for
// all who want to see it.
type watch struct {
	once  sync.Once
	sight []sight
}

// entry tells an opponent by the matches most like this one, as many as there are others against it.
func (w *watch) entry(name, unit, stops, remains string, unlike func(a, b sight) float64) entry {
	return entry{
		Cheat: cheats.Cheat{Name: "telling opponents across aliases " + name, Unit: unit, Tolerance: 0.2, Stops: stops, Remains: remains},
		quick: true,
		play: func(t *testing.T, p *platform) (list []cheats.Trial) {
			w.once.Do(func() { w.sight = p.watched(t) })
			for i, a := range w.sight {
				var far []float64
				for j, b := range w.sight {
					if j != i {
						far = append(far, unlike(a, b))
					}
				}
				slices.Sort(far)
				right, like := 0.0, 0.0
				for j, b := range w.sight {
					if j == i || unlike(a, b) > far[cycles-2] {
						continue
					}
					if like++; b.opponent == a.opponent {
						right++
					}
				}
				// Of the other matches a little fewer are against the same opponent than one in four.
				list = append(list, cheats.Trial{Cheat: right / like, Honest: (cycles - 1.0) / float64(len(w.sight)-1)})
			}
			return list
		},
	}
}

// common is how many of the two words of an alias are the same.
func common(a, b string) (n float64) {
	for i, word := range strings.SplitN(a, "-", 2) {
		if other := strings.SplitN(b, "-", 2); i < len(other) && other[i] == word {
			n++
		}
	}
	return n
}

// distance is that of the last eight bytes of two texts in hex: of a number that tells no time.
func distance(a, b string) float64 {
	number := func(s string) float64 {
		raw, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
		if err != nil || len(raw) < 8 {
			return 0
		}
		return float64(binary.BigEndian.Uint64(raw[len(raw)-8:]))
	}
	return math.Abs(number(a) - number(b))
}

// watcher is a bot that notes what it can see of who it plays against.
type watcher struct {
	mu       sync.Mutex
	seen     map[string]*sight // by match
	answered map[string]time.Time
	plain    http.Handler
}

// ServeHTTP answers as the plain bot does.
func (x *watcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var m struct {
		Type, Match, Commitment string
		Opponents               []protocol.Opponent
	}
	if err != nil || json.Unmarshal(body, &m) != nil {
		return
	}
	x.mu.Lock()
	if x.seen[m.Match] == nil {
		x.seen[m.Match] = new(sight)
	}
	switch s := x.seen[m.Match]; m.Type {
	case protocol.TypeStart:
		s.alias, s.commitment, s.id = m.Opponents[0].Alias, m.Commitment, m.Match
	case protocol.TypeTurn:
		if last, ok := x.answered[m.Match]; ok {
			s.pace += time.Since(last)
		}
	}
	x.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	x.plain.ServeHTTP(w, r)
	x.mu.Lock()
	x.answered[m.Match] = time.Now()
	x.mu.Unlock()
}

// watched plays the gauntlet.
func (p *platform) watched(t *testing.T) (list []sight) {
	t.Helper()
	x := &watcher{seen: map[string]*sight{}, answered: map[string]time.Time{}, plain: mind(t, strong(), kit.Bot{})}
	me := p.enrol(t, p.owner(t), p.house(x))
	c := p.announce(t, fields{"format": "gauntlet", "cycles": cycles})
	me.owner.do(t, http.MethodPost, c.path("/entries"), fields{"bot_id": me.id, "challenger": true}, nil)
	var rivals []player
	for i := range field {
		rivals = append(rivals, p.bot(t, late(strong(), time.Duration(25*i)*time.Millisecond)))
	}
	c.start(t, rivals...).finish(t)
	x.mu.Lock()
	defer x.mu.Unlock()
	for place, m := range c.matches(t) {
		for _, s := range m.Seats {
			if one := x.seen[m.ID]; s.BotID != me.id && one != nil {
				one.opponent, one.place = s.BotID, place
				list = append(list, *one)
			}
		}
	}
	if len(list) != cycles*field {
		t.Fatalf("the watcher has seen %d matches, want %d", len(list), cycles*field)
	}
	return list
}

// roles tells the teams of the last game of a line-up from those of the others, which were public while it ran.
func roles() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "telling the moles of a running match from the games of its line-up that are over", Unit: "share of the moles told right, above 2 in 5", Tolerance: 0.35,
			Stops: "every match is dealt independently of all others",
		},
		quick: true,
		play: func(t *testing.T, p *platform) (list []cheats.Trial) {
			rounds := times(4)
			c := p.announce(t, fields{"game": "demol", "table_size": 5, "duplicate": true, "cycles": rounds})
			var bots []player
			for range 5 {
				bots = append(bots, p.bot(t, lucky))
			}
			c.start(t, bots...).finish(t)
			moles := map[int][][]string{} // by round, which is a line-up that goes round the seats, of each game the bots that were moles
			for _, m := range c.matches(t) {
				if m.Outcome == nil || m.Outcome.Result == nil {
					t.Fatalf("match %s is %s, want a result", m.ID, m.Status)
				}
				var list []string
				for i, team := range m.Outcome.Result.Team {
					if team == "mole" {
						list = append(list, m.Seats[i].BotID)
					}
				}
				moles[m.Round] = append(moles[m.Round], list)
			}
			for _, games := range moles {
				if len(games) != 5 {
					t.Fatalf("a round of %d games, want 5", len(games))
				}
				list = append(list, cheats.Trial{Cheat: lastMoles(bots, games), Honest: 0.4})
			}
			return list
		},
	}
}

// lastMoles is the share of the moles of the last game that are told by who has been a mole least before; of equals by chance.
func lastMoles(bots []player, games [][]string) (share float64) {
	last := games[len(games)-1]
	times := map[string]int{}
	for _, moles := range games[:len(games)-1] {
		for _, id := range moles {
			times[id]++
		}
	}
	for _, id := range last {
		fewer, same := 0, 0
		for _, x := range bots {
			switch {
			case times[x.id] < times[id]:
				fewer++
			case times[x.id] == times[id]:
				same++
			}
		}
		share += min(1, math.Max(0, float64(len(last)-fewer))/float64(same)) / float64(len(last))
	}
	return share
}
