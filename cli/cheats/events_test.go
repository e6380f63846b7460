package cheats_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/molerun/molerun/cli/cheats"
)

// small is a garden of nine squares: ten decisions a match. Who starts at a corner and keeps to the red flowers wins.
func small() fields {
	return fields{
		"columns": 3, "rows": 3, "discs": fields{"orange": 0, "black": 3}, "rods": 2,
		"flowers": fields{"red": []string{"a1", "a3", "c1", "c3"}, "white": []string{"a2", "b1", "b3", "c2"}},
	}
}

// cup is a tournament.
type cup struct {
	*platform
	organiser *user
	id        string
	code      string // of an invitation
	players   []player
}

// announce makes a tournament of the small garden, a round robin at tables of two, other than more says. A rated one is of the
// ladder's garden.
func (p *platform) announce(t *testing.T, more fields) cup {
	t.Helper()
	in := event(more)
	var made struct {
		ID         string
		InviteCode string `json:"invite_code"`
	}
	organiser := p.anOrganiser(t)
	organiser.do(t, http.MethodPost, "/v1/tournaments", in, &made)
	return cup{platform: p, organiser: organiser, id: made.ID, code: made.InviteCode}
}

// anOrganiser returns an organiser with room for another tournament: each may have fifty that are not over, and cheats leave some.
func (p *platform) anOrganiser(t *testing.T) *user {
	t.Helper()
	p.announcing.Lock()
	defer p.announcing.Unlock()
	if p.announced%50 == 0 {
		p.announcer = p.appointed(t, "organiser")
	}
	p.announced++
	return p.announcer
}

// event is the request for it.
func event(more fields) fields {
	now := time.Now().UTC()
	in := fields{
		"name": "cup", "game": "molehill", "config": small(), "table_size": 2, "format": "round_robin", "cycles": 1, "duplicate": false, "rated": false,
		"capacity": 16, "opens_at": now.Add(-time.Minute), "closes_at": now.Add(time.Hour), "starts_at": now.Add(time.Hour),
	}
	maps.Copy(in, more)
	if more["config"] == nil && (in["game"] != "molehill" || in["rated"] == true) {
		delete(in, "config")
	}
	return in
}

func ratedElsewhere() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "rated events of a garden of 3 × 3 with 10 ms, which only the cheat's bot plays well", Unit: "events that move the ladder", Tolerance: 0,
			Stops: "a rated tournament has the ladder's configuration, and at least its clock and fault limits",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			rated := 0.0
			for _, other := range []fields{
				{"config": small()},
				{"clock": fields{"limit_ms": 10, "bank_ms": 0, "increment_ms": 0, "network_allowance_ms": 0}},
				{"config": small(), "clock": fields{"limit_ms": 10, "bank_ms": 0, "increment_ms": 0, "network_allowance_ms": 0}},
				{"config": fields{}, "fault_limits": fields{"max_faults_in_row": 1, "max_faults": 1}},
			} {
				if p.organiser.ok(http.MethodPost, "/v1/tournaments", event(other.with("rated", true))) {
					rated++
				}
			}
			return []cheats.Trial{{Cheat: rated}, {Cheat: rated}}
		},
	}
}

// path is that of something of the tournament.
func (c cup) path(rest string) string { return "/v1/tournaments/" + c.id + rest }

// start enters players and begins.
func (c cup) start(t *testing.T, players ...player) cup {
	t.Helper()
	for _, x := range players {
		x.owner.do(t, http.MethodPost, c.path("/entries"), fields{"bot_id": x.id}, nil)
	}
	c.players = players
	c.organiser.do(t, http.MethodPost, c.path("/start"), nil, nil)
	return c
}

// finish waits for the end.
func (c cup) finish(t *testing.T) cup {
	t.Helper()
	c.within(t, "the end of a tournament", func() bool {
		var now struct{ Status string }
		c.organiser.get(t, c.path(""), &now)
		return now.Status == "finished"
	})
	return c
}

// standing is a line of a tournament's standings.
type standing struct {
	BotID  string `json:"bot_id"`
	Played int
	Points float64
	Wins   int
	Losses int
	Faults int
	Rank   int
}

// standings are by the id of the bot.
func (c cup) standings(t *testing.T) map[string]standing {
	t.Helper()
	var list struct{ Data []standing }
	c.organiser.get(t, c.path("/standings"), &list)
	out := map[string]standing{}
	for _, s := range list.Data {
		out[s.BotID] = s
	}
	return out
}

// seat is a seat of a match.
type seat struct {
	Seat  int
	Alias string
	BotID string `json:"bot_id"`
}

// match is what everybody sees of a match.
type match struct {
	ID         string
	Status     string
	Reason     string
	Commitment string
	Rated      bool
	Round      int
	Block      int
	Number     int
	Seats      []seat
	CreatedAt  time.Time  `json:"created_at"`
	StartedAt  *time.Time `json:"started_at"`
	EndedAt    *time.Time `json:"ended_at"`
	Outcome    *struct {
		Result *struct {
			Team   []string
			Points []float64
		}
		Rank    []int
		Retired []int
		Faults  []int
	}
}

// matches are those of a tournament, in the order of the schedule.
func (c cup) matches(t *testing.T) (all []match) {
	t.Helper()
	return c.pages(t, c.path("/matches?limit=100"))
}

// pages are all matches of a list, from the first to the last.
func (p *platform) pages(t *testing.T, path string) (all []match) {
	t.Helper()
	for next := path; next != ""; {
		var list struct {
			Data []match
			Next string `json:"next_cursor"`
		}
		p.organiser.get(t, next, &list)
		all = append(all, list.Data...)
		if next = ""; list.Next != "" {
			next = path + "&cursor=" + list.Next
		}
	}
	return all
}

// decision is a line of the ledger.
type decision struct {
	Seat   int
	Step   int
	By     string
	Fault  string
	Reason string
	Clock  struct {
		ElapsedUS   int64 `json:"elapsed_us"`
		ChargedUS   int64 `json:"charged_us"`
		RoundTripUS int64 `json:"round_trip_us"`
	}
}

// ledger is what the owner of a player is told of its decisions in a match.
func (x player) ledger(t *testing.T, m match) (list []decision) {
	t.Helper()
	for _, s := range m.Seats {
		if s.BotID == x.id {
			var all struct{ Data []decision }
			x.owner.get(t, fmt.Sprintf("/v1/matches/%s/decisions?seat=%d&limit=100", m.ID, s.Seat), &all)
			list = append(list, all.Data...)
		}
	}
	return list
}

// duel is a tournament of two with so many matches, played to its end.
func (p *platform) duel(t *testing.T, a, b player, matches int, more fields) cup {
	t.Helper()
	in := fields{"cycles": matches}
	maps.Copy(in, more)
	return p.announce(t, in).start(t, a, b).finish(t)
}

// lost is the share of the planned matches of a duel that the first has lost.
func (c cup) lost(t *testing.T, planned int) float64 {
	t.Helper()
	return float64(c.standings(t)[c.players[0].id].Losses) / float64(planned)
}

// change is what one match did to the rating of a player.
type change struct {
	MatchID              string `json:"match_id"`
	VersionID            string `json:"version_id"`
	Before, Delta, After float64
	K, Expected, Score   float64
	Seq                  int64
}

// changes are those of a player's rating, the oldest first, once at least so many are there.
func (p *platform) changes(t *testing.T, x player, least int) (list []change) {
	t.Helper()
	p.within(t, fmt.Sprintf("%d changes of a rating", least), func() bool {
		var all struct{ Data []change }
		x.owner.get(t, "/v1/bots/"+x.id+"/rating-history?limit=100", &all)
		list = all.Data
		return len(list) >= least
	})
	return list
}

// gained is the sum of some changes.
func gained(list []change) (sum float64) {
	for _, c := range list {
		sum += c.Delta
	}
	return sum
}
