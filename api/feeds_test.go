package api_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/molerun/molerun/tournament"
)

func TestTheCalendarListsComingStarts(t *testing.T) {
	onBoth(t, func(w *world) {
		later := w.cup(func(c *tournament.Tournament) { c.StartsAt = c.StartsAt.Add(time.Hour) })
		sooner := w.cup(func(c *tournament.Tournament) { c.Name = `Cup, of "A"; B\C <x> END:VEVENT` })
		over := w.finished(w.bot(owner), w.bot(other))
		got := w.get(anon, "/calendar.ics").want(200, "")
		calendar, err := ics.ParseCalendar(strings.NewReader(string(got.body)))
		if err != nil {
			t.Fatal(err)
		}
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
			holds(t, "summary begins with "+cup.Name, strings.HasPrefix(events[i].GetProperty(ics.ComponentPropertySummary).Value, cup.Name+" ("))
		}
		holds(t, "what is over is left out", !strings.Contains(string(got.body), over.ID))
		same(t, "asked again", w.raw("GET", "/calendar.ics", "If-None-Match", got.header.Get("ETag")).Code, 304)
	})
}

func TestTheFeedTellsWhoWon(t *testing.T) {
	onBoth(t, func(w *world) {
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
			if err := xml.Unmarshal(w.get(anon, "/news.atom").want(200, "").body, &feed); err != nil {
				t.Fatal(err)
			}
			return feed
		}
		w.cup(func(*tournament.Tournament) {})
		same(t, "entries before a tournament is over", len(read().Entries), 0)
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
		if err != nil {
			t.Fatal(err)
		}
		holds(t, "the winner is named: "+e.Title, strings.HasPrefix(e.Title, standings[0].Bot) && strings.Contains(e.Title, " won "+cup.Name))
	})
}
