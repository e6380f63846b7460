package api_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
)

// person is a browser of somebody without an account.
type person struct {
	w      *world
	cookie string // the secret of their seat

	cookieName string // "": as at an address without TLS
	head       map[string]string
}

// onOneWithGuests is onOne with a platform that lets four people play.
func onOneWithGuests(t *testing.T, test func(w *world)) {
	t.Helper()
	onOneWith(t, func(c *api.Config) { c.Limits.Guests = 4 }, test)
}

// A path that names no game has nothing to do with the seats, which there are.
func TestASeatOfNoGameIsNotFound(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		must.Say(t, string(w.visits("", "/play/nope", nil).want(404, "").body), "Not found", "not", "no seats")
	})
}

// ask sends a request, a form if there is one.
func (p *person) ask(method, path string, form url.Values) answer {
	p.w.t.Helper()
	r := httptest.NewRequestWithContext(p.w.t.Context(), method, path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if p.cookie != "" {
		r.AddCookie(&http.Cookie{Name: cmp.Or(p.cookieName, "molerun_seat"), Value: p.cookie})
	}
	for name, value := range p.head {
		r.Header.Set(name, value)
	}
	return p.w.send(r)
}

// sitDown takes a seat against a fresh bot, in a match that runs, and returns the match.
func (p *person) sitDown() tournament.Match {
	p.w.t.Helper()
	b := p.w.bot(rival)
	p.w.consent(b.ID)
	got := p.ask("POST", "/play/masks", url.Values{"variant": {"base"}, "seat": {"0"}, "bot": {b.ID}}).want(303, "")
	set, err := http.ParseSetCookie(got.header.Get("Set-Cookie"))
	must.OK(p.w.t, err)
	p.cookie, p.cookieName = set.Value, set.Name
	g, err := tournament.FindGuest(p.cookie)
	must.OK(p.w.t, err)
	m, err := p.w.store.GuestMatch(p.w.t.Context(), g)
	must.OK(p.w.t, err)
	p.w.play(m, 0)
	return p.w.matchOf(m.ID)
}

// asked puts a turn into the person's mailbox, as the runner does, and returns where the answer comes.
func (p *person) asked(m tournament.Match, decision string) <-chan tournament.MessageAnswer {
	p.w.t.Helper()
	g, err := tournament.FindGuest(p.cookie)
	must.OK(p.w.t, err)
	steps, err := p.w.store.Decisions(p.w.t.Context(), m.ID)
	must.OK(p.w.t, err)
	table, err := rerun(runner.SpecOf(m, game.Wrap(masks{}), steps))
	must.OK(p.w.t, err)
	body, err := json.Marshal(map[string]any{"type": "turn", "match": m.ID, "step": len(steps), "decision": decision, "offer": table.Offer(0)})
	must.OK(p.w.t, err)
	ctx, stop := context.WithTimeout(p.w.t.Context(), patience)
	out := make(chan tournament.MessageAnswer, 1)
	p.w.t.Cleanup(func() {
		stop()
		<-out // closed, or the answer that nobody took
	})
	go func() {
		defer stop()
		if a, err := p.w.store.Exchange(ctx, g.Box(), tournament.Message{Body: body}); err == nil {
			out <- a
		}
		close(out)
	}()
	for { // until the letter lies there
		if page := p.ask("GET", "/seat", nil).want(200, ""); bytes.Contains(page.body, []byte(decision)) {
			return out
		}
	}
}

func TestASeatIsItsPersonsAlone(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		ada, bob := &person{w: w}, &person{w: w}
		m := ada.sitDown()
		answered := ada.asked(m, "dec_ada")
		move := url.Values{"decision": {"dec_ada"}, "choose": {"0"}}
		t.Run("guess", func(*testing.T) {
			g, err := tournament.FindGuest(ada.cookie)
			must.OK(t, err)
			raw, err := base64.RawURLEncoding.DecodeString(ada.cookie)
			must.OK(t, err)
			for _, guess := range []string{"", "x", g.BotID, g.Name, m.ID, "dec_ada", strings.Repeat("A", 43), ada.cookie[:42], ada.cookie + "A", base64.StdEncoding.EncodeToString(raw)} {
				eve := &person{w: w, cookie: guess}
				eve.ask("GET", "/seat", nil).want(404, "")
				eve.ask("GET", "/seat?after=running", nil).want(404, "")
				eve.ask("GET", "/seat/board.svg", nil).want(404, "")
				eve.ask("POST", "/seat", move).want(404, "")
				eve.ask("POST", "/seat/leave", url.Values{}).want(404, "")
			}
			bob.ask("GET", "/seat?molerun_seat="+ada.cookie, nil).want(400, "bad_query")
		})
		t.Run("another's seat", func(*testing.T) {
			bob.sitDown()
			bob.ask("POST", "/seat", move).want(409, "wrong_state")
		})
		t.Run("another's site", func(*testing.T) {
			for _, head := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}} {
				ada.head = head
				ada.ask("POST", "/seat", move).want(403, "not_yours")
				ada.ask("POST", "/seat/leave", url.Values{}).want(403, "not_yours")
				ada.ask("POST", "/play/masks", url.Values{}).want(403, "not_yours")
			}
			ada.head = nil
		})
		select {
		case a := <-answered:
			t.Fatalf("got the answer %s, want none from anybody but ada", a.Body)
		default:
		}
		t.Run("replay", func(*testing.T) {
			ada.ask("POST", "/seat", move).want(303, "")
			must.Say(t, string((<-answered).Body), `"decision":"dec_ada"`)
			ada.ask("POST", "/seat", move).want(409, "wrong_state")
		})
	})
}

func TestTheSecretOfASeatIsOursAndStaysInTheCookie(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		b := w.bot(rival)
		w.consent(b.ID)
		planted := strings.Repeat("A", 43) // a secret that somebody else knows
		eve := &person{w: w, cookie: planted}
		got := eve.ask("POST", "/play/masks", url.Values{"variant": {"base"}, "seat": {"0"}, "bot": {b.ID}}).want(303, "")
		set, err := http.ParseSetCookie(got.header.Get("Set-Cookie"))
		must.OK(t, err)
		holds(t, "the secret is a new one", set.Value != planted)
		holds(t, "HttpOnly", set.HttpOnly)
		same(t, "SameSite", set.SameSite, http.SameSiteStrictMode)
		eve.ask("GET", "/seat", nil).want(404, "")
		ada := &person{w: w, cookie: set.Value}
		page := ada.ask("GET", "/seat", nil).want(200, "")
		same(t, "Cache-Control", page.header.Get("Cache-Control"), "no-store")
		g, err := tournament.FindGuest(set.Value)
		must.OK(t, err)
		m, err := w.store.GuestMatch(t.Context(), g)
		must.OK(t, err)
		w.play(m, 1)
		w.tight(map[string]string{
			"the page":  string(ada.ask("GET", "/seat", nil).body),
			"the match": string(w.get(admin, "/v1/matches/"+m.ID).body),
			"the bot":   string(w.get(admin, "/v1/bots/"+g.BotID).body),
			"the feed":  string(w.get(admin, "/v1/events").body),
		}, map[string]string{"secret": set.Value})
	})
}

func TestNothingHiddenReachesAPersonsSeat(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		ada := &person{w: w}
		m := ada.sitDown()
		answered := ada.asked(m, "dec_1")
		secrets := w.secrets(m)
		own := secrets["mask 0"]
		delete(secrets, "mask 0")
		page := string(ada.ask("GET", "/seat", nil).body)
		holds(t, "ada sees her own mask: else the page could not leak another", strings.Contains(page, own))
		w.tight(map[string]string{
			"the page":    page,
			"what is new": string(ada.ask("GET", "/seat?after=x", nil).body),
			"a refusal":   string(ada.ask("POST", "/seat", url.Values{"decision": {"dec_1"}, "choose": {"99"}}).want(422, "invalid").body),
		}, secrets)
		ada.ask("POST", "/seat", url.Values{"decision": {"dec_1"}, "choose": {"0"}}).want(303, "")
		<-answered
	})
}

// People take no more places than the platform gives, nor one address all of them; what they leave behind is on no list.
func TestPeopleAreBounded(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		b := w.bot(rival)
		w.consent(b.ID)
		form := url.Values{"variant": {"base"}, "seat": {"1"}, "bot": {b.ID}}
		for range 2 {
			(&person{w: w}).ask("POST", "/play/masks", form).want(303, "")
		}
		(&person{w: w}).ask("POST", "/play/masks", form).want(409, "limit_reached")
		for i := range 2 { // two processes, or two addresses, fill the rest
			if _, err := w.director.SeatGuest(t.Context(), seating(t, b.ID, 4)); err != nil {
				t.Fatal(i, err)
			}
		}
		_, err := w.director.SeatGuest(t.Context(), seating(t, b.ID, 4))
		holds(t, "the fifth is refused: "+fmt.Sprint(err), strings.Contains(fmt.Sprint(err), "which is the most"))
		for _, path := range []string{"/v1/bots?limit=100", "/v1/bots?status=retired", "/play/masks", "/"} {
			if body := w.get(anon, path).want(200, "").body; bytes.Contains(body, []byte("guest-")) {
				t.Errorf("%s: lists a guest: %s", path, body)
			}
		}
	})
}

// Thirty people of a class sit behind one address. What somebody who is logged in asks at a seat counts for their account, not for the
// address: seats, and requests.
func TestWhoIsLoggedInTakesSeatsForTheirOwnAccount(t *testing.T) {
	onOneWith(t, func(c *api.Config) {
		c.Limits.Guests, c.Limits.Seat.Count, c.Limits.Default.Count = 8, 2, 20
	}, func(w *world) {
		b := w.bot(rival)
		w.consent(b.ID)
		form := url.Values{"variant": {"base"}, "seat": {"0"}, "bot": {b.ID}}
		sits := func(session tournament.LoginSecret) {
			w.t.Helper()
			w.visits(session, "/play/masks", form).want(303, "")
		}
		ada, bob := w.browser(owner), w.browser(other)
		for range 2 {
			sits("")
		}
		w.visits("", "/play/masks", form).want(429, "")
		for w.get(anon, "/games").status != 429 { // all that the address may ask
		}
		sits(ada)
		sits(bob)
		sits(ada)
		w.visits(ada, "/play/masks", form).want(429, "")
	})
}

// Of the bots that may be challenged, a form chooses those with a place; one that has none is named, with what helps.
func TestTheOpponentThatIsChosenHasAPlace(t *testing.T) {
	onOneWith(t, func(c *api.Config) { c.Limits.Guests = 40 }, func(w *world) {
		first, second := w.bot(rival), w.bot(rival)
		w.consent(first.ID)
		w.consent(second.ID)
		chosen := func() string {
			t.Helper()
			page := string(w.get(anon, "/play/masks").want(200, "").body)
			_, list, _ := strings.Cut(page, `name="bot"`)
			return picked.FindStringSubmatch(list)[1]
		}
		for i := range 2 * tournament.MaxChallenges {
			form := url.Values{"variant": {"base"}, "seat": {"0"}, "bot": {chosen()}}
			if got := w.visits("", "/play/masks", form); got.status != 303 {
				t.Fatalf("person %d sits down with what the form chooses: %d %s", i+1, got.status, got.body)
			}
		}
		got := w.visits("", "/play/masks", url.Values{"variant": {"base"}, "seat": {"0"}, "bot": {first.ID}}).want(409, "")
		holds(t, "the refusal says to take another: "+string(got.body), bytes.Contains(got.body, []byte("take another bot")))
	})
}

func TestWhoHasNoSeatIsToldHowToTakeOne(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		ada := &person{w: w, head: map[string]string{"Accept": "text/html"}}
		before := ada.ask("GET", "/seat", nil).want(404, "")
		ada.sitDown()
		ada.ask("POST", "/seat/leave", url.Values{}).want(303, "")
		ada.cookie = ""
		for _, page := range []answer{before, ada.ask("GET", "/seat", nil).want(404, "")} {
			body := string(page.body)
			holds(t, "it says where to sit down: "+body, strings.Contains(body, "choose a game at /games") && !strings.Contains(body, "mistyped"))
		}
	})
}

// Who leaves a seat frees its place at once, for themselves and for others at their address, and so does who sits down elsewhere.
func TestWhoLeavesASeatCanSitDownAnewAtOnce(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		ada, bob, eve := &person{w: w}, &person{w: w}, &person{w: w}
		left := ada.sitDown()
		answered := ada.asked(left, "dec_1")
		bob.sitDown()
		b := w.bot(rival)
		w.consent(b.ID)
		form := url.Values{"variant": {"base"}, "seat": {"0"}, "bot": {b.ID}}
		eve.ask("POST", "/play/masks", form).want(409, "limit_reached")
		ada.ask("POST", "/seat/leave", url.Values{}).want(303, "")
		same(t, "the status of the answer", (<-answered).Status, 410)
		same(t, "the match that was left", w.matchOf(left.ID).Status, tournament.MatchVoid)
		again := ada.sitDown()
		eve.ask("POST", "/play/masks", form).want(409, "limit_reached")

		answered = ada.asked(again, "dec_2")
		ada.ask("POST", "/play/masks", url.Values{"variant": {"none"}, "seat": {"0"}, "bot": {b.ID}}).want(422, "invalid")
		same(t, "the match after a form that was refused", w.matchOf(again.ID).Status, tournament.MatchRunning)
		shy := w.bot(rival)
		ada.ask("POST", "/play/masks", url.Values{"variant": {"base"}, "seat": {"0"}, "bot": {shy.ID}}).want(403, "not_yours")
		same(t, "the match after a seat that was refused", w.matchOf(again.ID).Status, tournament.MatchRunning)
		eve.ask("POST", "/play/masks", form).want(409, "limit_reached")
		third := ada.sitDown()
		same(t, "the status of the second answer", (<-answered).Status, 410)
		same(t, "the match of the seat before", w.matchOf(again.ID).Status, tournament.MatchVoid)
		same(t, "the match of the new seat", w.matchOf(third.ID).Status, tournament.MatchRunning)
	})
}

// A seat is kept as long as its page is open, or is read by somebody who has no script; then its match is void.
func TestASeatIsGivenUpWhenItsPersonHasGone(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		ada := &person{w: w}
		m := ada.sitDown()
		answered := ada.asked(m, "dec_1")
		g, err := tournament.FindGuest(ada.cookie)
		must.OK(t, err)
		sweeps := func(after string, want tournament.MatchStatus) {
			t.Helper()
			must.OK(t, w.director.ClearSeats(t.Context()))
			same(t, after, w.matchOf(m.ID).Status, want)
		}
		goes := func(ago time.Duration) { // as if the page had last been asked for so long ago
			t.Helper()
			must.OK(t, w.store.StayAt(t.Context(), g.Box(), tournament.GuestAway-ago))
		}
		goes(tournament.GuestAway - time.Minute)
		sweeps("a minute before the end", tournament.MatchRunning)
		for _, path := range []string{"/seat", "/seat?after=x"} {
			goes(time.Hour)
			ada.ask("GET", path, nil).want(200, "")
			sweeps("back at "+path, tournament.MatchRunning)
		}
		goes(time.Hour)
		sweeps("an hour after", tournament.MatchVoid)
		same(t, "the status of the answer", (<-answered).Status, 410)
		page := ada.ask("GET", "/seat", nil).want(200, "")
		holds(t, "the page says why", bytes.Contains(page.body, []byte("does not count: you went away.<")))
		ctx, stop := context.WithTimeout(t.Context(), patience)
		defer stop()
		_, err = w.store.Exchange(ctx, g.Box(), tournament.Message{Body: []byte("{}")})
		holds(t, fmt.Sprintf("the next turn is refused at once: %v", err), err != nil && ctx.Err() == nil)
	})
}

func TestOddFormsAreRefusedAndChangeNothing(t *testing.T) {
	onOneWithGuests(t, func(w *world) {
		ada := &person{w: w}
		m := ada.sitDown()
		answered := ada.asked(m, "dec_1")
		for _, form := range []url.Values{
			{},
			{"decision": {"dec_1"}},
			{"decision": {"dec_1"}, "choose": {"-1"}},
			{"decision": {"dec_1"}, "choose": {"0 "}},
			{"decision": {"dec_1"}, "form": {"0"}},
			{"decision": {"dec_1"}, "form": {"x"}, "field.\x00": {"\x00"}},
			{"decision": {"dec_1"}, "choose": {"0"}, "say": {"masks have no talk"}},
			{"decision": {"dec_1"}, "choose": {"0"}, "admin": {"true"}},
			{"decision": {"\x00"}, "choose": {"0"}},
		} {
			if got := ada.ask("POST", "/seat", form); got.status != 422 && got.status != 409 {
				t.Errorf("%v: got %d %s, want a refusal", form, got.status, got.body)
			}
		}
		for _, form := range []url.Values{
			{},
			{"variant": {"base"}, "seat": {"9"}, "bot": {"x"}},
			{"variant": {"\x00"}, "seat": {"0"}},
			{"variant": {"base"}, "seat": {"0"}, "bot": {"x"}},
			{"variant": {"base"}, "seat": {"0"}, "bot": {}},
		} {
			if got := (&person{w: w}).ask("POST", "/play/masks", form); got.status != 422 {
				t.Errorf("%v: got %d %s, want 422", form, got.status, got.body)
			}
		}
		ada.head = map[string]string{"Content-Type": "application/json"}
		if got := ada.ask("POST", "/seat", url.Values{}).want(415, "unsupported_media_type").body; !strings.Contains(string(got), "send the fields as a form does") {
			t.Errorf("JSON in place of a form: %s", got)
		}
		select {
		case a := <-answered:
			t.Errorf("got the answer %s, want none", a.Body)
		default:
		}
	})
}

// seating is that of a fresh guest against a bot.
func seating(t *testing.T, botID string, most int) director.Seating {
	t.Helper()
	_, g, err := tournament.NewGuest(rand.Reader)
	must.OK(t, err)
	return director.Seating{
		Guest: g,
		Game:  "masks",
		Bots:  []string{botID},
		Most:  most,
	}
}
