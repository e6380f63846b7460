package cheats_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
)

// tournaments are cheats with entries, versions and ladders.
func tournaments() []entry {
	l := new(ladder)
	return []entry{
		ratedElsewhere(),
		promoting(), withdrawing(), inheriting(), endless(), long(),
		l.entry("starting again with a new bot after losing", "a bot ranks once it is established; until then its line stands apart", "", func(p ladderPlaces) (float64, float64) { return p.again, p.fallen }),
		l.entry("a rank by one lucky win", "a bot ranks once it is established; until then its line stands apart", "", func(p ladderPlaces) (float64, float64) { return p.lucky, p.fallen }),
		l.entry("parking at the peak", "", "a line keeps its rating and its interval while nothing is played; it leaves the ranking when it has not played for a month", func(p ladderPlaces) (float64, float64) { return p.parked, p.playing }),
	}
}

// promoting is a stronger version that is promoted while its bot plays a tournament.
func promoting() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "promoting another version in the middle of a tournament", Unit: "points of a match", Tolerance: 0.1,
			Stops: "an entry is fixed to the version of its start",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			points := func(promote bool) float64 {
				const matches = 3
				var once sync.Once
				asked, free := make(chan struct{}), make(chan struct{})
				u := p.owner(t)
				x := p.enrol(t, u, p.house(mind(t, func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
					once.Do(func() { close(asked) })
					<-free
					return weak()(ctx, turn)
				}, kit.Bot{})))
				u.do(t, http.MethodPost, "/v1/bots/"+x.id+"/versions", fields{"url": p.house(mind(t, strong(), kit.Bot{}))}, nil)
				c := p.announce(t, fields{"cycles": matches}).start(t, x, p.bot(t, strong()))
				<-asked
				if promote {
					u.do(t, http.MethodPost, "/v1/bots/"+x.id+"/promote", fields{"number": 2}, nil)
				}
				close(free)
				return c.finish(t).standings(t)[x.id].Points / matches
			}
			return cheats.Trial{Cheat: points(true), Honest: points(false)}
		}),
	}
}

// withdrawing is a bot that leaves a tournament after it has lost.
func withdrawing() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "withdrawing when behind", Unit: "points of rating kept from matches that were lost", Tolerance: 1,
			Stops: "what was played is rated, whoever leaves; what is forfeited counts in the table",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			own := newPlatform(t, p.binary, 1) // so that one match is over before the next begins
			return gather(2, func(int) cheats.Trial {
				first := func(leave bool) float64 {
					x := own.bot(t, late(weak(), 20*time.Millisecond))
					c := own.announce(t, fields{"rated": true, "cycles": 3}).start(t, x, own.bot(t, strong()), own.bot(t, strong()))
					own.within(t, "a loss", func() bool { return c.standings(t)[x.id].Losses > 0 })
					if leave {
						x.owner.do(t, http.MethodDelete, c.path("/entries/"+x.id), nil, nil)
					}
					c.finish(t)
					list := own.changes(t, x, 1)
					slices.SortFunc(list, func(a, b change) int { return int(a.Seq - b.Seq) })
					return list[0].Delta
				}
				return cheats.Trial{Cheat: first(true), Honest: first(false)}
			})
		},
	}
}

// inheriting is a bot that goes back from a version that partners have made strong, so that the next inherits from it.
func inheriting() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "a new version that inherits from one that was rolled back", Unit: "points of rating above the version it replaces", Tolerance: 1,
			Stops: "a version inherits from the one that it replaces",
		},
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			x, rated := p.bot(t, weak()), fields{"rated": true}
			version := func(number int, decide kit.Decide) {
				if decide != nil {
					x.owner.do(t, http.MethodPost, "/v1/bots/"+x.id+"/versions", fields{"url": p.house(mind(t, decide, kit.Bot{}))}, nil)
				}
				x.owner.do(t, http.MethodPost, "/v1/bots/"+x.id+"/promote", fields{"number": number}, nil)
			}
			p.duel(t, x, p.bot(t, strong()), 2, rated)
			version(2, strong())
			p.duel(t, x, p.bot(t, weak()), 4, rated)
			version(1, nil)
			version(3, weak())
			p.duel(t, x, p.bot(t, strong()), 1, rated)
			list := p.changes(t, x, 7)
			slices.SortFunc(list, func(a, b change) int { return int(a.Seq - b.Seq) })
			replaced := list[1].After // of version 1, after its two matches
			return cheats.Trial{Cheat: list[6].Before, Honest: replaced}
		}),
	}
}

// ladderPlaces are what share of the established bots of a ladder some lines stand above.
type ladderPlaces struct{ fallen, again, lucky, parked, playing float64 }

// ladder is a ladder with a history, made once for all who try to climb it.
type ladder struct {
	once   sync.Once
	places []ladderPlaces
}

func (l *ladder) entry(name, stops, remains string, of func(p ladderPlaces) (cheat, honest float64)) entry {
	return entry{
		Cheat: cheats.Cheat{Name: name, Unit: "share of the established bots that the line is ranked above", Tolerance: 0.1, Stops: stops, Remains: remains},
		play: func(t *testing.T, p *platform) (list []cheats.Trial) {
			l.once.Do(func() { l.places = p.climbed(t) })
			for _, x := range l.places {
				cheat, honest := of(x)
				list = append(list, cheats.Trial{Cheat: cheat, Honest: honest})
			}
			return list
		},
	}
}

// row is a line of a ladder.
type row struct {
	Rank        int
	BotID       string `json:"bot_id"`
	Matches     int
	Provisional bool
	Class       string // where lines stand apart: established, or why not
}

// above is the share of the established that a bot is ranked above; 0 if it has no rank.
func above(list []row, id string) float64 {
	established := slices.DeleteFunc(slices.Clone(list), func(r row) bool { return r.Matches < 30 || r.BotID == id })
	i := slices.IndexFunc(list, func(r row) bool { return r.BotID == id })
	if i < 0 || list[i].Rank == 0 || list[i].Class != "" && list[i].Class != "established" {
		return 0
	}
	below := 0
	for _, r := range established {
		if r.Rank == 0 || r.Rank > list[i].Rank {
			below++
		}
	}
	return float64(below) / float64(len(established))
}

// climbed plays a ladder of six bots of which one is weak and five are alike, and then has some try to stand above them.
func (p *platform) climbed(t *testing.T) []ladderPlaces {
	t.Helper()
	own := newPlatform(t, p.binary, 16)
	fallen := own.bot(t, weak())
	rivals := []player{fallen}
	for range 5 {
		rivals = append(rivals, own.bot(t, lucky))
	}
	own.announce(t, fields{"rated": true, "cycles": 12}).start(t, rivals...).finish(t)
	rated := fields{"rated": true}
	one := func(x player, rival kit.Decide, matches int) player {
		own.duel(t, x, own.bot(t, rival), matches, rated)
		own.changes(t, x, matches)
		return x
	}
	out := make([]ladderPlaces, 5) // two that differ would show nothing
	for i := range out {
		again := one(own.bot(t, weak()), strong(), 1)
		lucky := one(own.bot(t, weak()), quits, 1)
		parked := one(own.bot(t, weak()), quits, 4)
		playing := one(own.bot(t, weak()), quits, 4)
		parked.owner.do(t, http.MethodPost, "/v1/bots/"+parked.id+"/pause", nil, nil)
		one(playing, strong(), 4)
		var all struct{ Data []row }
		own.organiser.get(t, fmt.Sprintf("/v1/ladders/%s/entries?limit=100", "molehill"), &all)
		place := func(x player) float64 { return above(all.Data, x.id) }
		out[i] = ladderPlaces{fallen: place(fallen), again: place(again), lucky: place(lucky), parked: place(parked), playing: place(playing)}
	}
	return out
}
