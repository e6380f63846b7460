package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/pairing"
)

// Tournament returns the page of a tournament.
func (s *Pages) Tournament(c *gin.Context) ([]byte, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	board, err := named(c, s.director.Scoreboard)
	if err != nil {
		return nil, err
	}
	t := board.Tournament
	if t.Unlisted {
		c.Header("X-Robots-Tag", "noindex, nofollow")
	}
	out := pages.Tournament{
		Page:       pages.Page{Title: t.Name, About: s.aboutCup(t), Card: s.cardOf(c, "/tournaments/"+t.ID), At: s.now(), Here: "/tournaments"},
		Tournament: t,
		Rules:      s.rulesPath(t.Game),
		Facts:      facts(t, len(board.Entries), s.now()),
		Aside:      asideOf(board.Aside),
		Groups:     groupsOf(board),
	}
	beside, err := s.store.Beside(c.Request.Context(), t.ID)
	if err != nil {
		return nil, err
	}
	if out.Texts, err = s.textsOf(beside.Texts); err != nil {
		return nil, err
	}
	for _, x := range beside.Series {
		out.Facts = append(out.Facts, pages.Fact{Name: "Series", Value: x.Name, Path: "/series/" + x.ID})
	}
	if t.Status == tournament.Running || t.Status == tournament.Scheduled {
		out.Live = "/v1/tournaments/" + t.ID + "/events"
	}
	standingsOf(&out, board)
	out.Podium = podiumOf(board)
	crossOf(&out, board)
	if err := courseOf(&out, board); err != nil {
		return nil, err
	}
	elimination := t.Format == tournament.SingleElimination || t.Format == tournament.DoubleElimination
	seen := live.RoundsOf(board.Contest, board.Entries, s.engines.HiddenTeams(t.Game))
	for i, r := range board.Contest.Rounds {
		round := roundOf(seen[i], r)
		nameSides(&round, board.Entries)
		out.Rounds = append(out.Rounds, round)
		if elimination || i >= board.Contest.Playoff() {
			out.Bracket = append(out.Bracket, round)
		}
	}
	pages.Join(out.Bracket)
	return s.site.Page("tournament", out)
}

// aboutCup returns a tournament in a sentence.
func (s *Pages) aboutCup(t tournament.Tournament) string {
	return fmt.Sprintf("%s, %s, %s.", s.gameName(t.Game), pages.Spaced(t.Format), t.Status)
}

// standingsOf fills in the lines of the standings.
func standingsOf(out *pages.Tournament, board director.Scoreboard) {
	for _, l := range board.Standings {
		line := pages.Standing{Standing: l}
		if l.WithdrewAfter != nil {
			line.Note = fmt.Sprintf("withdrew after round %d", *l.WithdrewAfter)
			if *l.WithdrewAfter == 0 {
				line.Note = "withdrew before it played"
			}
			if l.IsAnnulled {
				line.Note += ", nothing of what it played counts"
			}
		}
		if state := board.States[l.BotID]; line.Note == "" {
			line.Note = noteOf(state)
		}
		if l.Replaces != "" {
			line.Note = strings.TrimSuffix(fmt.Sprintf("since round %d for %s; %s", l.SinceRound, l.Replaces, line.Note), "; ")
		}
		out.Adjusted = out.Adjusted || l.Adjusted != nil
		out.Standings = append(out.Standings, line)
	}
}

// noteOf says what an entry with a place does now, where the rest of the page does not.
func noteOf(e tournament.EntryState) string {
	switch e.Code {
	case tournament.EntryOver, tournament.EntryWithdrawn, tournament.EntryLeftOut:
		return ""
	case tournament.EntryStart:
		if e.CheckedInAt == nil {
			return ""
		}
		return "checked in"
	}
	return e.String()
}

// maxPodium is the most bots that share the first three places: more have not been told apart yet.
const maxPodium = 6

// podiumOf returns the bots in the first three places; none while they are too many, before anything is over, or if the tournament
// was cancelled.
func podiumOf(board director.Scoreboard) []pages.Place {
	status := board.Tournament.Status
	if status != tournament.Running && status != tournament.Finished {
		return nil
	}
	var out []pages.Place
	played := 0
	for _, l := range board.Standings {
		if l.Rank > 3 {
			break
		}
		place := pages.Place{
			Place:  []string{"1st", "2nd", "3rd"}[l.Rank-1],
			BotID:  l.BotID,
			Bot:    l.Bot,
			Points: pages.Trim(l.Points) + " points",
			First:  l.Rank == 1,
		}
		if l.Points == 1 {
			place.Points = "1 point"
		}
		if place.First && status == tournament.Running {
			place.Place = "leads"
		}
		out, played = append(out, place), played+l.Played
	}
	if played == 0 || len(out) > maxPodium {
		return nil
	}
	return out
}

// asideOf returns the entries without a place: who waits, numbered in the order in which places go to them, and who was left out and why.
func asideOf(entries []tournament.Entry) []pages.Aside {
	var out []pages.Aside
	waiting := 0
	for _, e := range entries {
		one := pages.Aside{BotID: e.BotID, Bot: e.BotName}
		switch e.LeftOut {
		case tournament.NotCheckedIn:
			one.Why = "did not check in"
		case tournament.NoPlace:
			one.Why = "no place came free"
		case tournament.Retired:
			one.Why = "its bot is retired"
		default:
			waiting++
			one.Why = fmt.Sprintf("waits for a place, number %d", waiting)
			if e.CheckedInAt != nil {
				one.Why += ", checked in"
			}
		}
		out = append(out, one)
	}
	return out
}

// textsOf returns the texts of an event that are not empty.
func (s *Pages) textsOf(t tournament.Texts) ([]pages.Text, error) {
	var out []pages.Text
	for _, one := range []struct{ title, markdown string }{
		{"Description", t.Description},
		{"Rules of this tournament", t.Rules},
		{"Prizes", t.Prizes},
	} {
		if one.markdown == "" {
			continue
		}
		html, err := s.site.Prose(one.markdown)
		if err != nil {
			return nil, err
		}
		out = append(out, pages.Text{Title: one.title, HTML: html})
	}
	return out, nil
}

// groupsOf returns the tables of the groups; none if there is but one, which the standings are.
func groupsOf(board director.Scoreboard) []pages.Group {
	tables := pairing.GroupTables(board.Contest)
	if len(tables) < 2 || len(board.Contest.Rounds) == 0 {
		return nil
	}
	out := make([]pages.Group, len(tables))
	for g, lines := range tables {
		out[g].Name = fmt.Sprintf("Group %d", g+1)
		for _, l := range lines {
			out[g].Lines = append(out[g].Lines, tournament.Standing{
				Rank:   l.Rank,
				BotID:  board.Entries[l.Entry].BotID,
				Bot:    board.Entries[l.Entry].BotName,
				Points: l.Points,
				Played: l.Played,
				Wins:   l.Wins,
				Draws:  l.Draws,
				Losses: l.Losses,
			})
		}
	}
	return out
}

func facts(t tournament.Tournament, entries int, now time.Time) []pages.Fact {
	out := []pages.Fact{
		{Name: "Entries", Value: fmt.Sprintf("%d of %d", entries, t.Capacity)},
		{Name: "Table", Value: fmt.Sprintf("%d seats", t.Table)},
		{Name: "Rated", Value: map[bool]string{true: "yes", false: "no"}[t.Rated]},
		{Name: "Duplicate", Value: map[bool]string{true: "every line-up goes round the seats", false: "no"}[t.Duplicate]},
		{Name: "Clock", Value: clockWords(t.Clock)},
	}
	if t.StartedAt != nil {
		out = append(out, pages.Fact{Name: "Started", Value: pages.Day(*t.StartedAt)})
	} else {
		out = append(out, pages.Fact{Name: "Starts", Value: pages.Day(t.StartsAt)})
	}
	if t.Status == tournament.Scheduled {
		if opens := t.CheckInOpens(); t.ChecksIn(now) {
			out = append(out, pages.Fact{Name: "Check-in", Value: "open until the start"})
		} else if opens != nil {
			out = append(out, pages.Fact{Name: "Check-in", Value: pages.Day(*opens) + " until the start"})
		}
		out = append(out, pages.Fact{Name: "Registration", Value: pages.Day(t.OpensAt) + " to " + pages.Day(t.ClosesAt)})
	}
	if t.Unlisted {
		out = append(out, pages.Fact{Name: "Unlisted", Value: "for those who have the link"})
	}
	if t.PausedAt != nil {
		out = append(out, pages.Fact{Name: "Paused since", Value: pages.Day(*t.PausedAt)})
	}
	if t.EndedAt != nil {
		out = append(out, pages.Fact{Name: "Ended", Value: pages.Day(*t.EndedAt)})
	}
	return out
}

// maxCross is the most entries of a crosstable: larger ones are read from the API.
const maxCross = 24

func crossOf(out *pages.Tournament, board director.Scoreboard) {
	if len(board.Standings) > maxCross || len(board.Contest.Rounds) == 0 {
		return
	}
	lines, err := board.Crosstable()
	if err != nil {
		return
	}
	for i, l := range lines {
		row := pages.CrossRow{Rank: l.Rank, BotID: l.Entry.BotID, Bot: l.Entry.BotName}
		for k, x := range l.Cells {
			cell := pages.CrossCell{Self: k == i}
			if x.Blocks > 0 {
				cell.Share, cell.Interval = fmt.Sprintf("%.0f %%", 100*x.Share), fmt.Sprintf("%.0f–%.0f %%", 100*x.Low, 100*x.High)
				cell.Games = fmt.Sprintf("%d games", x.Games)
				cell.Heat = min(int(5*x.Share), 4)
			}
			if a := x.Adjusted; a != nil {
				cell.Adjusted = fmt.Sprintf("%.0f [%.0f, %.0f] %%", 100*a.Value, 100*a.Low, 100*a.High)
				out.CrossAdjusted = true
			}
			row.Cells = append(row.Cells, cell)
		}
		out.Cross = append(out.Cross, row)
	}
}

const (
	maxRacers = 8 // lines of a race: more cannot be told apart
	minRace   = 3 // rounds of a race
)

// courseOf draws how the standings came about: the points of the first bots by round, or the path of a sequential test.
func courseOf(out *pages.Tournament, board director.Scoreboard) error {
	switch board.Tournament.Format {
	case tournament.SingleElimination, tournament.DoubleElimination:
		return nil
	case tournament.SPRT:
		path, err := pairing.Path(board.Contest)
		if err != nil || len(path) < 2 {
			return err
		}
		stands := make([]pages.Stand, len(path))
		for i, v := range path {
			stands[i] = pages.Stand{Pairs: v.Units, LLR: v.LLR}
		}
		out.Walk = pages.WalkOf("The path of the test", stands, path[0].Lower, path[0].Upper)
		return nil
	}
	rounds := pairing.Race(board.Contest)
	if len(rounds) < minRace {
		return nil
	}
	lines, err := pairing.Standings(board.Contest)
	if err != nil {
		return err
	}
	var bots []pages.Racer
	var points [][]float64
	for _, l := range lines[:min(maxRacers, len(lines))] {
		own := make([]float64, len(rounds))
		for i, r := range rounds {
			own[i] = r[l.Entry]
		}
		points = append(points, own)
		bots = append(bots, pages.Racer{BotID: board.Entries[l.Entry].BotID, Bot: board.Entries[l.Entry].BotName})
	}
	if len(bots) > 0 {
		out.Race = pages.RaceOf("Points by round", bots, points)
	}
	return nil
}

// nameSides gives the sides of a round that may be named the ids of their bots.
func nameSides(r *pages.Round, entries []tournament.Entry) {
	ids := map[string]string{}
	for _, e := range entries {
		ids[e.BotName] = e.BotID
	}
	for _, t := range r.Tables {
		for i := range t.Sides {
			t.Sides[i].BotID = ids[t.Sides[i].Bot]
		}
	}
}

// roundOf adds to a round, as everybody may see it, the matches of its blocks.
func roundOf(in wire.Round, r pairing.Round) pages.Round {
	out := pages.Round{Number: in.Round, Name: fmt.Sprintf("Round %d", in.Round)}
	if in.Final {
		out.Name = "Final"
	}
	if in.Playoff {
		out.Name = fmt.Sprintf("Playoff, round %d", in.Round)
	}
	for i, t := range in.Tables {
		best := 0 // how many have the most points
		for _, x := range t.Points {
			if x == slices.Max(t.Points) {
				best++
			}
		}
		table := pages.Table{
			Name:    t.Name,
			Over:    t.Over,
			Sealed:  len(t.Bots) == 0,
			Matches: r.Blocks[i].Matches(),
		}
		for k, bot := range t.Bots {
			side := pages.Side{Bot: bot}
			if t.Over {
				side.Points, side.Best = pages.Trim(t.Points[k]), best == 1 && t.Points[k] == slices.Max(t.Points)
				if t.Winner != "" {
					side.Best = bot == t.Winner
				}
			}
			table.Sides = append(table.Sides, side)
		}
		out.Tables = append(out.Tables, table)
	}
	if len(in.Byes) > 0 {
		out.Notes = append(out.Notes, "Bye: "+strings.Join(in.Byes, ", "))
	}
	for _, a := range in.Absent {
		out.Notes = append(out.Notes, "Absent: "+a.Bot+", "+a.Why)
	}
	for _, x := range in.Changes {
		note := fmt.Sprintf("Paired by hand on %s: %s.", pages.Day(x.At), strings.TrimSuffix(x.Reason, "."))
		for i, table := range x.Tables {
			note += []string{" Before: ", "; "}[min(i, 1)] + strings.Join(table, " – ")
		}
		out.Notes = append(out.Notes, note)
	}
	for _, w := range in.Forfeits {
		out.Notes = append(out.Notes, strings.TrimSpace(fmt.Sprintf("Forfeit of %s, %s. %s", w.Loser, w.Why, w.Winner)))
	}
	return out
}
