package api_test

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament/store"
)

// A form that is sent again as it was, by a second click or a reload, makes nothing twice and answers as the first time; one that was filled
// in with other values, and one that was shown again, make something else. So do two clicks at once.
func TestAFormIsCarriedOutOnceHoweverOftenItIsSent(t *testing.T) {
	onBothWith(t, withLogin, func(w *world) {
		me := w.browser(organiser)
		shown := func() url.Values {
			t.Helper()
			in := filledIn(string(w.visits(me, "/tournaments/new?game=masks", nil).want(200, "").body))
			in.Set("name", "Friday Cup")
			in.Set("starts_at", "2026-03-06T20:00")
			return in
		}
		sends := func(in url.Values) string {
			t.Helper()
			return w.visits(me, "/tournaments/new", in).want(303, "").header.Get("Location")
		}
		in := shown()
		first := sends(in)
		w.clk.move(time.Minute) // registration opens now, where nothing is typed: that is when the form was shown
		same(t, "sent again it leads to", sends(in), first)
		in.Set("name", "Saturday Cup")
		other, later := sends(in), sends(shown())
		if other == first || later == first {
			t.Errorf("with another name it leads to %s, shown again to %s: both want a tournament of their own", other, later)
		}
		in = shown()
		ways := make(chan string, 3)
		for range cap(ways) {
			go func() { ways <- w.visits(me, "/tournaments/new", in).header.Get("Location") }()
		}
		want := <-ways
		for range cap(ways) - 1 {
			if way := <-ways; way != want || want == "" {
				t.Errorf("sent at once it leads to %q and to %q", want, way)
			}
		}
		list, _, err := w.store.Tournaments(t.Context(), store.TournamentFilter{OrganiserID: w.users[organiser].ID}, store.Page{})
		if err != nil || len(list) != 4 {
			t.Errorf("%d tournaments were made (%v), want 4", len(list), err)
		}
		hook := filledIn(string(w.visits(me, "/me/webhooks/new", nil).want(200, "").body))
		hook.Set("url", "https://hook.example/")
		made, reloaded := w.visits(me, "/me/webhooks/new", hook).want(200, ""), w.visits(me, "/me/webhooks/new", hook).want(200, "")
		if !bytes.Equal(made.body, reloaded.body) {
			t.Errorf("the page of a webhook that was made is another after a reload: %s\nthen %s", made.body, reloaded.body)
		}
	})
}

// A refusal is a sentence without its title, which a form does not show.
func TestARefusalIsASentence(t *testing.T) {
	onSQLite(t, withLogin, func(w *world) {
		w.do(anon, "POST", "/v1/users", map[string]any{"name": "twice"}).want(201, "")
		says(t, string(w.do(anon, "POST", "/v1/users", map[string]any{"name": "Twice"}).want(409, "name_taken").body), "is there already")
		w.do(anon, "POST", "/v1/users", map[string]any{"name": "a b"}).want(422, "invalid").place("/name")
		says(t, string(w.get(anon, "/v1/bots/019ca945-0000-7000-8000-000000000000").want(404, "not_found").body), "there is no bot")
		says(t, string(w.do(other, "POST", "/v1/bots/"+w.bot(owner).ID+"/pause", nil).want(403, "not_yours").body), "else")
	})
}

// A form that names what is somebody else's is shown again, as another choice would do.
func TestAFormThatChoosesWrongIsKept(t *testing.T) {
	onSQLite(t, withLogin, func(w *world) {
		me, theirs, shy := w.browser(owner), w.bot(other), w.bot(rival)
		w.bot(owner)
		w.consent(theirs.ID)
		w.consent(shy.ID)
		in := filledIn(string(w.visits(me, "/challenges/new?game=masks", nil).want(200, "").body))
		in["bots"] = []string{theirs.ID, shy.ID}
		kept := string(w.visits(me, "/challenges/new", in).want(403, "").body)
		says(t, kept, "none of these is yours")
		holds(t, "the form keeps the bots", slices.Equal(filledIn(kept)["bots"][:2], in["bots"]))
		w.visits(me, "/tournaments/"+theirs.ID+"/enter", url.Values{"bot_id": {theirs.ID}}).want(404, "")
	})
}

// What somebody typed whose session ended meanwhile is in the page that says so, and is sent again from it. Whoever is logged in is
// not told to log in, whatever else is refused.
func TestAFormThatIsSentAfterTheSessionIsKept(t *testing.T) {
	onSQLite(t, withLogin, func(w *world) {
		me := w.browser(organiser)
		in := filledIn(string(w.visits(me, "/tournaments/new?game=masks", nil).want(200, "").body))
		in.Set("name", `"Friday" <Cup>`)
		in.Set("description", "one\r\n\r\ntwo & three")
		in.Set("starts_at", "2026-03-06T20:00")
		kept := string(w.visits("", "/tournaments/new", in).want(403, "").body)
		again := filledIn(strings.Replace(kept, `class="sit"`, `class="fill"`, 1))
		same(t, "what the page keeps", again.Encode(), in.Encode())
		w.visits(me, "/tournaments/new", again).want(303, "")
		says(t, string(w.visits("", "/tournaments/new", in, "Sec-Fetch-Site", "cross-site").want(403, "").body), "another site", "not", "Friday")
		for path, status := range map[string]int{"/tournaments/new?x=1": 422, "/me/bots/x/change": 404, "/login/once?code=x": 403} {
			says(t, string(w.visits(me, path, nil).want(status, "").body), "Go on to", "not", "Log in again")
		}
	})
}
