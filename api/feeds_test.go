package api_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

func TestTheCalendarListsComingStarts(t *testing.T) {
	onOne(t, func(w *world) {
		later := w.cup(func(c *tournament.Tournament) { c.StartsAt = c.StartsAt.Add(time.Hour) })
		sooner := w.cup(func(c *tournament.Tournament) { c.Name = `Cup, of "A"; B\C <x> END:VEVENT` })
		over := w.finished(w.bot(owner), w.bot(other))
		got := w.get(anon, "/calendar.ics").want(200, "")
		calendar, err := ics.ParseCalendar(strings.NewReader(string(got.body)))
		must.OK(t, err)
		events := calendar.Events()
		if len(events) != 2 {
			t.Fatalf("got %d events, want those of two announced tournaments:\n%s", len(events), got.body)
		}
		for i, cup := range []tournament.Tournament{sooner, later} {
			start, err := events[i].GetStartAt()
			if err != nil || !start.Equal(cup.StartsAt) {
				t.Errorf("%s: got the start %v (%v), want %v", cup.Name, start, err, cup.StartsAt)
			}
			same(t, "id", events[i].Id(), cup.ID+"@molerun")
			same(t, "address", events[i].GetProperty(ics.ComponentPropertyUrl).Value, "http://example.com/tournaments/"+cup.ID)
			same(t, "description", events[i].GetProperty(ics.ComponentPropertyDescription).Value, "Masks, round robin. Registration closes at "+cup.ClosesAt.UTC().Format("2006-01-02 15:04")+" UTC.")
			holds(t, "summary begins with "+cup.Name, strings.HasPrefix(events[i].GetProperty(ics.ComponentPropertySummary).Value, cup.Name+" ("))
		}
		holds(t, "what is over is left out", !strings.Contains(string(got.body), over.ID))
		same(t, "asked again", w.raw("GET", "/calendar.ics", "If-None-Match", got.header.Get("ETag")).Code, 304)
		stamp := must.Get(events[0].GetDtStampTime())(t)
		w.clk.Move(time.Hour) // one that is moved meanwhile has a later stamp
		calendar = must.Get(ics.ParseCalendar(strings.NewReader(string(w.get(anon, "/calendar.ics").want(200, "").body))))(t)
		holds(t, "the next hour's stamp is later", must.Get(calendar.Events()[0].GetDtStampTime())(t).After(stamp))
		late := w.cup(func(c *tournament.Tournament) {
			c.Name, c.OpensAt, c.ClosesAt, c.StartsAt = "late", sooner.ClosesAt.Add(time.Minute), sooner.ClosesAt.Add(time.Hour), sooner.ClosesAt.Add(48*time.Hour)
		})
		w.clk.Move(sooner.ClosesAt.Sub(w.clk.Now()))
		calendar = must.Get(ics.ParseCalendar(strings.NewReader(string(w.get(anon, "/calendar.ics").want(200, "").body))))(t)
		says := map[string]string{}
		for _, e := range calendar.Events() {
			_, says[strings.TrimSuffix(e.Id(), "@molerun")], _ = strings.Cut(e.GetProperty(ics.ComponentPropertyDescription).Value, "robin. ")
		}
		same(t, "of a registration that is over", says[sooner.ID], "Registration closed at "+sooner.ClosesAt.UTC().Format("2006-01-02 15:04")+" UTC.")
		same(t, "of one to come", says[late.ID], "Registration opens at "+late.OpensAt.UTC().Format("2006-01-02 15:04")+" UTC.")

		// RFC 5545 wants CRLF and at most 75 octets a line; a letter is not cut in two.
		name := strings.TrimSpace(strings.Repeat("Köttur 🏆 ", 5))
		w.cup(func(c *tournament.Tournament) { c.Name = name })
		w.cup(func(c *tournament.Tournament) { c.Name = strings.Repeat("ü", 40) })
		text := string(w.get(anon, "/calendar.ics").want(200, "").body)
		lines := strings.Split(text, "\r\n")
		same(t, "what follows the last line's end", lines[len(lines)-1], "")
		for _, line := range lines {
			if len(line) > 75 || strings.ContainsAny(line, "\r\n") || !utf8.ValidString(line) {
				t.Errorf("%q: %d octets; want at most 75 on a line of its own, letters whole", line, len(line))
			}
		}
	})
}

// Lists that are cut are cut at the far end of what they are read by: those announced first may start last.
func TestWhatStartsNextAndWhatEndedLastIsListedWhateverElseThereIs(t *testing.T) {
	onOne(t, func(w *world) {
		first := w.cup(func(c *tournament.Tournament) { c.Name = "starts first"; c.StartsAt = c.StartsAt.Add(-time.Minute) })
		longest := w.cup(func(c *tournament.Tournament) { c.Name = "ends last" })
		for range 101 {
			w.cup(func(*tournament.Tournament) {})
		}
		calendar := string(w.get(anon, "/calendar.ics").want(200, "").body)
		holds(t, "the calendar has what starts first", strings.Contains(calendar, first.ID))
		same(t, "starts in the calendar", strings.Count(calendar, "BEGIN:VEVENT"), 100)
		home := func() string {
			w.clk.Move(time.Minute) // pages are kept for a moment
			return string(w.get(anon, "/").want(200, "").body)
		}
		next := `<section aria-labelledby="next"><h2 id="next">Next event</h2><p class="line"><a href="/tournaments/` + first.ID + `">`
		holds(t, "home has what starts first as next", strings.Contains(home(), next))

		bots := []tournament.Bot{w.bot(owner), w.bot(other)}
		for range 31 {
			w.begin(w.cup(func(*tournament.Tournament) {}), bots...)
		}
		holds(t, "home has it beside 31 that run", strings.Contains(home(), next))

		for range 21 {
			w.finished(bots...)
		}
		w.clk.Move(time.Minute)
		_, list := w.begin(longest, bots...)
		for _, m := range list {
			w.play(m, 100)
		}
		news := string(w.get(anon, "/news.atom").want(200, "").body)
		same(t, "entries of the feed", strings.Count(news, "<entry>"), 20)
		holds(t, "the feed begins with what ended last", strings.Contains(strings.SplitN(news, "</entry>", 2)[0], longest.ID))
		holds(t, "home lists it", strings.Contains(home(), longest.ID))
	})
}

func TestTheFeedTellsWhoWon(t *testing.T) {
	onOne(t, func(w *world) {
		type atom struct {
			XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
			Updated string   `xml:"updated"`
			Entries []struct {
				Title   string `xml:"title"`
				ID      string `xml:"id"`
				Updated string `xml:"updated"`
				Link    struct {
					Href string `xml:"href,attr"`
				} `xml:"link"`
			} `xml:"entry"`
		}
		read := func() atom {
			var feed atom
			must.OK(t, xml.Unmarshal(w.get(anon, "/news.atom").want(200, "").body, &feed))
			return feed
		}
		w.cup(func(*tournament.Tournament) {})
		same(t, "entries before a tournament is over", len(read().Entries), 0)
		_, err := time.Parse(time.RFC3339, read().Updated)
		same(t, "the time of a feed without an entry", err, nil)
		cup := w.finished(w.bot(owner), w.bot(other))
		feed := read()
		if len(feed.Entries) != 1 {
			t.Fatalf("got %+v, want one entry", feed)
		}
		e := feed.Entries[0]
		same(t, "id", e.ID, "urn:uuid:"+cup.ID)
		same(t, "link", e.Link.Href, "http://example.com/tournaments/"+cup.ID)
		same(t, "updated", e.Updated, cup.EndedAt.UTC().Format(time.RFC3339))
		same(t, "the feed's updated", feed.Updated, e.Updated)
		standings, err := w.director.Standings(t.Context(), cup.ID)
		must.OK(t, err)
		holds(t, "the winner is named: "+e.Title, strings.HasPrefix(e.Title, standings[0].Bot) && strings.Contains(e.Title, " won "+cup.Name))
	})
}

// What a schedule will make is announced everywhere before it is there, and once it is there it is announced as itself alone.
func TestWhatAScheduleMakesIsAnnouncedBefore(t *testing.T) {
	onOne(t, func(w *world) {
		x := w.series(func(*schedule.Schedule) {})
		league, err := w.store.CreateSeries(t.Context(), series.Series{OrganiserID: w.users[organiser].ID, Name: "league", ScheduleID: x.ID, By: series.Points})
		must.OK(t, err)
		places := map[string]string{"/": "cup 1", "/tournaments": "cup 1", "/series/" + league.ID: "cup 1", "/calendar.ics": "SUMMARY:cup 1 (", "/news.atom": "Announced: cup 1 and what follows it, every day at 20:00 (UTC)<"}
		w.series(func(x *schedule.Schedule) {
			x.Template.Name, x.When = "solstice", schedule.Once(w.clk.Now().Add(48*time.Hour))
		})
		holds(t, "what comes once has its day", strings.Contains(string(w.get(anon, "/news.atom").body), "Announced: solstice, "+w.clk.Now().Add(48*time.Hour).UTC().Format("2006-01-02 15:04")+" UTC<"))
		for path, want := range places {
			body := string(w.get(anon, path).want(200, "").body)
			holds(t, path+" announces it", strings.Contains(body, want))
			if strings.HasPrefix(path, "/calendar") || strings.HasPrefix(path, "/series") || strings.HasPrefix(path, "/tournaments") {
				holds(t, path+" announces the next one too", strings.Contains(body, "cup 2"))
			}
		}
		holds(t, "home leads to the series", strings.Contains(string(w.get(anon, "/").want(200, "").body), `<a href="/series/`+league.ID+`">`))
		w.clk.Move(7 * time.Hour) // registration for 20:00 opens at 19:00
		w.sweep()
		list, _, err := w.store.Tournaments(t.Context(), store.TournamentFilter{}, database.Page{})
		if err != nil || len(list) != 1 {
			t.Fatalf("got %v (%v), want the first of the schedule", list, err)
		}
		calendar := string(w.get(anon, "/calendar.ics").want(200, "").body)
		same(t, "starts of the first in the calendar", strings.Count(calendar, "SUMMARY:cup 1 ("), 1)
		holds(t, "as itself", strings.Contains(calendar, list[0].ID+"@molerun"))
		holds(t, "home leads to it", strings.Contains(string(w.get(anon, "/").want(200, "").body), `<a class="step" href="/tournaments/`+list[0].ID+`#enter">Enter</a>`))
		_, err = w.store.ChangeSchedule(t.Context(), x.ID, schedule.Schedule.Pause)
		must.OK(t, err)
		holds(t, "a paused schedule announces nothing", !strings.Contains(string(w.get(anon, "/calendar.ics").want(200, "").body), "cup 2"))
	})
}
