package api

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// forPeople makes a route whose answer is for people, errors too for those who ask for a page.
func forPeople(do func(*Server, *gin.Context) ([]byte, error)) func(*Server, *gin.Context) error {
	return func(s *Server, c *gin.Context) error {
		status := http.StatusOK
		body, err := do(s, c)
		if err != nil {
			k := kindOf(err)
			if k.Status >= http.StatusInternalServerError || !strings.Contains(c.GetHeader("Accept"), "text/html") {
				return err // who did not ask for a page gets the problem
			}
			status = k.Status
			if body, err = s.site.Problem(k.Title, k.Advice); err != nil {
				return err
			}
		}
		c.Header("Content-Security-Policy", pages.Policy)
		c.Writer.Header().Add("Vary", "Accept")
		httpx.SendBytes(c, status, "text/html; charset=utf-8", body)
		return nil
	}
}

// stream is the path of the events that tell a page of news: where there is no such route, the page looks by itself.
func stream(pattern, path string) string {
	if slices.ContainsFunc(routes(), func(r route) bool { return r.path == pattern }) {
		return path
	}
	return "poll"
}

// gameName is the name of a game for people.
func (s *Server) gameName(id string) string {
	if e, ok := s.engines.Find(id); ok {
		return e.Info().Name
	}
	return id
}

// rulesPath is where the rules of a game can be read; "" where they are not written down.
func (s *Server) rulesPath(id string) string {
	if _, err := fs.Stat(s.docs, "rules/"+id+".md"); err != nil {
		return ""
	}
	return "/v1/games/" + id + "/rules"
}

// day is a time for people.
func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// @Summary	What is going on, for people
// @Tags		pages
// @Produce	text/html
// @Success	200	{string}	string	"a page"
// @Router		/ [get]
func (s *Server) homePage(c *gin.Context) ([]byte, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	live, cups, tops, err := s.store.Home(c.Request.Context())
	if err != nil {
		return nil, err
	}
	out := pages.Home{Page: pages.Page{Title: "Tournaments of bots", About: "Bots play each other on exact rules: live matches, tournaments and ladders.", Live: stream("/v1/events", "/v1/events"), At: s.now()}}
	for _, m := range live {
		l := pages.LiveMatch{ID: m.ID, Game: s.gameName(m.Game), Seats: m.Seats, Sealed: m.Shared, Since: s.now().Sub(m.StartedAt).Round(time.Second).String()}
		switch {
		case m.TournamentID != "":
			l.In, l.InPath = m.TournamentName, "/tournaments/"+m.TournamentID
		case m.LadderID != "":
			l.In, l.InPath = "the ladder", "/ladders/"+m.LadderID
		}
		out.Matches = append(out.Matches, l)
	}
	for _, t := range cups {
		when := "starts " + day(t.StartsAt)
		switch {
		case t.EndedAt != nil:
			when = "ended " + day(*t.EndedAt)
		case t.PausedAt != nil:
			when = "paused since " + day(*t.PausedAt)
		case t.StartedAt != nil:
			when = "since " + day(*t.StartedAt)
		}
		out.Cups = append(out.Cups, pages.Cup{ID: t.ID, Name: t.Name, Game: s.gameName(t.Game), Format: spaced(string(t.Format)), Status: string(t.Status), When: when})
	}
	for _, l := range tops {
		line := pages.LadderLine{ID: l.ID, Game: s.gameName(l.Game), Best: l.Bot, BestID: l.BotID, Bots: l.Bots, Rated: l.Rated}
		if l.Bot != "" {
			line.Rating = points(elo(l.Milli))
		}
		out.Ladders = append(out.Ladders, line)
	}
	for _, e := range s.engines {
		if path := s.rulesPath(e.Info().ID); path != "" {
			out.Rules = append(out.Rules, pages.Rules{Game: e.Info().Name, Path: path})
		}
	}
	return s.site.Home(out)
}

func spaced(word string) string { return strings.ReplaceAll(word, "_", " ") }

func points(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', 1, 64) }

// half is 1.96 of the standard deviations that the step size K implies: the gain of the on-line rating is its variance times
// ln 10 / 400. Intervals that are tested are the fit's.
func half(games int) float64 { return 1.96 * math.Sqrt(rating.Kappa(games)*400/math.Ln10) }

// provisionalGames is how many rated matches a rating needs.
const provisionalGames = 30

// @Summary	A ladder, for people
// @Tags		pages
// @Produce	text/html
// @Param		id		path		string	true	"id of the ladder"
// @Param		cursor	query		string	false	"of the page, from the link on the page before"
// @Success	200		{string}	string	"a page"
// @Failure	404		{object}	wire.Problem
// @Router		/ladders/{id} [get]
func (s *Server) ladderPage(c *gin.Context) ([]byte, error) {
	p, err := s.cursors.Page(c)
	if err != nil {
		return nil, err
	}
	if !ladderID.MatchString(c.Param("id")) {
		return nil, tournament.ErrNotFound
	}
	ladder, rows, next, err := s.store.LadderPage(c.Request.Context(), c.Param("id"), pageOf(p, ""))
	if err != nil {
		return nil, err
	}
	name := s.gameName(ladder.Game)
	out := pages.Ladder{
		Page: pages.Page{Title: "Ladder of " + name, About: fmt.Sprintf("Who plays %s best, after %d rated matches.", name, max(0, ladder.NextSeq-1)), Live: stream("/v1/events", "/v1/events"), At: s.now()}, ID: ladder.ID, Game: name,
		Scheduled: ladder.LastSeq, Rated: max(0, ladder.NextSeq-1),
	}
	for _, r := range rows {
		if n := len(out.Groups); n == 0 || out.Groups[n-1].Class != string(r.Class) {
			out.Groups = append(out.Groups, pages.LadderGroup{Class: string(r.Class), Title: classTitles[r.Class]})
		}
		group := &out.Groups[len(out.Groups)-1]
		group.Rows = append(group.Rows, ladderRow(r))
	}
	here := "/ladders/" + ladder.ID
	if next != "" {
		out.Next = here + "?cursor=" + url.QueryEscape(p.Cursor(next))
	}
	if c.Query("cursor") != "" {
		out.First = here
	}
	return s.site.Ladder(out)
}

// classTitles head the groups of a ladder.
var classTitles = map[tournament.LineClass]string{
	tournament.LineEstablished: "Ranking",
	tournament.LineProvisional: "Provisional: fewer than 30 matches, or an interval wider than ± 100",
	tournament.LineInactive:    "Inactive: no match for 30 days",
	tournament.LineReplaced:    "History: versions that no longer play, and retired bots",
}

func ladderRow(r tournament.LadderRow) pages.LadderRow {
	out := pages.LadderRow{
		Rank: r.Rank, Class: string(r.Class), Retirements: r.Retirements, BotID: r.BotID, Bot: r.Bot, Owner: r.Owner, Rating: points(elo(r.Milli)), Fit: "–",
		Games: r.Games, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, FaultRate: fmt.Sprintf("%.2f", float64(r.Faults)/float64(max(1, r.Games))),
		P95: latency(r.P95), Provisional: -1, Status: string(r.Status), Why: openReason(tournament.Bot{Status: r.Status, Reason: r.Reason, BannedAt: r.BannedAt}),
	}
	if f := r.Fit; f != nil {
		out.Fit = fmt.Sprintf("%.0f [%.0f, %.0f]", f.Elo, f.Low(), f.High())
	}
	if r.Provisional {
		out.Provisional = min(r.Games, provisionalGames)
	}
	for _, letter := range r.Form {
		out.Form = append(out.Form, pages.Mark{Letter: string(letter), Word: verdicts[letter]})
	}
	return out
}

// latency is a time in ms, "–" if it is not known.
func latency(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

// verdicts are the letters of a form in words.
var verdicts = map[rune]string{'W': "win", 'D': "draw", 'L': "loss"}

// @Summary	A bot, for people
// @Tags		pages
// @Produce	text/html
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{string}	string	"a page"
// @Failure	404	{object}	wire.Problem
// @Router		/bots/{id} [get]
func (s *Server) botPage(c *gin.Context) ([]byte, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	career, err := named(c, s.store.Career)
	if err != nil {
		return nil, err
	}
	b := career.Bot
	out := pages.Bot{
		Page: pages.Page{Title: b.Name, About: b.Name + " by " + career.Owner + ": rating, results by opponent, role and seat, last matches.", At: s.now()}, ID: b.ID, Name: b.Name, Owner: career.Owner, Status: string(b.Status),
		Why: openReason(b), Since: day(b.CreatedAt),
	}
	for _, v := range career.Versions {
		out.Versions = append(out.Versions, pages.Version{Number: v.Number, Build: v.Build, Made: day(v.CreatedAt)})
	}
	out.Plots = s.plots(career.Points)
	s.results(&out, career)
	return s.site.Bot(out)
}

// plots are the histories of a bot, one a ladder.
func (s *Server) plots(all []store.CareerPoint) (out []pages.Plot) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].LadderID == all[0].LadderID {
			n++
		}
		list, games := make([]pages.Point, n), map[int]int{}
		for i, p := range all[:n] {
			games[p.Version]++
			list[i] = pages.Point{Version: p.Version, Rating: elo(p.Milli), Half: half(games[p.Version])}
		}
		now, title := list[n-1], "Ladder of "+s.gameName(all[0].LadderID)
		out = append(out, pages.Plot{
			Ladder: all[0].LadderID, Title: title,
			SVG:  pages.History(fmt.Sprintf("%s: rating by match, now %.1f", title, now.Rating), list),
			Text: fmt.Sprintf("Now %.1f. The band, now ± %.0f, is what the step size K implies; a dashed line marks a new version.", now.Rating, now.Half),
		})
		all = all[n:]
	}
	return out
}

// results counts the last matches of a bot by opponent, role and seat.
func (s *Server) results(out *pages.Bot, career store.Career) {
	var took []time.Duration
	against, role, seats := newTally("By who sat at the table", "Bot at the table"), newTally("By role", "Role"), newTally("By seat", "Seat")
	for _, m := range career.Matches {
		scores := rating.Points(*m.Result, m.Retired)
		for i, seat := range m.Seats {
			if seat.BotID != career.Bot.ID {
				continue
			}
			verdict := tournament.VerdictOf(scores[i], m.Rank[i])
			p := pages.Played{ID: m.ID, Game: s.gameName(m.Game), Seat: i, Result: string(verdict), Faults: seat.Faults, P95: latency(seat.P95)}
			p.Role, _, _ = pages.ResultOf(*m.Result, i)
			if m.EndedAt != nil {
				p.When = day(*m.EndedAt)
			}
			var names []string
			for _, o := range m.Seats {
				if o.BotID != career.Bot.ID {
					names = append(names, o.BotName)
					against.add(o.BotName, "/bots/"+o.BotID, verdict, seat.Faults)
				}
			}
			p.Against = strings.Join(names, ", ")
			if p.Role != "" {
				role.add(s.gameName(m.Game)+": "+p.Role, "", verdict, seat.Faults)
			}
			seats.add(s.gameName(m.Game)+": seat "+strconv.Itoa(i), "", verdict, seat.Faults)
			if seat.P95 > 0 {
				took = append(took, seat.P95)
			}
			out.Matches, out.Faults = append(out.Matches, p), out.Faults+seat.Faults
		}
	}
	if slices.Sort(took); len(took) > 0 {
		out.P95, out.Slowest = latency(took[len(took)/2]), latency(took[len(took)-1])
	}
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
		r.Share = fmt.Sprintf("%.0f %%", 100*(float64(r.Wins)+float64(r.Draws)/2)/float64(n))
		out.Rows = append(out.Rows, *r)
	}
	slices.SortFunc(out.Rows, func(a, b pages.TallyRow) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// @Summary	A tournament, for people
// @Tags		pages
// @Produce	text/html
// @Param		id	path		string	true	"id of the tournament"
// @Success	200	{string}	string	"a page"
// @Failure	404	{object}	wire.Problem
// @Router		/tournaments/{id} [get]
func (s *Server) tournamentPage(c *gin.Context) ([]byte, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	board, err := named(c, s.store.Scoreboard)
	if err != nil {
		return nil, err
	}
	t := board.Tournament
	out := pages.Tournament{
		Page: pages.Page{Title: t.Name, About: fmt.Sprintf("%s, %s, %s.", s.gameName(t.Game), spaced(string(t.Format)), t.Status), At: s.now()}, ID: t.ID, Name: t.Name, Rules: s.rulesPath(t.Game), Game: s.gameName(t.Game), Format: spaced(string(t.Format)),
		Status: string(t.Status), Why: t.Reason, Facts: facts(t, len(board.Entries)),
		Bracket: t.Format == tournament.SingleElimination || t.Format == tournament.DoubleElimination,
	}
	if t.Status == tournament.Running || t.Status == tournament.Scheduled {
		out.Live = stream("/v1/tournaments/:id/events", "/v1/tournaments/"+t.ID+"/events")
	}
	for _, l := range board.Standings {
		line := pages.Standing{
			Rank: l.Rank, BotID: l.BotID, Bot: l.Bot, Points: trim(l.Points), Played: l.Played, Wins: l.Wins, Draws: l.Draws, Losses: l.Losses,
			Byes: l.Byes, Forfeits: l.Forfeits,
		}
		out.TieNames, out.Order = out.TieNames[:0], out.Order[:0]
		for _, v := range l.Ties {
			out.Order = append(out.Order, spaced(v.By))
			if v.By == "points" { // have a column of their own
				continue
			}
			out.TieNames, line.Ties = append(out.TieNames, spaced(v.By)), append(line.Ties, trim(v.Value))
		}
		out.Standings = append(out.Standings, line)
	}
	crossOf(&out, board)
	for i, r := range board.Contest.Rounds {
		out.Rounds = append(out.Rounds, roundOf(live.RoundOf(i+1, r, board.Entries, s.engines.HiddenTeams(t.Game)), r, board.Matches[i]))
	}
	return s.site.Tournament(out)
}

func clockWords(c tournament.Clock) string {
	return fmt.Sprintf("%g s a decision, %g s in the bank", c.Limit.Seconds(), c.Bank.Seconds())
}

func trim(x float64) string { return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64) }

func facts(t tournament.Tournament, entries int) []pages.Fact {
	out := []pages.Fact{
		{Name: "Entries", Value: fmt.Sprintf("%d of %d", entries, t.Capacity)},
		{Name: "Table", Value: fmt.Sprintf("%d seats", t.Table)},
		{Name: "Rated", Value: map[bool]string{true: "yes", false: "no"}[t.Rated]},
		{Name: "Duplicate", Value: map[bool]string{true: "every line-up goes round the seats", false: "no"}[t.Duplicate]},
		{Name: "Clock", Value: clockWords(t.Clock)},
	}
	if t.StartedAt != nil {
		out = append(out, pages.Fact{Name: "Started", Value: day(*t.StartedAt)})
	} else {
		out = append(out, pages.Fact{Name: "Starts", Value: day(t.StartsAt)})
	}
	if t.Status == tournament.Scheduled {
		out = append(out, pages.Fact{Name: "Registration", Value: day(t.OpensAt) + " to " + day(t.ClosesAt)})
	}
	if t.PausedAt != nil {
		out = append(out, pages.Fact{Name: "Paused since", Value: day(*t.PausedAt)})
	}
	if t.EndedAt != nil {
		out = append(out, pages.Fact{Name: "Ended", Value: day(*t.EndedAt)})
	}
	return out
}

// maxCross is the most entries of a crosstable: larger ones are read from the API.
const maxCross = 24

func crossOf(out *pages.Tournament, board store.Scoreboard) {
	lines, err := pairing.Standings(board.Contest)
	if err != nil || len(lines) > maxCross || len(board.Contest.Rounds) == 0 {
		return
	}
	cells := pairing.Crosstable(board.Contest)
	for _, l := range lines {
		out.CrossHead = append(out.CrossHead, board.Entries[l.Entry].BotName)
		row := pages.CrossRow{Rank: l.Rank, Bot: board.Entries[l.Entry].BotName}
		for _, o := range lines {
			cell := pages.CrossCell{Self: o.Entry == l.Entry}
			if x := cells[l.Entry][o.Entry]; x.Blocks > 0 {
				cell.Share, cell.Interval = fmt.Sprintf("%.0f %%", 100*x.Share), fmt.Sprintf("%.0f–%.0f %%", 100*x.Low, 100*x.High)
				cell.Games = fmt.Sprintf("%d games", x.Games)
			}
			row.Cells = append(row.Cells, cell)
		}
		out.Cross = append(out.Cross, row)
	}
}

// roundOf adds to a round, as everybody may see it, the matches of its blocks.
func roundOf(in wire.Round, r pairing.Round, ids []string) pages.Round {
	out := pages.Round{Number: in.Round, Name: fmt.Sprintf("Round %d", in.Round)}
	if in.Final {
		out.Name = "Final"
	}
	for i, t := range in.Tables {
		best := 0 // how many have the most points
		for _, x := range t.Points {
			if x == slices.Max(t.Points) {
				best++
			}
		}
		table := pages.Table{Name: t.Name, Over: t.Over, Sealed: len(t.Bots) == 0, Matches: ids[:len(r.Blocks[i].Games)]}
		ids = ids[len(r.Blocks[i].Games):]
		for k, bot := range t.Bots {
			side := pages.Side{Bot: bot}
			if t.Over {
				side.Points, side.Best = trim(t.Points[k]), best == 1 && t.Points[k] == slices.Max(t.Points)
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
	for _, w := range in.Forfeits {
		out.Notes = append(out.Notes, strings.TrimSpace(fmt.Sprintf("Forfeit of %s, %s. %s", w.Loser, w.Why, w.Winner)))
	}
	return out
}
