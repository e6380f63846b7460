package api_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

func TestPagesSayWhoMayLoadWhat(t *testing.T) {
	onOne(t, func(w *world) {
		home := w.get(anon, "/").want(200, "")
		must.Say(t, home.header.Get("Content-Security-Policy"), "default-src 'none'", "script-src 'self'", "not", "unsafe")
		if strings.Contains(string(home.body), "onclick") || regexp.MustCompile(`<script[^>]*>[^<]`).Match(home.body) || strings.Contains(string(home.body), "style=") {
			t.Error("the page has a script or a style inline")
		}
		for _, name := range regexp.MustCompile(`/assets/[a-z0-9.-]+`).FindAllString(string(home.body), -1) {
			got := w.get(anon, name).want(200, "")
			if !strings.Contains(got.header.Get("Cache-Control"), "immutable") || got.header.Get("ETag") == "" || len(got.body) > 40_000 {
				t.Errorf("%s: got %d bytes, %v; want a small file that may be kept", name, len(got.body), got.header)
			}
		}
		w.get(anon, "/", "If-None-Match", home.header.Get("ETag")).want(304, "")
		// a page of another release, as while its processes are replaced
		if got := w.get(anon, "/assets/app-0123456789ab.css").want(200, ""); got.header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(got.header.Get("Content-Type"), "text/css") {
			t.Errorf("a file of another release: %v, want ours, not to be kept", got.header)
		}
		for _, name := range []string{"app.css", "app-0123456789ab.js.css", "app-0123456789AB.css", "gone-0123456789ab.css"} {
			w.get(anon, "/assets/"+name).want(404, "not_found")
		}
	})
}

// The page says it without asking the database more: see [TestAPageAsksTheDatabaseAFewTimes].
func TestThePageOfATournamentSaysWhatItsEntriesDo(t *testing.T) {
	onOne(t, func(w *world) {
		for game, seated := range map[string]string{"toy": "playing", "masks": "paused"} { // with hidden teams nobody learns who sits where
			cup, list := w.started(func(c *tournament.Tournament) {
				if game == "toy" {
					c.Game, c.Config = game, json.RawMessage(`{"steps":5}`)
				}
			}, owner, other, rival)
			w.play(list[0], 2)
			paused := list[0].Seats[0].BotID
			_, err := w.director.PauseBot(t.Context(), paused)
			must.OK(t, err)
			page := string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body)
			for _, e := range into[wire.Page[wire.Entry]](w.get(anon, "/v1/tournaments/"+cup.ID+"/entries").want(200, "")).Data {
				if e.BotID == paused && e.State != seated {
					t.Errorf("the bot that is paused while it plays is %s, want %s", e.State, seated)
				}
				must.Say(t, page, e.Bot+`</a> <span class="small">`+e.Text+"</span>")
			}
		}
	})
}

func TestPagesTellNeitherASeatsViewNorTheReasonOfAPauseInFull(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		queued := "/matches/" + list[0].ID
		w.get(anon, queued).want(200, "")
		w.get(anon, queued+"/frames").want(409, "wrong_state")
		w.play(list[0], 2)
		for _, path := range []string{queued + "?seat=0", queued + "/frames?seat=1", queued + "/board.svg?seat=0"} {
			for _, who := range people() {
				w.get(who, path).want(409, "wrong_state")
			}
		}
		w.get(anon, queued+"?step=3").want(400, "bad_query")
		frames := w.get(anon, queued+"/frames").want(200, "").has("last", 2, "open", false, "frames/#", 3)
		must.Say(t, string(frames.body), "not", "Decisions")

		cup, list := w.started(func(c *tournament.Tournament) { c.Game, c.Config = "toy", json.RawMessage(`{"steps":5}`) }, owner, other)
		w.play(list[0], 100)
		_, err := w.director.ApplyRatings(t.Context(), "toy")
		must.OK(t, err)
		_, err = directortest.Greet(t.Context(), w.store, w.director, list[0].Seats[0].BotID, "dial https://secret.example: refused")
		must.OK(t, err)
		for _, path := range []string{"/", "/ladders/toy", "/bots/" + list[0].Seats[0].BotID, "/tournaments/" + cup.ID, "/matches/" + list[0].ID} {
			body := string(w.get(anon, path).want(200, "").body)
			must.Say(t, body, "not", "secret.example")
			if paused := strings.Contains(body, "has not passed its health checks"); paused != (strings.HasPrefix(path, "/ladders") || strings.HasPrefix(path, "/bots")) {
				t.Errorf("%s: says that the bot is paused: %v", path, paused)
			}
		}
	})
}

// slow takes 12.3 ms for everything.
type slow struct{ nodder }

func (s slow) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	r := s.nodder.Ask(ctx, b, a)
	r.Ledger.Elapsed = 12300 * time.Microsecond
	return r
}

func TestTheLadderSaysTheSameOnItsPageAndInTheAPI(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(c *tournament.Tournament) { c.Cycles = 6 }, owner, other)
		ladder := list[0].LadderID
		for _, m := range list {
			w.playWith(m, 1000, slow{})
		}
		rows := into[wire.Page[wire.LadderEntry]](w.get(anon, "/v1/ladders/"+ladder+"/entries").want(200, "")).Data
		if len(rows) != 2 {
			t.Fatalf("got %+v, want two lines", rows)
		}
		about := "95 % of its answers in a match arrived): 12.3 ms in the median match, 12.3 ms in the slowest"
		if body := string(w.get(anon, "/bots/"+list[0].Seats[0].BotID).want(200, "").body); !strings.Contains(body, about) || strings.Count(body, `<td class="n" data-label="p95">12.3 ms</td>`) != 6 {
			t.Errorf("the bot's page does not tell its latency, once and match by match:\n%s", body)
		}
		page := string(w.get(anon, "/bots/"+list[0].Seats[0].BotID).want(200, "").body)
		against := `<td class="against"><a href="/bots/` + list[0].Seats[1].BotID + `">` + list[0].Seats[1].BotName + "</a>"
		same(t, "matches of the page with a link to the opponent", strings.Count(page, against), 6)
		body := string(w.get(anon, "/ladders/"+ladder).want(200, "").body)
		for _, r := range rows {
			if r.Wins+r.Draws+r.Losses != 6 || len(r.Form) != 5 || r.P95MS != 12.3 {
				t.Errorf("got %+v, want six matches, the form of five, and 12.3 ms", r)
			}
			marks := ""
			for _, letter := range r.Form {
				word := map[rune]string{'W': "win", 'D': "draw", 'L': "loss"}[letter]
				marks += `<abbr class="` + word + `" title="` + word + `">` + string(letter) + `</abbr>`
			}
			must.Say(t, body, fmt.Sprintf("%d–%d–%d <span", r.Wins, r.Draws, r.Losses), marks+"</span></td>", ">12.3 ms</td>")
		}
	})
}

func TestATournamentsPageSaysWhatTheRanksGoByAndHowFarEachCame(t *testing.T) {
	onOne(t, func(w *world) {
		for _, row := range []struct {
			format  tournament.Format
			options tournament.FormatOptions
			want    string
		}{
			{tournament.Groups, tournament.FormatOptions{GroupSize: 3, Finalists: 2}, "Ranks go by how far each came, then final points, then points, then "},
			{tournament.SingleElimination, tournament.FormatOptions{BestOf: 2}, "Ranks go by how far each came."},
			{tournament.Swiss, tournament.FormatOptions{Rounds: 2}, "Ranks go by points, then "},
		} {
			cup, _ := w.started(func(c *tournament.Tournament) {
				c.Format, c.Options = row.format, row.options
				c.Capacity = 6
			}, owner, other, rival, organiser, admin)
			must.Say(t, string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body), row.want)
		}

		cup, _ := w.started(func(c *tournament.Tournament) {
			c.Game, c.Config, c.Rated, c.Capacity = "toy", json.RawMessage(`{"steps":5}`), false, 6
			c.Format, c.Options = tournament.Groups, tournament.FormatOptions{GroupSize: 3, Finalists: 2}
		}, owner, other, rival, organiser, admin)
		page := func() string { return string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body) }
		must.Say(t, page(), "not", "<strong>Final</strong>")
		for {
			list, _, err := w.store.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}, store.Page{Sort: store.Oldest})
			must.OK(t, err)
			if len(list) == 0 {
				break
			}
			w.play(list[0], 100)
		}
		if body := page(); strings.Count(body, "<strong>Winner</strong>") != 1 || strings.Count(body, "<strong>Final</strong>") != 1 {
			t.Error("want one who won and one who has reached the final on the page")
		}

		cup, list := w.started(func(c *tournament.Tournament) {
			c.Game, c.Config, c.Rated, c.Format = "toy", json.RawMessage(`{"steps":5}`), false, tournament.SingleElimination
		}, owner, other, rival, organiser)
		page = func() string { return string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body) }
		for !strings.Contains(page(), "Now: Final") && len(list) > 0 {
			w.play(list[0], 100)
			var err error
			list, _, err = w.store.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}, store.Page{Sort: store.Oldest})
			must.OK(t, err)
		}
		gone, stays := list[0].Seats[0], list[0].Seats[1]
		_, err := w.director.Withdraw(t.Context(), cup.ID, gone.BotID, gone.OwnerID)
		must.OK(t, err)
		inOrder(t, page(), stays.BotName+" won.", "<h3>Final</h3>", "forfeit: it has withdrawn", gone.BotName, "<strong>Final</strong>")
		sheet := string(w.get(anon, "/v1/tournaments/"+cup.ID+"/export?table=bracket&format=csv").want(200, "").body)
		must.Say(t, sheet, gone.BotName+",,0,true,it has withdrawn,false", stays.BotName+",,0,true,,true")
	})
}

// inOrder fails the test unless the page has all of these texts, one after the other.
func inOrder(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		_, rest, found := strings.Cut(page, text)
		if !found {
			t.Errorf("%q is not on the page, or not after the one before", text)
			return
		}
		page = rest
	}
}

func TestAnEventsPageBeginsWithWhatMattersNow(t *testing.T) {
	onOne(t, func(w *world) {
		page := func(path string) string { return string(w.get(anon, path).want(200, "").body) }
		toys := func(c *tournament.Tournament) {
			c.Game, c.Config, c.Rated, c.Format, c.Options.Rounds = "toy", json.RawMessage(`{"steps":5}`), false, tournament.Swiss, 2
		}
		_, invite, err := tournament.NewInvite(rand.Reader)
		must.OK(t, err)
		open := w.cup(func(c *tournament.Tournament) {
			toys(c)
			c.Invite = invite
		})
		inOrder(t, page("/tournaments/"+open.ID), "<h1>", "Starts <strong><time", "At stake", "0 of 8 places taken", "Invitation", "Swiss of at most 2 rounds", `id="enter"`, "--invite CODE", `id="standings"`)

		cup, first := w.started(toys, owner, other)
		at := "/tournaments/" + cup.ID
		inOrder(t, page(at), "Now</dt><dd>Round 1: 0 of 1 table over", "Now: Round 1", `id="standings"`)
		w.play(first[0], 100)
		list, _, err := w.store.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID}, store.Page{Sort: store.Newest})
		if err != nil || len(list) < 2 {
			t.Fatalf("got %d matches (%v), want those of two rounds", len(list), err)
		}
		inOrder(t, page(at), "Now: Round 2", `id="standings"`, "Earlier rounds: 1", "<summary>Round 1</summary>", "game 1 <b", `</b><span class="hide"> of `)
		wall := page(at + "?view=projector")
		inOrder(t, wall, `<noscript><meta http-equiv="refresh" content="10"></noscript>`, `<body class="bare">`, "Round 2: 0 of 1 table over", "Standings", "Round 2")
		holds(t, "a wall follows no stream", !strings.Contains(wall, "data-live"))
		w.get(anon, at+"?view=cinema").want(400, "bad_query").place("?view")
		w.play(list[0], 100)
		inOrder(t, page(at), " won: they are equal in all that ranks them.</p>", `<ol class="podium"`, "Standings")
		holds(t, "an event that is over takes nobody", !strings.Contains(page(at), `id="enter"`))
	})
}
