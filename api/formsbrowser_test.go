package api_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// desk is a person at a browser, who has nothing else.
type desk struct {
	*browsertest.Browser
	w *world
}

// is logs the browser in as a person.
func (d *desk) is(who string) {
	d.T.Helper()
	secret := string(d.w.browser(who))
	d.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		return network.SetCookie("molerun_session", secret).WithURL(d.Base).WithHTTPOnly(true).Do(ctx)
	}))
}

// clicks clicks what carries a text or a name that begins so, on the page that the click before has led to: the page before it may have such a text too.
func (d *desk) clicks(text string) {
	d.T.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll("main a, main button, main summary, main label")].find((e) => e.checkVisibility() && [e.innerText, e.getAttribute("aria-label")].some((t) => t && t.trim().startsWith(%s)))`, strconv.Quote(text))
	d.Until("!document.documentElement.dataset.old && (" + find + `.click(), document.documentElement.dataset.old = "yes")`) // an error says that it is not there yet
}

// sees waits for a text on the page that comes next.
func (d *desk) sees(text string) {
	d.T.Helper()
	d.Until(fmt.Sprintf(`!document.documentElement.dataset.old && document.body.innerText.includes(%s)`, strconv.Quote(text)))
}

// types fills in a field, by its name.
func (d *desk) types(name, text string) {
	d.T.Helper()
	var is string
	d.Eval(fmt.Sprintf(`(() => { const e = document.getElementsByName(%s)[0]; if (!e) return "there is no field of that name";
		if (e.type === "checkbox") e.checked = %s === "on"; else e.value = %[2]s; return e.type === "checkbox" || e.value === %[2]s ? "" : "takes " + JSON.stringify(e.value) })()`,
		strconv.Quote(name), strconv.Quote(text)), &is)
	if is != "" {
		d.T.Fatalf("%s: %s", name, is)
	}
}

// shows audits the page that is open.
func (d *desk) shows(name string) {
	d.T.Helper()
	d.AuditsInTurn(name)
	d.Screen(1440, 900, "light")
}

// A browser shows the times of a form on its own clocks, to the second; what nobody touches stays.
func (d *desk) changesNoTimesElsewhere() {
	cup := d.w.cup(func(x *tournament.Tournament) { x.OpensAt = x.OpensAt.Add(-22 * time.Second) })
	d.is(organiser)
	d.Run(emulation.SetTimezoneOverride("Europe/Amsterdam"))
	d.Open("/tournaments/" + cup.ID + "/edit")
	d.types("name", "Saturday")
	d.clicks("Save")
	d.sees("The tournament is changed.")
	now, err := d.w.store.Tournament(d.T.Context(), cup.ID)
	if err != nil || now.Name != "Saturday" || !now.OpensAt.Equal(cup.OpensAt) || !now.StartsAt.Equal(cup.StartsAt) {
		d.T.Errorf("got %+v (%v), want another name and the times of %+v", now, err, cup)
	}
}

// An organiser and a student own a browser and nothing else: a weekly series of Swiss into a knockout of eight, from its first
// form to its exports.
func TestACupIsOrganisedInABrowser(t *testing.T) {
	t.Parallel()
	onSQLite(t, withLogin, func(w *world) {
		server := httptest.NewServer(w.api)
		t.Cleanup(server.Close)
		d := &desk{browsertest.New(t, server.URL), w}
		d.Screen(1440, 900, "light")

		// A weekly cup, looked at before it is made, and the standings over all of them.
		d.is(organiser)
		d.Open("/me")
		d.clicks("Your events")
		d.sees("None yet.")
		d.shows("events")
		d.clicks("Tournaments that come again")
		d.sees("Make a schedule")
		for name, text := range map[string]string{
			"name": "Friday {number}", "cron": "friday 20:00", "zone": "Europe/Amsterdam", "opens_before_ms": "6d", "check_in_ms": "30m",
			"format_options/rounds": "3", "format_options/playoff": "single_elimination", "format_options/finalists": "8",
			"rated": "false",
		} {
			d.types(name, text)
		}
		d.types("capacity", "many")
		d.clicks("Preview")
		d.sees("wants a whole number")
		d.Forgive() // of its own, the browser reports the status of a refusal
		d.shows("refused")
		d.types("capacity", "16")
		d.clicks("Preview")
		d.sees("nothing is made yet")
		d.sees("2026-03-06 20:00 Europe/Amsterdam")
		d.shows("preview")
		d.clicks("Make the schedule")
		d.sees("The schedule is made")
		d.clicks("Standings over all of them")
		d.sees("Make a series")
		d.types("name", "Autumn")
		d.clicks("Make the series")
		d.sees("The series is made.")
		d.Open("/me/events")
		d.clicks("Friday {number}")
		d.sees("active")
		d.clicks("Edit")
		d.sees("Change a schedule")
		d.types("capacity", "12")
		d.clicks("Save")
		d.sees("The schedule is changed.")
		d.shows("schedule")

		// Its first cup is announced; the organiser writes about it.
		plans, _, err := w.store.Schedules(t.Context(), store.ScheduleFilter{OrganiserID: w.users[organiser].ID}, store.Page{Sort: store.Newest})
		if err != nil || len(plans) != 1 {
			t.Fatalf("%d schedules (%v), want one", len(plans), err)
		}
		w.clk.Move(30 * time.Hour) // Monday evening
		cups, err := w.director.MakeDue(t.Context(), plans[0].ID)
		if err != nil || len(cups) != 1 {
			t.Fatalf("%d cups (%v), want one", len(cups), err)
		}
		cup := cups[0]
		d.Open("/me/events")
		d.clicks("Friday 1")
		d.sees("0 of 12")
		d.clicks("Edit")
		d.sees("Description")
		d.types("description", "Every **Friday**.")
		d.clicks("Save")
		d.sees("The tournament is changed.")

		// Its class comes in by one link: whoever opens it has an account and may enter.
		d.Open("/me/events")
		d.clicks("A link for a class")
		d.sees("Friday 1")
		d.types("accounts", "30")
		d.types("note", "4b")
		d.Eval(fmt.Sprintf(`document.querySelector('input[name="events"][value="%s"]').checked = true`, cup.ID), nil)
		d.clicks("Make the link")
		d.sees("/class?code=")
		var link string
		d.Eval(`document.querySelector("main pre").innerText`, &link)
		d.Open("/me/events")
		d.sees("0 of 30")
		d.Run(network.ClearBrowserCookies())
		d.Open(link[strings.Index(link, "/class?"):])
		d.sees("4b")
		d.types("name", "ada")
		d.clicks("Make the account")
		d.sees("mr_")
		d.Open("/me")
		d.sees("ada")
		d.clicks("Register a bot")
		d.sees("Register a bot")
		d.types("name", "hen")
		d.types("url", "https://hen.example/")
		d.clicks("Register")
		d.sees("whsec_")
		d.clicks("Go on")
		d.clicks("Check now")
		d.sees("The check passed")
		d.Open("/tournaments/" + cup.ID)
		d.clicks("Enter a bot")
		d.clicks("Enter")
		d.sees("The bot is entered.")

		// The organiser postpones it by half an hour.
		d.is(organiser)
		d.Open("/me/events")
		d.sees("1 of 30")
		d.clicks("Friday 1")
		d.clicks("Edit or postpone")
		d.sees("Description")
		d.Eval(`(() => { const e = document.getElementsByName("starts_at")[0]; e.value = e.value.replace(/:00(:00)?$/, ":30") })()`, nil)
		d.clicks("Save")
		d.sees("The tournament is changed.")
		later, err := w.store.Tournament(t.Context(), cup.ID)
		if err != nil || later.StartsAt.Sub(cup.StartsAt) != 30*time.Minute {
			t.Fatalf("it starts at %v (%v), want half an hour after %v", later.StartsAt, err, cup.StartsAt)
		}
		cup = later

		// A student registers a bot, and enters it.
		d.is(owner)
		d.Open("/me")
		d.clicks("Register a bot")
		d.sees("Register a bot")
		d.types("name", "fox")
		d.types("url", "http://fox.example/")
		d.clicks("Register")
		d.sees("wants an https address")
		d.Forgive()
		d.types("url", "https://fox.example/")
		d.clicks("Register")
		d.sees("whsec_")
		d.shows("secret")
		d.clicks("Go on")
		d.sees("fox")
		d.clicks("Check now")
		d.sees("The check passed")
		d.Open("/tournaments/" + cup.ID)
		d.clicks("Enter a bot")
		d.sees("Places left")
		d.shows("enter")
		d.clicks("Enter")
		d.sees("The bot is entered.")
		d.sees("None of your bots can enter now.")

		// Eight others enter; on Friday everybody is checked in, the student by the organiser.
		for range 7 {
			b := w.bot(rival)
			_, err := w.director.Join(t.Context(), cup.ID, b.ID, w.users[rival].ID)
			must.OK(t, err)
		}
		w.clk.Move(cup.StartsAt.Add(-10 * time.Minute).Sub(w.clk.Now()))
		list, err := w.store.Entries(t.Context(), cup.ID)
		must.OK(t, err)
		for _, e := range list {
			if e.BotName != "fox" && e.BotName != "hen" {
				_, err := w.director.CheckIn(t.Context(), cup.ID, e.BotID, e.OwnerID)
				must.OK(t, err)
			}
		}
		d.is(organiser)
		d.Open("/tournaments/" + cup.ID)
		d.clicks("Organise")
		d.sees("9 of 12")
		d.clicks("Check in: fox")
		d.sees("The bot is checked in.")
		d.clicks("Check in: hen")
		d.sees("The bot is checked in.")
		d.shows("organise")

		// Another bot of its owner takes a place.
		spare, gone := w.bot(rival), list[len(list)-1]
		d.Eval(fmt.Sprintf(`document.documentElement.dataset.old = "yes"; document.querySelector('main a[href$="/%s/substitute"]').click()`, gone.BotID), nil)
		d.sees("Substitute")
		d.types("bot_id", spare.ID)
		d.clicks("Substitute")
		d.sees("The other bot plays in its place from now on.")
		d.sees(spare.Name)

		// It starts paused, the first round is paired by hand, it goes on and is paused again.
		d.clicks("Start paused")
		d.sees("The tournament has started.")
		d.clicks("Pair round 1 by hand")
		d.sees("Pair a round again by hand")
		d.shows("pairing")
		d.Eval(`[document.getElementsByName("tables/0")[1], document.getElementsByName("tables/1")[1]].forEach((e, i, l) => { if (i === 0) { const v = e.value; e.value = l[1].value; l[1].value = v } })`, nil)
		d.clicks("Pair it like this")
		d.sees("is missing")
		d.Forgive()
		d.types("reason", "They met last week")
		d.clicks("Pair it like this")
		d.sees("The round is paired by hand.")
		d.clicks("Resume")
		d.sees("The tournament goes on.")
		d.clicks("Pause")
		d.sees("The tournament is paused")
		now, err := w.store.Tournament(t.Context(), cup.ID)
		if err != nil || now.Status != tournament.Running || now.PausedAt == nil {
			t.Fatalf("got %+v (%v), want it running and paused", now, err)
		}
		rounds := string(w.get(anon, "/v1/tournaments/"+cup.ID+"/bracket").want(200, "").body)
		must.Say(t, rounds, "They met last week")

		// What there is can be taken away.
		var sheet string
		d.Eval(`document.querySelector('a[href*="table=standings&format=csv"]').href`, &sheet)
		must.Say(t, string(w.get(anon, strings.TrimPrefix(sheet, server.URL)).want(200, "").body), "fox")
		d.clicks("Cancel")
		d.sees("Cancel a tournament")
		d.types("reason", "The end of the test")
		d.clicks("Cancel the tournament")
		d.sees("The tournament is cancelled.")
		d.changesNoTimesElsewhere()
		d.Clean("an organiser's and a student's way")
	})
}
