package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/pairing"
)

const (
	// projector is the view of a tournament for a wall, which loads itself again after so many seconds.
	projector, projectorSeconds = "projector", 10
	// linesOnWall and tablesOnWall are how many lines of standings and tables of a round a wall has room for.
	linesOnWall, tablesOnWall = 16, 9
)

// Tournament returns the page of a tournament.
func (s *Pages) Tournament(c *gin.Context) ([]byte, error) {
	q, err := httpx.Query(c, "view")
	if err != nil {
		return nil, err
	}
	view, asked := q["view"]
	if asked && view != projector {
		return nil, httpx.BadQuery("view", "is "+projector+", or left out")
	}
	board, err := Named(c, s.Director.Scoreboard)
	if err != nil {
		return nil, err
	}
	t := board.Tournament
	if t.Unlisted {
		c.Header("X-Robots-Tag", "noindex, nofollow")
	}
	out := pages.Tournament{
		Page:       pages.Page{Title: t.Name, About: s.aboutTournament(t), Card: s.cardOf(c, "/tournaments/"+t.ID), At: s.Now(), Here: "/tournaments"},
		Tournament: t,
		Rules:      s.rulesPath(t.Game),
		Facts:      facts(t),
		Aside:      asideOf(board.Aside),
		Groups:     groupsOf(board),
	}
	beside, err := s.Store.Beside(c.Request.Context(), t.ID)
	if err != nil {
		return nil, err
	}
	if out.Texts, err = s.textsOf(beside.Texts); err != nil {
		return nil, err
	}
	if t.Status == tournament.Running || t.Status == tournament.Scheduled {
		out.Live = "/v1/tournaments/" + t.ID + "/events"
	}
	s.roundsOf(&out, board)
	standingsOf(&out, board)
	out.Podium = podiumOf(board, out)
	crossOf(&out, board)
	if err := courseOf(&out, board); err != nil {
		return nil, err
	}
	s.nameThen(&out, board)
	s.keyFacts(&out, board, beside)
	if view == projector {
		out.Refresh, out.Bare, out.Live = projectorSeconds, true, ""
		out.Turn(int(s.Now().Unix()/projectorSeconds), linesOnWall, tablesOnWall)
		return s.site.Page("projector", out)
	}
	return s.site.Page("tournament", out)
}

// eliminates reports whether a format is a bracket from its first round on.
func eliminates(f tournament.Format) bool {
	return f == tournament.SingleElimination || f == tournament.DoubleElimination
}

// forfeited returns the ties of a round that were not played.
func forfeited(c pairing.Contest, r wire.Round) []pages.Table {
	var out []pages.Table
	for _, w := range r.Forfeits {
		if w.Tie > 0 && w.Winner != "" {
			out = append(out, pages.Table{
				Name: pairing.TieName(c, w.Tie), Tie: w.Tie, Over: true, Sides: []pages.Side{{Bot: w.Winner, Best: true}, {Bot: w.Loser}}, Why: "forfeit: " + w.Why,
			})
		}
	}
	return out
}

// aboutTournament returns a tournament in a sentence.
func (s *Pages) aboutTournament(t tournament.Tournament) string {
	return fmt.Sprintf("%s, %s, %s.", s.Engines.NameOf(t.Game), tournament.Spaced(t.Format), t.Status)
}

// reached heads how far entries came where not all go on.
const reached = "Reached"

// standingsOf fills in the lines of the standings.
func standingsOf(out *pages.Tournament, board director.Scoreboard) {
	first := pairing.ByPoints
	if ties := board.Contest.Settings.Ties(); len(ties) > 0 {
		first = ties[0]
	}
	out.RanksBy = pages.Capital(tournament.Spaced(first))
	stages := map[string]string{} // by bot
	if first == pairing.ByStage {
		out.RanksBy, stages = reached, reachedOf(*out)
	}
	for _, l := range board.Standings {
		line := pages.Standing{Standing: l}
		switch {
		case first == pairing.ByStage && l.Rank == 1 && board.Tournament.Status == tournament.Finished:
			line.Main = "Winner"
		case first == pairing.ByStage:
			line.Main = stages[l.Bot]
		case len(l.Ties) > 0:
			line.Main = pages.Trim(l.Ties[0].Value)
		}
		line.Note = l.Remark()
		state := board.States[l.BotID]
		if does := noteOf(state); l.WithdrewAfter == nil && does != "" {
			line.Note = strings.TrimPrefix(line.Note+"; "+does, "; ")
		}
		line.Note = strings.TrimSuffix(board.Tournament.RoleOf(state.Entry)+line.Note, "; ")
		out.Adjusted = out.Adjusted || l.Adjusted != nil
		out.Standings = append(out.Standings, line)
	}
}

// reachedOf returns the stage of the bracket that each bot came to, or of groups the final.
func reachedOf(out pages.Tournament) map[string]string {
	by := map[string]string{}
	stages := out.Bracket
	if len(stages) == 0 && out.Now != nil && out.Now.Name == finalRound {
		stages = []pages.Round{*out.Now}
	}
	for _, r := range stages {
		for _, t := range r.Tables {
			for _, side := range t.Sides {
				if t.Name == "third place" && !side.Best {
					continue // it came to the semi-final
				}
				by[side.Bot] = pages.Capital(cmp.Or(t.Name, r.Name))
			}
		}
	}
	return by
}

// noteOf says what an entry with a place does now, where the rest of the page does not.
func noteOf(e tournament.EntryState) string {
	switch e.Code {
	case tournament.EntryOver, tournament.EntryWithdrawn, tournament.EntryExcluded, tournament.EntryLeftOut, tournament.EntryHeld:
		return ""
	case tournament.EntryStart:
		if e.CheckedInAt == nil {
			return ""
		}
		return "checked in"
	}
	return e.String()
}

// asideOf returns the entries without a place: those that wait, numbered in the order in which places go to them, those left out and why, and
// those replaced.
func asideOf(entries []tournament.EntryState) []pages.Aside {
	var out []pages.Aside
	waiting := 0
	for _, e := range entries {
		one := pages.Aside{BotID: e.BotID, Bot: e.BotName}
		switch {
		case e.LeftOut == tournament.NotCheckedIn:
			one.Why = "did not check in"
		case e.LeftOut == tournament.NoPlace:
			one.Why = "no place came free"
		case e.LeftOut == tournament.Retired:
			one.Why = "its bot is retired"
		case e.Code == tournament.EntryReplaced:
			one.Why = e.String()
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

// prizes heads what an organiser says is to be won.
const prizes = "Prizes"

// textsOf returns the texts of an event that are not empty.
func (s *Pages) textsOf(t tournament.Texts) ([]pages.Text, error) {
	var out []pages.Text
	for _, one := range []struct{ title, markdown string }{
		{"Description", t.Description},
		{"Rules of this tournament", t.Rules},
		{prizes, t.Prizes},
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
				cell.Games = game.Plural(x.Games, "game")
				cell.Heat = min(int(5*x.Share), 4)
			}
			if a := x.Adjusted; a != nil {
				cell.Adjusted = tournament.Interval("%.0f", 100*a.Value, 100*a.Low, 100*a.High) + " %"
				out.CrossAdjusted = true
			}
			row.Cells = append(row.Cells, cell)
		}
		out.Cross = append(out.Cross, row)
	}
}

const (
	maxRacers = 8 // lines of a race: more cannot be distinguished
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
func nameSides(r pages.Round, entries []tournament.Entry) {
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

// finalRound names the rounds among those whom the groups sent on.
const finalRound = "Final"

// countsForNobody marks what a bot that left too early played or gave away.
const countsForNobody = "counts for nobody"

// roundOf adds to a round, as everybody may see it, the matches of its blocks.
func roundOf(in wire.Round, r pairing.Round) pages.Round {
	out := pages.Round{Number: in.Round, Name: fmt.Sprintf("Round %d", in.Round), Byes: in.Byes}
	if in.Final {
		out.Name = finalRound
	}
	if in.Playoff {
		out.Name = fmt.Sprintf("Playoff, round %d", in.Round)
	}
	for i, t := range in.Tables {
		best := -1 // of a tie nobody: its last table names the winner
		if t.Tie == 0 && len(t.Points) > 0 {
			best = only(t.Points)
		}
		table := pages.Table{
			Name:   t.Name,
			Tie:    t.Tie,
			Over:   t.Over,
			Sealed: len(t.Bots) == 0,
			Games:  gamesOf(r.Blocks[i], t.Over),
		}
		for k, bot := range t.Bots {
			side := pages.Side{Bot: bot}
			if k < len(t.Points) {
				side.Points, side.Scored, side.Best = t.Points[k], true, k == best
			}
			if t.Winner != "" {
				side.Best = bot == t.Winner
			}
			table.Sides = append(table.Sides, side)
		}
		switch {
		case t.Void:
			table.Why = "void"
		case t.Annulled:
			table.Why = countsForNobody
		}
		out.Tables = append(out.Tables, table)
	}
	for _, a := range in.Absent {
		if slices.ContainsFunc(in.Forfeits, func(w wire.Walkover) bool { return w.Loser == a.Bot }) {
			continue // which says it
		}
		out.Notes = append(out.Notes, pages.Note{Text: "Absent: " + a.Bot + ", " + a.Why})
	}
	for _, x := range in.Changes {
		note := pages.Note{Text: "Paired by hand: " + strings.TrimSuffix(x.Reason, ".") + ".", At: x.At}
		for i, table := range x.Tables {
			note.Text += []string{" Before: ", "; "}[min(i, 1)] + strings.Join(table, " – ")
		}
		out.Notes = append(out.Notes, note)
	}
	for _, w := range in.Forfeits {
		to, mark := "", ""
		if w.Winner != "" {
			to = " to " + w.Winner
		}
		if w.Annulled {
			mark = " (" + countsForNobody + ")"
		}
		out.Notes = append(out.Notes, pages.Note{Text: fmt.Sprintf("%s forfeits%s: %s%s.", w.Loser, to, strings.TrimSuffix(w.Why, "."), mark)})
	}
	return out
}

// gamesOf returns the matches of a block and, once all are over, their scores in the order of the block's first seats; none of teams, which have won or
// lost. A winner who has no more than another, by the game's tie-break or as the other was retired, has a mark.
func gamesOf(b pairing.Block, over bool) []pages.TableGame {
	out := make([]pages.TableGame, len(b.Games))
	for i, g := range b.Games {
		out[i].ID = g.Match
		if !over || g.Result == nil || g.Result.Void || len(g.Result.Team) > 0 || len(g.Result.Score) != len(g.Seats) {
			continue
		}
		scores := make([]string, len(g.Seats))
		won, most := only(g.Result.Points), only(g.Result.Score)
		for seat, e := range g.Seats {
			score := pages.Trim(g.Result.Score[seat])
			if seat == won && seat != most {
				score += " ✓"
			}
			scores[slices.Index(b.Games[0].Seats, e)] = score
		}
		out[i].Scores = scores
	}
	return out
}

// only returns the index of the highest number; −1 if several are as high.
func only(list []float64) int {
	most := slices.Max(list)
	at := slices.Index(list, most)
	if slices.Contains(list[at+1:], most) {
		return -1
	}
	return at
}
