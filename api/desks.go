package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/form"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// deskRoutes lead an organiser to what there is, and to the buttons and forms that change it.
func deskRoutes() []route {
	return []route{
		get("/me/events", forMe((*Server).myEvents)),
		get("/tournaments/:id/organise", forMe((*Server).tournamentDesk)),
		get("/schedules/:id/organise", forMe((*Server).scheduleDesk)),
		get("/series/:id/organise", forMe((*Server).seriesDesk)),
	}
}

// organised returns the schedules, tournaments and series of the caller, and of others whose co-organiser they are: those that are not over, and the
// newest of the rest.
func (s *Server) organised(c *gin.Context) ([]schedule.Schedule, []tournament.Tournament, []series.Series, error) {
	ctx, newest := c.Request.Context(), store.Page{Sort: store.Newest, Limit: store.MaxPage}
	me := gate.UserID(c)
	going, _, err := s.Store.Schedules(ctx, store.ScheduleFilter{OrganiserID: me, ViewerID: me, Open: true}, newest)
	if err != nil {
		return nil, nil, nil, err
	}
	schedules, _, err := s.Store.Schedules(ctx, store.ScheduleFilter{OrganiserID: me, ViewerID: me}, newest)
	if err != nil {
		return nil, nil, nil, err
	}
	open, err := s.Store.OpenTournaments(ctx, me, store.MaxPage)
	if err != nil {
		return nil, nil, nil, err
	}
	tournaments, _, err := s.Store.Tournaments(ctx, store.TournamentFilter{OrganiserID: me, ViewerID: me}, newest)
	if err != nil {
		return nil, nil, nil, err
	}
	list, _, err := s.Store.AllSeries(ctx, store.SeriesFilter{OrganiserID: me}, newest)
	return before(going, schedules, func(x schedule.Schedule) string { return x.ID }), before(open, tournaments, func(t tournament.Tournament) string { return t.ID }), list, err
}

// before returns the things that come first, and behind them the rest, each once.
func before[T any](first, rest []T, id func(T) string) []T {
	return append(first, slices.DeleteFunc(rest, func(x T) bool {
		return slices.ContainsFunc(first, func(y T) bool { return id(x) == id(y) })
	})...)
}

// myEvents answers with what the caller organises.
func (s *Server) myEvents(c *gin.Context) error {
	done, err := doneOf(c)
	if err != nil {
		return err
	}
	if err := gate.May(c, tournament.ScopeOrganise); err != nil {
		return err
	}
	schedules, tournaments, list, err := s.organised(c)
	if err != nil {
		return err
	}
	classes, _, err := s.Store.ClassLinks(c.Request.Context(), gate.UserID(c), store.Page{Sort: store.Newest, Limit: store.MaxPage})
	if err != nil {
		return err
	}
	d := pages.Desk{
		Page: pages.Page{Title: "Your events", Here: "/me"},
		Back: pages.Way{Path: "/me", Words: "My bots"},
		Done: done,
		Ways: []pages.Way{
			{Path: "/tournaments/new", Words: "Announce a tournament"},
			{Path: "/schedules/new", Words: "Tournaments that come again"},
			{Path: "/series/new", Words: "Standings over several"},
			{Path: "/me/classes/new", Words: "A link for a class"},
		},
		Lists: []pages.DeskList{
			{ID: "tournaments", Title: "Tournaments", Empty: "None yet.", Head: []string{"Tournament", "State", "Starts"}, Rows: each(tournaments, tournamentRow)},
			{ID: "schedules", Title: "Schedules", Empty: "None yet.", Head: []string{"Schedule", "State", "Next starts"}, Rows: each(schedules, scheduleRow)},
			{ID: "series", Title: "Series", Empty: "None yet.", Head: []string{"Series", "Counts"}, Rows: each(list, seriesRow)},
			{ID: "classes", Title: "Links for classes", Empty: "None yet.", Head: []string{"Link", "Accounts made", "Ends", "Change"}, Rows: each(classes, classRow)},
		},
	}
	return s.sendDesk(c, http.StatusOK, d)
}

func scheduleRow(x schedule.Schedule) pages.DeskRow {
	return pages.DeskRow{Name: x.Template.Name, Path: "/schedules/" + x.ID + "/organise", Cells: []string{string(x.Status), nextStarts(x)}}
}

func seriesRow(x series.Series) pages.DeskRow {
	return pages.DeskRow{Name: x.Name, Path: "/series/" + x.ID + "/organise", Cells: []string{string(x.By)}}
}

func classRow(l tournament.ClassLink) pages.DeskRow {
	row := pages.DeskRow{Name: cmp.Or(l.Note, "of "+pages.Day(l.CreatedAt)), Cells: []string{fmt.Sprintf("%d of %d", l.Made, l.Most), pages.Day(l.ExpiresAt)}}
	if l.EndedAt != nil {
		row.Cells[1] = "ended"
	} else {
		row.Deeds = []pages.Deed{{Path: "/me/classes/" + l.ID + "/end", Words: "End", About: row.Name}}
	}
	return row
}

func tournamentRow(t tournament.Tournament) pages.DeskRow {
	return pages.DeskRow{Name: t.Name, Path: "/tournaments/" + t.ID + "/organise", Cells: []string{string(t.Status), pages.Day(t.Begins())}}
}

// desk begins the page of something that the caller organises; get finds it.
func desk[T any](c *gin.Context, get func(context.Context, string) (T, error)) (pages.Desk, T, error) {
	var none T
	done, err := doneOf(c)
	if err == nil {
		err = gate.May(c, tournament.ScopeOrganise)
	}
	if err == nil && !httpx.IsUUID(c.Param("id")) {
		err = tournament.ErrNotFound
	}
	if err != nil {
		return pages.Desk{}, none, err
	}
	x, err := get(gate.Context(c), c.Param("id"))
	return pages.Desk{Page: pages.Page{Here: "/me"}, Back: pages.Way{Path: "/me/events", Words: "Your events"}, Done: done}, x, err
}

// tournamentDesk answers with the organiser's page of a tournament.
func (s *Server) tournamentDesk(c *gin.Context) error {
	d, t, err := desk(c, s.myTournament)
	if err != nil {
		return err
	}
	entries, err := s.Director.EntryStates(c.Request.Context(), t.ID)
	if err != nil {
		return err
	}
	at := "/tournaments/" + t.ID
	free, waiting := tournament.Places(t, entriesOf(entries))
	d.Title = t.Name
	d.Facts = []pages.Fact{
		{Name: "State", Value: stateWords(t)},
		{Name: "Starts", Value: pages.Day(t.Begins())},
		{Name: "Entries", Value: fmt.Sprintf("%d of %d", t.Capacity-free, t.Capacity)},
		{Name: "Page", Value: "what everybody sees", Path: at},
	}
	if waiting > 0 {
		d.Facts = append(d.Facts, pages.Fact{Name: "Waiting", Value: fmt.Sprint(waiting)})
	}
	about := t.Name
	switch {
	case t.Status == tournament.Scheduled:
		d.Deeds = []pages.Deed{
			{Path: at + "/start", Words: "Start now", About: about},
			{Path: at + "/start", Words: "Start paused", About: about, Name: "paused", Value: "on"},
		}
	case t.Status != tournament.Running:
	case t.PausedAt != nil:
		d.Deeds = []pages.Deed{{Path: at + "/resume", Words: "Resume", About: about}}
	default:
		d.Deeds = []pages.Deed{{Path: at + "/pause", Words: "Pause", About: about}}
	}
	if tournament.CanSeed(t) == nil {
		d.Ways = append(d.Ways, pages.Way{Path: at + "/seeds", Words: "Seed"})
	}
	if t.Status == tournament.Scheduled || t.Status == tournament.Running {
		d.Ways = append(d.Ways, pages.Way{Path: at + "/edit", Words: editWords(t)}, pages.Way{Path: at + "/cancel", Words: "Cancel"})
		if gate.Owns(c, t.OrganiserID) {
			d.Ways = append(d.Ways, pages.Way{Path: at + "/organisers", Words: "Co-organisers"})
		}
		if t.Invite.Needed() {
			d.Ways = append(d.Ways, pages.Way{Path: at + "/invite", Words: "New invite code"})
		}
	}
	if t.Format == tournament.Swiss && t.Status == tournament.Running {
		rounds, err := s.rounds(c.Request.Context(), t.ID)
		if err != nil {
			return err
		}
		if n := len(rounds); n > 0 && !rounds[n-1].Playoff {
			d.Ways = append(d.Ways, pages.Way{Path: fmt.Sprintf("%s/rounds/%d", at, n), Words: fmt.Sprintf("Pair round %d by hand", n)})
		}
	}
	open, err := s.openList(c.Request.Context(), t)
	if err != nil {
		return err
	}
	d.Lists = []pages.DeskList{s.entryList(t, entries, "organise"), open, exports("/v1"+at+"/export?table=%s&format=%s", "standings", "crosstable", "bracket", "matches")}
	return s.sendDesk(c, http.StatusOK, d)
}

// editWords says what may be edited of a tournament: from the start on its texts alone.
func editWords(t tournament.Tournament) string {
	if t.Status == tournament.Scheduled {
		return "Edit or postpone"
	}
	return "Edit its texts"
}

func stateWords(t tournament.Tournament) string {
	if t.PausedAt != nil {
		return "paused since " + pages.Day(*t.PausedAt)
	}
	if t.Reason != "" {
		return string(t.Status) + ": " + t.Reason
	}
	return string(t.Status)
}

func entriesOf(list []tournament.EntryState) []tournament.Entry {
	return each(list, func(e tournament.EntryState) tournament.Entry { return e.Entry })
}

// entryList returns a table of entries, with what may be done to each; as names the page that a button leads back to: organise, or
// entries for an owner.
func (s *Server) entryList(t tournament.Tournament, entries []tournament.EntryState, as string) pages.DeskList {
	out := pages.DeskList{ID: "entries", Title: "Entries", Empty: "None yet.", Head: []string{"Bot", "State", "Change"}}
	for _, e := range entries {
		row := pages.DeskRow{Name: e.BotName, Path: "/bots/" + e.BotID, Cells: []string{t.RoleOf(e.Entry) + e.String()}}
		at := "/tournaments/" + t.ID + "/" + as + "/" + e.BotID
		if e.CheckedInAt == nil && tournament.CanCheckIn(t, e.Entry, s.Now()) == nil {
			row.Deeds = append(row.Deeds, pages.Deed{Path: at + "/check-in", Words: "Check in", About: e.BotName})
		}
		late := t.Status == tournament.Running && t.Options.LateEntries && e.VersionID == ""
		if as == "organise" && e.Code == tournament.EntryExcluded && (t.Status == tournament.Scheduled || late) {
			row.Deeds = append(row.Deeds, pages.Deed{Path: at + "/admit", Words: "Admit", About: e.BotName})
		}
		if e.WithdrawnAt == nil && (t.Status == tournament.Scheduled || t.Status == tournament.Running) {
			row.Deeds = append(row.Deeds, pages.Deed{Path: at + "/withdraw", Words: "Withdraw", About: e.BotName})
			if as == "organise" && tournament.TakesSubstitutes(t) == nil {
				row.Ways = append(row.Ways, pages.Way{Path: at + "/substitute", Words: "Substitute"})
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// openList returns a table of a tournament's matches that are not over, those under way first.
func (s *Server) openList(ctx context.Context, t tournament.Tournament) (pages.DeskList, error) {
	out := pages.DeskList{ID: "open", Title: "Matches that are not over", Empty: "None now.", Head: []string{"Match", "Round", "State", "Change"}}
	for _, status := range []tournament.MatchStatus{tournament.MatchRunning, tournament.MatchQueued} {
		list, _, err := s.listed(ctx, store.MatchFilter{TournamentID: t.ID, Status: status}, httpx.PageQuery{Limit: httpx.MaxLimit}, store.Oldest)
		if err != nil {
			return out, err
		}
		for _, m := range list {
			names := strings.Join(each(m.Seats, func(x wire.MatchSeat) string { return cmp.Or(x.Bot, x.Alias) }), ", ")
			out.Rows = append(out.Rows, pages.DeskRow{
				Name: names, Path: "/matches/" + m.ID, Cells: []string{fmt.Sprint(m.Round), m.Status},
				Ways: []pages.Way{{Path: "/matches/" + m.ID + "/void", Words: "Make void"}},
			})
		}
	}
	return out, nil
}

// exports lists the tables to take away, in each format.
func exports(path string, tables ...string) pages.DeskList {
	out := pages.DeskList{ID: "exports", Title: "Take away", Head: []string{"Table", "As"}}
	for _, table := range tables {
		row := pages.DeskRow{Name: table}
		for _, format := range []string{"csv", "json", "ndjson"} {
			row.Ways = append(row.Ways, pages.Way{Path: fmt.Sprintf(path, table, format), Words: format})
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// scheduleDesk answers with the organiser's page of a schedule.
func (s *Server) scheduleDesk(c *gin.Context) error {
	d, x, err := desk(c, s.mySchedule)
	if err != nil {
		return err
	}
	tournaments, _, err := s.Store.Tournaments(c.Request.Context(), store.TournamentFilter{ScheduleID: x.ID}, store.Page{Sort: store.Newest, Limit: httpx.MaxLimit})
	if err != nil {
		return err
	}
	at := "/schedules/" + x.ID
	d.Title = x.Template.Name
	d.Facts = []pages.Fact{{Name: "State", Value: string(x.Status)}, {Name: "Starts", Value: x.When.Words() + " " + x.When.Zone}}
	if next := nextStarts(x); next != "" {
		d.Facts = append(d.Facts, pages.Fact{Name: "Next", Value: next})
	}
	switch x.Status {
	case schedule.Active:
		d.Deeds = []pages.Deed{{Path: at + "/pause", Words: "Pause", About: d.Title}}
	case schedule.Paused:
		d.Deeds = []pages.Deed{{Path: at + "/resume", Words: "Resume", About: d.Title}}
	}
	if len(d.Deeds) > 0 {
		d.Ways = []pages.Way{{Path: at + "/edit", Words: "Edit"}, {Path: at + "/cancel", Words: "Cancel"}}
	}
	if x.Made == 0 {
		d.Ways = append(d.Ways, pages.Way{Path: at + "/delete", Words: "Delete"})
	}
	if gate.Owns(c, x.OrganiserID) {
		d.Ways = append(d.Ways, pages.Way{Path: at + "/organisers", Words: "Co-organisers"})
	}
	d.Ways = append(d.Ways, pages.Way{Path: "/series/new?schedule_id=" + x.ID, Words: "Standings over all of them"})
	d.Lists = []pages.DeskList{{
		ID: "tournaments", Title: "Its tournaments", Empty: "None is announced yet.", Head: []string{"Tournament", "State", "Starts"}, Rows: each(tournaments, tournamentRow),
	}}
	return s.sendDesk(c, http.StatusOK, d)
}

// seriesDesk answers with the organiser's page of a series.
func (s *Server) seriesDesk(c *gin.Context) error {
	d, x, err := desk(c, s.mySeries)
	if err != nil {
		return err
	}
	at := "/series/" + x.ID
	d.Title = x.Name
	d.Facts = []pages.Fact{{Name: "Counts", Value: string(x.By)}, {Name: "Page", Value: "what everybody sees", Path: at}}
	d.Ways = []pages.Way{{Path: at + "/edit", Words: "Edit"}}
	if gate.Owns(c, x.OrganiserID) {
		d.Ways = append(d.Ways, pages.Way{Path: at + "/organisers", Words: "Co-organisers"}, pages.Way{Path: at + "/delete", Words: "Delete"})
	}
	d.Lists = []pages.DeskList{exports("/v1"+at+"/export?format=%[2]s", "standings")}
	return s.sendDesk(c, http.StatusOK, d)
}

// besideEntry adds what an owner needs to know of a tournament: their entries, or why there can be none.
func (s *Server) besideEntry(c *gin.Context, d *pages.Desk) error {
	t, err := web.Named(c, s.Store.Tournament)
	if err != nil {
		return err
	}
	entries, err := s.Director.EntryStates(c.Request.Context(), t.ID)
	if err != nil {
		return err
	}
	free, _ := tournament.Places(t, entriesOf(entries))
	d.Title, d.Lead, d.Back = "Enter "+t.Name, "", pages.Way{Path: "/tournaments/" + t.ID, Words: t.Name}
	d.Facts = []pages.Fact{
		{Name: "Game", Value: s.Engines.NameOf(t.Game)},
		{Name: "State", Value: stateWords(t)},
		{Name: "Registration", Value: pages.Day(t.OpensAt) + " to " + pages.Day(t.Closed())},
	}
	if t.Status == tournament.Scheduled {
		d.Facts = append(d.Facts, pages.Fact{Name: "Starts", Value: pages.Day(t.StartsAt)})
	}
	if s.Now().Before(t.Closed()) {
		d.Facts = append(d.Facts, pages.Fact{Name: "Places left", Value: fmt.Sprint(max(0, free))})
	}
	if opens := t.CheckInOpens(); opens != nil {
		d.Facts = append(d.Facts, pages.Fact{Name: "Check-in", Value: pages.Day(*opens) + " until the start"})
	}
	mine := slices.DeleteFunc(entries, func(e tournament.EntryState) bool { return e.OwnerID != gate.UserID(c) })
	if len(mine) > 0 {
		list := s.entryList(t, mine, "entries")
		list.Title = "Your entries"
		d.Lists = append(d.Lists, list)
	}
	without(d)
	return nil
}

// besideLadder adds the caller's bots on a ladder.
func (s *Server) besideLadder(c *gin.Context, d *pages.Desk) error {
	id := c.Param("id")
	d.Back = pages.Way{Path: "/ladders/" + id, Words: "The ladder"}
	bots, err := s.myBots(c)
	if err != nil {
		return err
	}
	list := pages.DeskList{ID: "mine", Title: "Your bots here", Empty: "None yet.", Head: []string{"Bot", "Matches an hour", "Change"}}
	for _, b := range bots {
		joined, err := s.Store.Reader(c.Request.Context()).JoinedLadders(b)
		if err != nil {
			return err
		}
		for _, l := range joined {
			if l.LadderID == id {
				list.Rows = append(list.Rows, pages.DeskRow{
					Name: b.Name, Path: "/bots/" + b.ID, Cells: []string{fmt.Sprint("at most ", l.MatchesPerHour)},
					Deeds: []pages.Deed{{Path: "/ladders/" + id + "/entries/" + b.ID + "/leave", Words: "Leave", About: b.Name}},
				})
			}
		}
	}
	d.Lists = append(d.Lists, list)
	without(d)
	return nil
}

// without takes a form away that offers no bot, and says why.
func without(d *pages.Desk) {
	options := d.Form.Field("bot_id").Options
	if slices.ContainsFunc(options, func(o form.Option) bool { return o.Reason == "" }) {
		return
	}
	d.Form = nil
	if len(options) == 0 {
		d.Lead = "You have no bot that could enter: register one first."
		d.Ways = append(d.Ways, pages.Way{Path: "/me/bots/new", Words: "Register a bot"})
		return
	}
	d.Lead = "None of your bots can enter now."
	list := pages.DeskList{ID: "why", Title: "Why not", Head: []string{"Bot", "Reason"}}
	for _, o := range options {
		list.Rows = append(list.Rows, pages.DeskRow{Name: o.Words, Cells: []string{o.Reason}})
	}
	d.Lists = append(d.Lists, list)
}
