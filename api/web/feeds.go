package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/gin-gonic/gin"
	"github.com/gorilla/feeds"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
)

const (
	// maxStarts is how many coming starts the calendar lists.
	maxStarts = 100
	// maxNews is how many finished tournaments the feed lists.
	maxNews = 20
	// maxWinners is how many sentences on who won are kept: nothing changes them any more.
	maxWinners = 1000
)

// Calendar returns the coming starts of tournaments as iCalendar, for programs that follow calendars.
func (s *Pages) Calendar(c *gin.Context) error {
	list, err := s.Store.NextTournaments(c.Request.Context(), maxStarts)
	if err != nil {
		return err
	}
	scheduled, err := s.scheduled(c.Request.Context())
	if err != nil {
		return err
	}
	calendar := ics.NewCalendarFor("molerun")
	calendar.SetMethod(ics.MethodPublish)
	calendar.SetXWRCalName("molerun: tournaments")
	// Of two versions of a start, a program keeps the one with the later stamp: when the calendar was made. To the hour, so that one in
	// which nothing changes keeps its ETag meanwhile.
	stamp := s.Now().Truncate(time.Hour)
	add := func(t tournament.Tournament, id, says, path string) {
		event := calendar.AddEvent(id + "@molerun")
		event.SetDtStampTime(stamp)
		event.SetStartAt(t.StartsAt)
		event.SetSummary(t.Name + " (" + s.Engines.NameOf(t.Game) + ")")
		event.SetDescription(s.Engines.NameOf(t.Game) + ", " + tournament.Spaced(t.Format) + ". " + says + ".")
		event.SetURL(s.baseOf(c) + path)
	}
	for _, t := range list {
		says := "Registration closes at " + pages.Day(t.ClosesAt)
		switch now := s.Now(); {
		case now.Before(t.OpensAt):
			says = "Registration opens at " + pages.Day(t.OpensAt)
		case !now.Before(t.ClosesAt):
			says = "Registration closed at " + pages.Day(t.ClosesAt)
		}
		add(t, t.ID, says, "/tournaments/"+t.ID)
	}
	for _, t := range scheduled {
		id := t.ScheduleID + "-" + t.StartsAt.UTC().Format("20060102T150405Z")
		add(t.Tournament, id, "It will be announced. Registration opens at "+pages.Day(t.OpensAt), "/schedules")
	}
	return httpx.SendBytes(c, http.StatusOK, "text/calendar; charset=utf-8", []byte(calendar.Serialize(ics.WithNewLineWindows))) // whatever this machine's line ends are
}

// News returns the results of the last tournaments and the schedules that were made, as an Atom feed.
func (s *Pages) News(c *gin.Context) error {
	list, err := s.Store.LastFinished(c.Request.Context(), maxNews)
	if err != nil {
		return err
	}
	feed := feeds.Feed{
		Title:  "molerun: results of tournaments, and new schedules",
		Link:   &feeds.Link{Href: s.baseOf(c) + "/"},
		Author: &feeds.Author{Name: "molerun"},
		// A feed must have a time. While it has no entry, it is this one, the same at every process.
		Updated: time.Unix(0, 0).UTC(),
	}
	if err := s.addSchedules(c, &feed); err != nil {
		return err
	}
	for _, t := range list {
		title, err := s.wonBy(c.Request.Context(), t)
		if err != nil {
			return err
		}
		s.addNews(&feed, t, t.ID, *t.EndedAt, title, s.baseOf(c)+"/tournaments/"+t.ID)
	}
	feed.Sort(func(a, b *feeds.Item) bool { return a.Created.After(b.Created) })
	feed.Items = feed.Items[:min(maxNews, len(feed.Items))]
	body, err := feed.ToAtom()
	if err != nil {
		return err
	}
	return httpx.SendBytes(c, http.StatusOK, "application/atom+xml; charset=utf-8", []byte(body))
}

// addSchedules adds the schedules that make tournaments.
func (s *Pages) addSchedules(c *gin.Context, feed *feeds.Feed) error {
	list, err := s.Store.ComingSchedules(c.Request.Context(), maxSchedules)
	if err != nil {
		return err
	}
	for _, x := range list {
		next := x.Announced(1)
		if len(next) == 0 {
			continue
		}
		to := s.baseOf(c) + "/schedules"
		if x.Series != "" {
			to = s.baseOf(c) + "/series/" + x.Series
		}
		title := "Announced: " + next[0].Name
		if x.When.Line == "" {
			title += ", " + pages.Day(next[0].StartsAt)
		} else {
			title += " and what follows it, " + x.When.Words() + " (" + x.When.Zone + ")"
		}
		s.addNews(feed, x.Template, x.ID, x.CreatedAt, title, to)
	}
	return nil
}

// addNews adds what happened to a tournament, or to the schedule that makes it, of that id.
func (s *Pages) addNews(feed *feeds.Feed, t tournament.Tournament, id string, at time.Time, title, to string) {
	if feed.Updated.Before(at) {
		feed.Updated = at
	}
	feed.Add(&feeds.Item{
		Id:          "urn:uuid:" + id,
		Title:       title,
		Link:        &feeds.Link{Href: to},
		Description: s.Engines.NameOf(t.Game) + ", " + tournament.Spaced(t.Format),
		Created:     at,
		Updated:     at,
	})
}

// wonBy says in a sentence who won a tournament that is over.
func (s *Pages) wonBy(ctx context.Context, t tournament.Tournament) (string, error) {
	if said, ok := s.winners.Get(t.ID); ok {
		return said, nil
	}
	standings, err := s.Director.Standings(ctx, t.ID)
	if err != nil {
		return "", err
	}
	said := t.Name + " is over"
	if first := winners(t.Format, standings); len(first) > 0 {
		said = strings.Join(first, " and ") + " won " + t.Name
		if i := slices.IndexFunc(standings, func(l tournament.Standing) bool { return l.Rank != 1 }); i >= 0 {
			said += ", ahead of " + standings[i].Bot
		}
	}
	s.winners.Add(t.ID, said)
	return said, nil
}
