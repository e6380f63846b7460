package web

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// Bot returns the page of a bot.
func (s *Pages) Bot(c *gin.Context) ([]byte, error) {
	career, err := Named(c, s.Store.Career)
	if err != nil {
		return nil, err
	}
	b := career.Bot
	out := pages.Bot{
		Page:   pages.Page{Title: b.Name, About: b.Name + " by " + career.Owner + ": rating, results by opponent, role and seat, last matches.", At: s.Now(), Here: "/bots"},
		ID:     b.ID,
		Name:   b.Name,
		Owner:  career.Owner,
		Status: string(b.Status),
		Why:    b.OpenReason(),
		Since:  b.CreatedAt,
	}
	out.Headline = s.headline(career)
	for _, v := range career.Versions {
		out.Versions = append(out.Versions, pages.Version{Number: v.Number, Build: v.Build, Made: v.CreatedAt})
	}
	out.Plots = s.plots(career.Points)
	s.results(&out, career)
	return s.site.Page("bot", out)
}

// headline says in a sentence how a bot stands on one ladder: where most of the ranked stand behind it, or else what it has played most.
func (s *Pages) headline(career store.Career) string {
	if len(career.Places) == 0 {
		return "is not rated yet"
	}
	best := career.Places[0]
	for _, p := range career.Places {
		if p.Place > 0 && (best.Place == 0 || (p.Ranked-p.Place)*best.Ranked > (best.Ranked-best.Place)*p.Ranked) {
			best = p
		}
	}
	out := fmt.Sprintf("is rated %s at %s after %s", pages.Elo(best.Milli), s.Engines.NameOf(best.LadderID), game.Plural(best.Games, "match"))
	switch tournament.LineClasses()[best.Class] {
	case tournament.LineEstablished:
		return out + fmt.Sprintf(", rank %d of %d", best.Place, best.Ranked)
	case tournament.LineProvisional:
		return out + ", not ranked yet"
	}
	return out + ", not ranked any more"
}

// plots returns the rating histories of a bot, one per ladder.
func (s *Pages) plots(all []store.CareerPoint) []pages.Plot {
	var out []pages.Plot
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].LadderID == all[0].LadderID {
			n++
		}
		list := make([]pages.Point, n)
		for i, p := range all[:n] {
			list[i] = pages.Point{
				Version: p.Version,
				Rating:  tournament.Elo(p.Milli),
				Low:     tournament.Elo(p.LowMilli),
				High:    tournament.Elo(p.HighMilli),
			}
		}
		last, title := list[n-1], "Ladder of "+s.Engines.NameOf(all[0].LadderID)
		out = append(out, pages.Plot{
			Ladder: all[0].LadderID,
			Title:  title,
			SVG:    pages.History(fmt.Sprintf("%s: rating by fit, %.1f at the last", title, last.Rating), list),
			Text:   fmt.Sprintf("The last fit: %.1f, with its 95 %% interval, the band, from %.0f to %.0f. A dashed line marks a new version.", last.Rating, last.Low, last.High),
		})
		all = all[n:]
	}
	return out
}

// results counts the last matches of a bot by opponent, role and seat.
func (s *Pages) results(out *pages.Bot, career store.Career) {
	var took []time.Duration
	var used claim.Used
	believed := map[string]claim.Account{} // by game
	against, role, seats := newTally("By bot at the table", "Bot at the table"), newTally("By role", "Role"), newTally("By seat", "Seat")
	for _, m := range career.Matches {
		scores := rating.Points(*m.Result, m.Retired)
		for i, seat := range m.Seats {
			if seat.BotID != career.Bot.ID {
				continue
			}
			verdict := tournament.VerdictOf(scores[i], m.Rank[i])
			p := pages.Played{
				ID:     m.ID,
				Game:   s.Engines.NameOf(m.Game),
				Seat:   i,
				Steps:  m.Steps,
				Result: string(verdict),
				Faults: seat.Faults,
				P95:    pages.Latency(seat.P95),
			}
			p.Role, _ = pages.ResultOf(*m.Result, i)
			if m.EndedAt != nil {
				p.When = *m.EndedAt
			}
			for _, o := range m.Seats {
				if o.BotID != career.Bot.ID {
					p.Against = append(p.Against, pages.MatchPlayer{BotID: o.BotID, Bot: o.BotName})
					against.add(o.BotName, "/bots/"+o.BotID, verdict, seat.Faults)
				}
			}
			if p.Role != "" {
				role.add(s.Engines.NameOf(m.Game)+": "+p.Role, "", verdict, seat.Faults)
			}
			seats.add(s.Engines.NameOf(m.Game)+": seat "+strconv.Itoa(i), "", verdict, seat.Faults)
			used.Sum(seat.Used)
			a := believed[p.Game]
			a.Own.Add(seat.Own)
			a.Rules.Add(seat.Rules)
			believed[p.Game] = a
			if seat.P95 > 0 {
				took = append(took, seat.P95)
			}
			out.Matches, out.Faults = append(out.Matches, p), out.Faults+seat.Faults
		}
	}
	if slices.Sort(took); len(took) > 0 {
		out.P95, out.Slowest = pages.Latency(took[len(took)/2]), pages.Latency(took[len(took)-1])
	}
	out.Used, out.Beliefs = used.String(), pages.BeliefsOf(believed)
	out.Seats = len(out.Matches)
	for _, t := range []*tally{against, role, seats} {
		if len(t.rows) > 0 {
			out.By = append(out.By, t.tally())
		}
	}
}

// tally counts verdicts by a name.
type tally struct {
	title, column string
	rows          map[string]*pages.TallyRow
}

func newTally(title, column string) *tally {
	return &tally{title, column, map[string]*pages.TallyRow{}}
}

func (t *tally) add(name, path string, v tournament.Verdict, faults int) {
	r := t.rows[name]
	if r == nil {
		r = &pages.TallyRow{Name: name, Path: path}
		t.rows[name] = r
	}
	switch v {
	case tournament.Win:
		r.Wins++
	case tournament.Draw:
		r.Draws++
	default:
		r.Losses++
	}
	r.Faults += faults
}

func (t *tally) tally() pages.Tally {
	out := pages.Tally{Title: t.title, Column: t.column}
	for _, r := range t.rows {
		n := r.Wins + r.Draws + r.Losses
		share := (float64(r.Wins) + float64(r.Draws)/2) / float64(n)
		r.Share, r.Bar = fmt.Sprintf("%.0f %%", 100*share), pages.Share(share)
		out.Rows = append(out.Rows, *r)
	}
	slices.SortFunc(out.Rows, func(a, b pages.TallyRow) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
