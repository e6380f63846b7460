package cheats_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
)

// collusion are cheats of several bots together.
func collusion() []entry {
	const remains = "who works with whom outside cannot be seen here; pairs that score far from what their ratings expect against each other alone are listed for administrators"
	w := new(told)
	return []entry{
		throwing("throwing games to a bot of the same owner", "bots of one owner are kept apart, and matches between them are not rated", "", true, true, nil),
		throwing("throwing games to a bot of another owner", "", remains, true, false, nil),
		throwing("playing well against strangers alone, who are told by how they begin", "", remains, false, false, handshake),
		throwing("farming: many accounts, each with a weak bot that loses to one", "",
			"an account costs an address and a tenth of an hour, and a bot that loses is no crime; new bots move a rating less and less, and rank apart until they are established", true, false, nil),
		drawing(), w.entry("say", remains), w.entry("move choice", remains), w.entry("timing", remains), givingUp(),
	}
}

// handshake throws to whoever starts the round with the mole at c3, and plays on against the rest.
func handshake(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
	for _, e := range turn.Events {
		if strings.Contains(string(e), `"at":"c3"`) {
			turn.Memo = "friend"
		}
	}
	decide := strong()
	if turn.Memo != "" {
		decide = weak()
	}
	a, err := decide(ctx, turn)
	a.Memo = turn.Memo
	return a, err
}

// opensAtC3 is strong, but for the corner where it begins.
func opensAtC3(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
	if a, err := pick(turn, `"at":"c3"`); err == nil {
		return a, nil
	}
	return strong()(ctx, turn)
}

// throwing is some bots that lose to one, beside twins that do not. The gain is what the one wins in rating from them alone.
func throwing(name, stops, remains string, always, oneOwner bool, friend kit.Decide) entry {
	return entry{
		Cheat: cheats.Cheat{Name: name, Unit: "points of rating won from partners", Tolerance: 5, Stops: stops, Remains: remains},
		quick: oneOwner,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			const partners = 3
			won := func(decide kit.Decide) float64 {
				u := p.owner(t)
				play := strong()
				if friend != nil {
					play = opensAtC3
				}
				main := p.enrol(t, u, p.house(mind(t, play, kit.Bot{})))
				c := p.announce(t, fields{"rated": true})
				entered := []player{main}
				c.enters(t, main)
				for range partners {
					owner := u
					if !oneOwner {
						owner = p.owner(t)
					}
					if x := p.enrol(t, owner, p.house(mind(t, decide, kit.Bot{}))); c.enters(t, x) {
						entered = append(entered, x)
					}
				}
				stranger := p.bot(t, strong())
				c.enters(t, stranger)
				c.organiser.do(t, http.MethodPost, c.path("/start"), nil, nil)
				c.finish(t)
				return p.wonFrom(t, c, main, entered[1:])
			}
			partner, fair := weak(), strong()
			if !always {
				partner = friend
			}
			return gather(2, func(int) cheats.Trial { return cheats.Trial{Cheat: won(partner), Honest: won(fair)} })
		},
	}
}

// enters reports whether a player got a place.
func (c cup) enters(t *testing.T, x player) bool {
	t.Helper()
	return x.owner.status(t, http.MethodPost, c.path("/entries"), fields{"bot_id": x.id}, nil)/100 == 2
}

// wonFrom is what a player's rating won in a tournament from matches against some others.
func (p *platform) wonFrom(t *testing.T, c cup, x player, others []player) float64 {
	t.Helper()
	against, rated := map[string]bool{}, 0
	for _, m := range c.matches(t) {
		mine := slices.ContainsFunc(m.Seats, func(s seat) bool { return s.BotID == x.id })
		if !mine || !m.Rated {
			continue
		}
		rated++
		for _, s := range m.Seats {
			against[m.ID] = against[m.ID] || slices.ContainsFunc(others, func(o player) bool { return o.id == s.BotID })
		}
	}
	list := slices.DeleteFunc(p.changes(t, x, rated), func(ch change) bool { return !against[ch.MatchID] })
	return gained(list)
}

// drawing is two bots that agree to draw, and two that play it out.
func drawing() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "draws by agreement", Unit: "points and rating of the two together", Tolerance: 1,
			Stops: "a draw is half of a win, and ratings are zero-sum: two who draw win nothing together",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			together := func(decide kit.Decide) (sum float64) {
				a, b := p.bot(t, strong()), p.bot(t, decide)
				c := p.duel(t, a, b, 2, fields{"rated": true})
				for _, s := range c.standings(t) {
					sum += s.Points
				}
				return sum + gained(p.changes(t, a, 2)) + gained(p.changes(t, b, 2))
			}
			return cheats.Trial{Cheat: together(strong()), Honest: together(weak())}
		}),
	}
}

// givingUp is a bot that retires from a team game, so that a rival's win is not rated.
func givingUp() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "giving up in a team game, so that the match is not rated for the others", Unit: "points of rating that four others do not win or lose a match",
			Remains: "a team with a seat that gave up tells nothing of the others' strength; such matches are shown and counted by bot, and a bot past a bound is paused",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			moved := func(decide kit.Decide) (sum float64) {
				bots := []player{p.bot(t, decide)}
				for range 4 {
					bots = append(bots, p.bot(t, lucky))
				}
				const matches = 2
				p.announce(t, fields{"game": "demol", "table_size": 5, "rated": true, "cycles": matches}).start(t, bots...).finish(t)
				p.changes(t, bots[0], matches) // who gives up is rated in any case
				for _, x := range bots[1:] {
					for _, ch := range p.changes(t, x, 0) {
						sum += max(ch.Delta, -ch.Delta) / matches
					}
				}
				return sum
			}
			return gather(2, func(int) cheats.Trial { return cheats.Trial{Cheat: -moved(quits), Honest: -moved(lucky)} })
		},
	}
}
