package api_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
)

// A form leaves out choices that the platform always refuses: as a substitute a bot that is entered, for a class a schedule that has ended, for a
// series what is unlisted, for a challenge a bot that is paused. What a bot cannot enter says why.
func TestAFormOffersNothingThatIsRefused(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		me, cup := w.browser(organiser), w.cup(func(x *tournament.Tournament) { x.Rated = false })
		place, entered, free := w.bot(owner), w.bot(owner), w.bot(owner)
		for _, b := range []tournament.Bot{place, entered} {
			w.do(owner, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": b.ID}).want(201, "")
		}
		page := string(w.visits(me, "/tournaments/"+cup.ID+"/organise/"+place.ID+"/substitute", nil).want(200, "").body)
		for id, offered := range map[string]bool{place.ID: false, entered.ID: false, free.ID: true} {
			if strings.Contains(page, `value="`+id) != offered {
				t.Errorf("a substitute %s is offered: want %v in %s", id, offered, page)
			}
		}
		w.do(organiser, "DELETE", "/v1/tournaments/"+cup.ID+"/entries/"+entered.ID, nil).want(204, "")
		desk := "/tournaments/" + cup.ID + "/organise"
		must.Say(t, string(w.visits(me, desk, nil).want(200, "").body), "the organiser has excluded it", entered.ID+"/admit")
		must.Say(t, string(w.visits(me, desk+"/"+place.ID+"/substitute", nil).want(200, "").body), "not", `value="`+entered.ID)
		w.do(owner, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": entered.ID}).want(409, "wrong_state")
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/entries/"+entered.ID+"/admit", nil).want(200, "")
		must.Say(t, string(w.visits(me, desk, nil).want(200, "").body), entered.ID+"/withdraw", "not", entered.ID+"/admit")
		again := w.series(func(*schedule.Schedule) {})
		for _, offered := range []bool{true, false} {
			if page := string(w.visits(me, "/me/classes/new", nil).want(200, "").body); strings.Contains(page, again.ID) != offered {
				t.Errorf("a schedule is offered for a class: want %v in %s", offered, page)
			}
			if offered {
				w.do(organiser, "POST", "/v1/schedules/"+again.ID+"/cancel", nil).want(200, "")
			}
		}
		hidden := w.cup(func(x *tournament.Tournament) { x.Rated, x.Unlisted = false, true })
		late := w.series(func(x *schedule.Schedule) { x.Template.Rated, x.Template.Unlisted = false, true })
		must.Say(t, string(w.visits(me, "/series/new", nil).want(200, "").body), cup.ID, again.ID, "not", hidden.ID, late.ID)
		mine := w.browser(owner)
		w.do(owner, "POST", "/v1/bots/"+entered.ID+"/pause", nil).want(200, "")
		w.do(admin, "POST", "/v1/bots/"+free.ID+"/ban", map[string]any{"reason": "it floods"}).want(200, "")
		must.Say(t, string(w.visits(mine, "/challenges/new?game=masks", nil).want(200, "").body), place.ID, "not", entered.ID, free.ID)
		must.Say(t, string(w.visits(mine, "/tournaments/"+hidden.ID+"/enter", nil).want(200, "").body), "it gets no matches: paused by its owner", "it gets no matches: banned: it floods")
	})
}

func TestADeskLeadsOnlyToWhatIsTaken(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		// A gauntlet without a challenger cannot start, so its organiser sees who is one.
		cup := w.cup(func(x *tournament.Tournament) { x.Format = tournament.Gauntlet })
		for who, challenges := range map[string]bool{owner: true, other: false} {
			w.do(who, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": w.bot(who).ID, "challenger": challenges}).want(201, "")
		}
		for _, at := range []string{"", "/organise"} {
			if page := string(w.visits(w.browser(organiser), "/tournaments/"+cup.ID+at, nil).want(200, "").body); strings.Count(page, ">challenger") != 1 {
				t.Errorf("%s does not say of one of two entries that it challenges: %s", at, page)
			}
		}

		// A page leads only to what the format takes in its state: seeds, substitutes, a round by hand, late entries.
		me, mine := w.browser(organiser), w.browser(owner)
		begun := func(format tournament.Format, change func(*tournament.Tournament)) tournament.Tournament {
			x := w.cup(func(x *tournament.Tournament) {
				x.Game, x.Config, x.Format, x.Rated = "toy", json.RawMessage(`{"steps":3}`), format, false
				if change != nil {
					change(x)
				}
			})
			for _, who := range []string{owner, rival} {
				b := w.bot(who)
				_, err := w.director.Join(t.Context(), x.ID, b.ID, b.OwnerID)
				must.OK(t, err)
			}
			return x
		}
		leads := func(x tournament.Tournament, to string, want bool) {
			t.Helper()
			if page := string(w.visits(me, "/tournaments/"+x.ID+"/organise", nil).want(200, "").body); strings.Contains(page, to) != want {
				t.Errorf("the desk of a %s %s leads to %s: want %v", x.Status, x.Format, to, want)
			}
		}
		start := func(x tournament.Tournament) tournament.Tournament {
			x, err := w.director.Start(t.Context(), x.ID)
			must.OK(t, err)
			return x
		}
		test := begun(tournament.SPRT, func(x *tournament.Tournament) {
			x.Capacity, x.Duplicate, x.Options.Test = 2, true, tournament.Test{Elo1: 100}
		})
		leads(test, "/seeds", false)
		leads(test, "/substitute", true)
		leads(start(test), "/substitute", false)
		arena := begun(tournament.Arena, func(x *tournament.Tournament) { x.Options.LastsMS = 600_000 })
		leads(arena, "/seeds", true)
		leads(start(arena), "/substitute", false)

		swiss := start(begun(tournament.Swiss, func(x *tournament.Tournament) {
			x.Options.Rounds, x.Options.Playoff, x.Options.LateEntries = 1, tournament.SingleElimination, true
		}))
		leads(swiss, "/substitute", true)
		leads(swiss, "/rounds/1", true)
		spare := w.bot(owner)
		must.Say(t, string(w.visits(mine, "/tournaments/"+swiss.ID+"/enter", nil).want(200, "").body), spare.Name, "1 of 1 round paired; a swiss takes entries during the first half")
		list, _, err := w.store.Matches(t.Context(), store.MatchFilter{TournamentID: swiss.ID}, store.Page{Sort: store.Oldest})
		must.OK(t, err)
		w.play(list[0], 100)
		leads(swiss, "/rounds/", false)
	})
}

func TestThePageOfATournamentSaysWhenItsRoundBegins(t *testing.T) {
	onOne(t, func(w *world) {
		// Between two rounds the page says when the next begins, unless the organiser has to go on first.
		cup, _ := w.played(func(x *tournament.Tournament) {
			x.Format, x.Options = tournament.Swiss, tournament.FormatOptions{Rounds: 2, RoundPauseMS: 180_000}
		}, owner, other)
		page := string(w.visits("", "/tournaments/"+cup.ID, nil).want(200, "").body)
		if said := regexp.MustCompile(`Round 2 begins <time[^>]*>in 3 min<`); !said.MatchString(page) {
			t.Errorf("the page does not say that round 2 begins in 3 min: %s", page)
		}
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/pause", nil).want(200, "")
		page = string(w.visits("", "/tournaments/"+cup.ID, nil).want(200, "").body)
		must.Say(t, page, "until the organiser goes on", "Round 2: 0 of 1 table over", "not", "Round 2 begins")

		// Until a round is paired nobody has a rank: before the start, and for ever where it was called off.
		cup = w.cup(func(*tournament.Tournament) {})
		must.Get(w.director.Join(t.Context(), cup.ID, w.bot(owner).ID, w.users[owner].ID))(t)
		looks := func() {
			t.Helper()
			for _, view := range []string{"", "?view=projector"} {
				must.Say(t, string(w.visits("", "/tournaments/"+cup.ID+view, nil).want(200, "").body), `id="standings">Entries<`, "not", "Rank</th>", "Standings")
			}
		}
		looks()
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/cancel", nil).want(200, "")
		looks()

		empty := w.cup(func(*tournament.Tournament) {})
		w.do(organiser, "POST", "/v1/tournaments/"+empty.ID+"/cancel", nil).want(200, "")
		must.Say(t, string(w.visits("", "/tournaments/"+empty.ID, nil).want(200, "").body), "Nobody entered.", "not", "No entries yet")
	})
}

// Once a tournament has started, its forms ask for what can still change, and say nothing of places and a start to come.
func TestTheFormsOfATournamentThatHasBegun(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		session := w.browser(organiser)
		page := func(path string) string { return string(w.visits(session, path, nil).want(200, "").body) }
		cup := w.cup(func(*tournament.Tournament) {})
		at := "/tournaments/" + cup.ID
		before := filledIn(page(at + "/edit"))
		for _, who := range []string{owner, other} {
			must.Get(w.director.Join(t.Context(), cup.ID, w.bot(who).ID, w.users[who].ID))(t)
		}
		must.Say(t, page(at+"/enter"), "Places left", "Starts")
		must.Get(w.director.Start(t.Context(), cup.ID))(t)
		edit := page(at + "/edit")
		must.Say(t, edit, `name="rules"`, "not", `name="capacity"`, `name=".zone"`)
		in := filledIn(edit)
		in.Set("rules", "Be kind.")
		w.visits(session, at+"/edit", in).want(303, "")
		before.Set("capacity", "4")
		w.visits(session, at+"/edit", before).want(412, "")
		must.Say(t, page(at+"/enter"), "running", "not", "Places left", "Starts")

		off := w.cup(func(*tournament.Tournament) {})
		w.do(organiser, "POST", "/v1/tournaments/"+off.ID+"/cancel", nil).want(200, "")
		must.Say(t, page("/tournaments/"+off.ID), "No round was paired", "not", "when the tournament starts", pages.Day(off.ClosesAt))
	})
}

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
		w.clk.Move(time.Minute) // registration opens now, where nothing is typed: that is when the form was shown
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

func TestAFormThatIsRefusedIsKeptWithASentence(t *testing.T) {
	onSQLite(t, withLogin, func(w *world) {
		// A refusal is a sentence without its title, which a form does not show.
		w.do(anon, "POST", "/v1/users", map[string]any{"name": "twice"}).want(201, "")
		must.Say(t, string(w.do(anon, "POST", "/v1/users", map[string]any{"name": "Twice"}).want(409, "name_taken").body), "is there already")
		w.do(anon, "POST", "/v1/users", map[string]any{"name": "a b"}).want(422, "invalid").place("/name")
		must.Say(t, string(w.get(anon, "/v1/bots/019ca945-0000-7000-8000-000000000000").want(404, "not_found").body), "there is no bot")
		must.Say(t, string(w.do(other, "POST", "/v1/bots/"+w.bot(owner).ID+"/pause", nil).want(403, "not_yours").body), "else")

		// A form that names what is somebody else's is shown again, as another choice would do.
		me, theirs, shy := w.browser(owner), w.bot(other), w.bot(rival)
		w.bot(owner)
		w.consent(theirs.ID)
		w.consent(shy.ID)
		in := filledIn(string(w.visits(me, "/challenges/new?game=masks", nil).want(200, "").body))
		in["bots"] = []string{theirs.ID, shy.ID}
		kept := string(w.visits(me, "/challenges/new", in).want(403, "").body)
		must.Say(t, kept, "none of these is yours")
		holds(t, "the form keeps the bots", slices.Equal(filledIn(kept)["bots"][:2], in["bots"]))
		w.visits(me, "/tournaments/"+theirs.ID+"/enter", url.Values{"bot_id": {theirs.ID}}).want(404, "")

		// What somebody typed whose session ended meanwhile is in the page that says so, and is sent again from it. Whoever is logged in is
		// not told to log in, whatever else is refused.
		me = w.browser(organiser)
		in = filledIn(string(w.visits(me, "/tournaments/new?game=masks", nil).want(200, "").body))
		in.Set("name", `"Friday" <Cup>`)
		in.Set("description", "one\r\n\r\ntwo & three")
		in.Set("starts_at", "2026-03-06T20:00")
		kept = string(w.visits("", "/tournaments/new", in).want(403, "").body)
		again := filledIn(strings.Replace(kept, `class="sit"`, `class="fill"`, 1))
		same(t, "what the page keeps", again.Encode(), in.Encode())
		w.visits(me, "/tournaments/new", again).want(303, "")
		must.Say(t, string(w.visits("", "/tournaments/new", in, "Sec-Fetch-Site", "cross-site").want(403, "").body), "another site", "not", "Friday")
		for path, status := range map[string]int{"/tournaments/new?x=1": 422, "/me/bots/x/change": 404, "/login/once?code=x": 403} {
			must.Say(t, string(w.visits(me, path, nil).want(status, "").body), "Go on to", "not", "Log in again")
		}
	})
}
