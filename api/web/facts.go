package web

// What the page of a tournament says of it in words.

import (
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// keyFacts fills in what everybody asks first.
func (s *Pages) keyFacts(out *pages.Tournament, board director.Scoreboard, beside store.Beside) {
	t, now := board.Tournament, out.At
	add := func(name string, value any, path string) {
		out.Key = append(out.Key, pages.Fact{Name: name, Value: value, Path: path})
	}
	switch t.Status {
	case tournament.Scheduled, tournament.Running:
		if t.Rated {
			add("At stake", "the title, and ratings on the ladder of "+s.Engines.NameOf(t.LadderID), "/ladders/"+t.LadderID)
		} else {
			add("At stake", "the title; nothing is rated", "")
		}
	case tournament.Finished:
		switch {
		case t.Format == tournament.SPRT:
			out.Champion = verdictOf(board.Standings)
		case t.Format == tournament.Gauntlet:
			out.Champion = againstField(board)
		default:
			if first := winners(t.Format, board.Standings); len(first) > 0 {
				out.Champion = game.JoinWords(first...) + " won"
				if len(first) > 1 {
					out.Champion += ": they are equal in all that ranks them"
				}
				out.Champion += "."
			}
		}
	}
	for _, x := range beside.Series {
		add("Series", x.Name, "/series/"+x.ID)
	}
	if i := slices.IndexFunc(out.Texts, func(x pages.Text) bool { return x.Title == prizes }); i >= 0 {
		add(prizes, "what there is to win", fmt.Sprintf("#text%d", i))
	}
	entry, open := entryWords(board, now)
	if out.Open = open; entry != "" {
		add("Entries", entry, "")
	}
	if t.Status == tournament.Scheduled {
		if opens := t.CheckInOpens(); t.ChecksIn(now) {
			add("Check-in", "open until the start; entries that do not check in are left out", "")
		} else if opens != nil {
			add("Check-in", pages.Time(*opens)+" until the start", "")
		}
		if t.Invite.Needed() {
			add("Invitation", "needed: the organiser has the code", "")
		}
	}
	if t.Status == tournament.Running && t.PausedAt != nil {
		add("Paused", "since "+pages.Time(*t.PausedAt)+": no match begins until the organiser goes on", "")
	}
	if out.Now != nil && t.Status == tournament.Running {
		var does any = fmt.Sprintf("%s: %d of %s over", out.Now.Name, out.Now.Over(), game.Plural(len(out.Now.Tables), "table"))
		if starts := board.Contest.Rounds[len(board.Contest.Rounds)-1].StartsAt; t.PausedAt == nil && starts.After(now) { // after a pause between rounds
			does = template.HTML(template.HTMLEscapeString(out.Now.Name)+" begins ") + pages.Left(now, starts)
		}
		add("Now", does, "")
	}
	switch ends := t.Ends(now); {
	case ends == nil || t.Status != tournament.Running:
	case t.PausedAt != nil:
		add("Ends", tournament.SpanWords(max(0, ends.Sub(now)).Milliseconds())+" after it goes on", "")
	default:
		add("Ends", pages.Left(now, *ends), "")
	}
	add("How", s.course(t, board), "")
}

// course says how a tournament is played.
func (s *Pages) course(t tournament.Tournament, board director.Scoreboard) string {
	out := pages.Capital(tournament.Spaced(t.Format))
	entries := t.Capacity
	if t.Status != tournament.Scheduled {
		entries = len(board.Entries)
	}
	first := board.Contest.Settings
	if first.Playoff != "" {
		first.Playoff, first.Finalists = "", 0
	}
	switch n := pairing.Rounds(entries, first); {
	case t.Status == tournament.Finished && len(board.Contest.Rounds) > 0:
		out += " of " + game.Plural(board.Contest.Playoff(), "round")
	case n > 1:
		out += fmt.Sprintf(" of at most %d rounds", n)
		if eliminates(t.Format) {
			out += ", one for each game of a tie"
		}
	}
	if t.Options.Playoff != "" {
		out += ", then " + tournament.Spaced(t.Options.Playoff) + " of the best"
		if t.Options.Finalists > 0 {
			out += fmt.Sprintf(" %d", t.Options.Finalists)
		}
	}
	if t.Options.ThirdPlace {
		out += ", with a match for the third place"
	}
	if t.Cycles > 1 {
		out += fmt.Sprintf(", %d times over", t.Cycles)
	}
	if t.Options.LastsMS > 0 {
		out += " of " + tournament.SpanWords(t.Options.LastsMS)
	}
	out = fmt.Sprintf("%s, at tables of %d", out, t.Table)
	if t.Options.RoundPauseMS > 0 {
		out += ", with " + tournament.SpanWords(t.Options.RoundPauseMS) + " between rounds"
	}
	return out
}

// entryWords says whether bots may enter a tournament now; "" once there is nothing to enter.
func entryWords(board director.Scoreboard, now time.Time) (words template.HTML, open bool) {
	t, entries := board.Tournament, 0
	for _, e := range board.Entries {
		if e.WithdrawnAt == nil {
			entries++
		}
	}
	taken := template.HTML(fmt.Sprintf("%d of %d places taken", entries, t.Capacity)) // figures
	full := entries >= t.Capacity
	switch late := pairing.Late(board.Contest); {
	case t.Status == tournament.Running && t.Options.LateEntries && late != nil:
		return "closed: " + template.HTML(template.HTMLEscapeString(pairing.Reason(late))), false
	case t.Status == tournament.Running && t.Options.LateEntries && !full:
		return "still open, " + taken, true
	case t.Status != tournament.Scheduled:
		return "", false
	case now.Before(t.OpensAt):
		return "open " + pages.Time(t.OpensAt), false
	case !now.Before(t.ClosesAt):
		return "closed, " + taken, false
	case full && !t.WaitingList:
		return "full: " + taken, false
	case full:
		return "full; new entries wait for a place, until " + pages.Time(t.ClosesAt), true
	}
	return "open until " + pages.Time(t.ClosesAt) + ", " + taken, true
}

// facts returns what few ask.
func facts(t tournament.Tournament) []pages.Fact {
	out := []pages.Fact{
		{Name: "Places", Value: fmt.Sprint(t.Capacity)},
		{Name: "Rated", Value: map[bool]string{true: "yes", false: "no"}[t.Rated]},
		{Name: "Duplicate", Value: map[bool]string{true: "every line-up goes round the seats", false: "no"}[t.Duplicate]},
		{Name: "Clock", Value: t.Clock.Words()},
		{Name: "Entries", Value: pages.Time(t.OpensAt) + " to " + pages.Time(t.Closed())},
	}
	for _, x := range []struct {
		name string
		at   *time.Time
	}{{"Started", t.StartedAt}, {"Paused since", t.PausedAt}, {"Ended", t.EndedAt}} {
		if x.at != nil {
			out = append(out, pages.Fact{Name: x.name, Value: pages.Time(*x.at)})
		}
	}
	if t.Unlisted {
		out = append(out, pages.Fact{Name: "Unlisted", Value: "for those who have the link"})
	}
	return out
}
