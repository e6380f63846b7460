package login_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/issuertest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// owned is a bot of a logged-in user's, with a second version, that has lost a match of two.
func (w *world) owned(name string) (tournament.Bot, tournament.Match) {
	w.Helper()
	d := &directortest.World{T: w.T, Ctx: w.Context(), Clock: w.clock}
	d.Use(w.store)
	d.Org = d.NewUser("org-" + name)
	u := w.user(name)
	b := d.NewBot("bot-of-"+name, u)
	_, err := w.store.AddVersion(w.Context(), tournament.Version{
		BotID:   b.ID,
		URL:     "http://two",
		Secrets: tournament.Secrets{"whsec_2"},
		Build:   "b1",
		Note:    "faster",
		Games:   []string{storetest.Toy},
	}, 10)
	d.Must(err)
	_, err = w.store.CreateWebhook(w.Context(), tournament.Webhook{UserID: u.ID, URL: "https://hook.example/" + name, Secret: "whsec_3", Enabled: true}, 10)
	d.Must(err)
	cup := d.Plan(nil)
	rival := d.NewUser("rival-" + name)
	for _, who := range []struct{ bot, user string }{{b.ID, u.ID}, {d.NewBot("rival-of-"+name, rival).ID, rival.ID}} {
		_, err := d.Join(w.Context(), cup.ID, who.bot, who.user)
		d.Must(err)
	}
	_, err = d.Start(w.Context(), cup.ID)
	d.Must(err)
	m := d.Reload(d.All(store.MatchFilter{TournamentID: cup.ID})[0].ID)
	winner := 0
	if m.Seats[0].BotID == b.ID {
		winner = 1
	}
	d.Must(d.Played(m, winner))
	return b, m
}

func TestMyBotsAreShownAndChangedByTheirOwnerAlone(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		ada, eve := w.person(), w.person()
		ada.joins("ada")
		eve.joins("eve")
		b, m := w.owned("ada")
		at := "/me/bots/" + b.ID
		got := ada.goes(200, "GET", "/me", nil)
		if cache := got.header.Get("Cache-Control"); cache != "no-store" {
			t.Errorf("the page is kept: %s", cache)
		}
		must.Say(t, got.body, "bot-of-ada", at+"/pause", at+"/promote", "faster", "https://hook.example/ada", "/v1/matches/"+m.ID+"/replay", "molerun replay redrive", "against rival-of-ada")
		must.Say(t, got.body, `<a href="/matches/`+m.ID+`#review">Ask what cost it`)
		_, err := w.store.AskReview(t.Context(), m.ID, false, 1)
		must.OK(t, err)
		r, err := w.store.ClaimReview(t.Context(), time.Hour)
		must.OK(t, err)
		seat := slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.BotID == b.ID })
		r.State, r.Report = tournament.ReviewDone, fmt.Appendf(nil, `{"decisions":[{"step":3,"seat":%d,"words":"names 2","better":{},"better_words":"name 8","regret":0.4,"low":0.3,"high":0.5,"mark":"blunder"}],
			"seats":[{"seat":%[1]d,"costliest":[0]}]}`, seat)
		must.OK(t, w.store.SaveReview(t.Context(), *r, 0))
		want := `<a href="/matches/` + m.ID + `?step=3#viewer">step 3</a>, where it names 2 (blunder): 40 points of a hundred (30 to 50); better was: name 8.`
		must.Say(t, ada.goes(200, "GET", "/me", nil).body, want)
		if page := eve.goes(200, "GET", "/me", nil).body; strings.Contains(page, b.ID) || strings.Contains(page, "hook.example") {
			t.Errorf("eve's page shows what is ada's")
		}
		status := func() tournament.BotStatus {
			t.Helper()
			now, err := w.store.Bot(t.Context(), b.ID)
			must.OK(t, err)
			return now.Status
		}
		ada.goes(303, "POST", at+"/pause", url.Values{})
		if got := status(); got != tournament.BotPaused {
			t.Errorf("after pause the bot is %s", got)
		}
		ada.goes(409, "POST", at+"/promote", url.Values{"number": {"1"}})
		ada.goes(422, "POST", at+"/promote", url.Values{"number": {"x"}})
		ada.goes(200, "POST", at+"/resume", url.Values{})
		if got := status(); got != tournament.BotActive {
			t.Errorf("after resume the bot is %s", got)
		}
		ada.goes(303, "POST", at+"/promote", url.Values{"number": {"2"}})
		if page := ada.goes(200, "POST", at+"/check", url.Values{}).body; !strings.Contains(page, "The check passed") {
			t.Errorf("the page does not say what the check found: %s", page)
		}
		if page := ada.goes(200, "GET", "/me", nil).body; !strings.Contains(page, "build b1") || !strings.Contains(page, `name="number" value="1"`) {
			t.Errorf("after check and promote the page shows neither the check nor version 1 to promote: %s", page)
		}
	})
}

// user is the account of that name.
func (w *world) user(name string) tournament.User {
	w.Helper()
	u, err := w.store.UserNamed(w.Context(), name)
	must.OK(w, err)
	return u
}

// live are the tokens of a user that are not revoked.
func (w *world) live(name string) []tournament.Token {
	w.Helper()
	u := w.user(name)
	list, err := w.store.Tokens(w.Context(), u.ID)
	must.OK(w, err)
	var out []tournament.Token
	for _, t := range list {
		if t.RevokedAt == nil {
			out = append(out, t)
		}
	}
	return out
}

// Two fresh accounts in a browser: one comes by the site, one by the code that a command line shows.
func TestFreshAccountsInABrowser(t *testing.T) {
	onSQLite(t, nothing, func(t *testing.T, w *world) {
		b := browsertest.New(t, w.base)
		here := func(path string) { b.Until(`location.href === "` + w.base + path + `"`) }

		b.Open("/")
		b.Run(chromedp.Click(`a[href="/me"]`, chromedp.ByQuery))
		b.Until(`document.getElementById("who") !== null`)
		b.Run(chromedp.SendKeys("#who", "ada", chromedp.ByQuery), chromedp.Click("#agree", chromedp.ByQuery))
		here("/login/name")
		b.Forgive() // the issuer is another host
		b.AuditsInTurn("/login/name")
		b.Run(chromedp.SendKeys("#name", "ada", chromedp.ByQuery), chromedp.Click(`form[action="/login/name"] button`, chromedp.ByQuery))
		here("/me")
		b.AuditsInTurn("/me without bots")
		w.owned("ada")
		b.Open("/me")
		b.AuditsInTurn("/me with a bot")
		d := &directortest.World{T: t, Ctx: t.Context(), Clock: w.clock}
		d.Use(w.store)
		u := w.user("ada")
		for i := range 19 {
			d.NewBot(fmt.Sprintf("one-of-many-%d", i), u)
		}
		b.Screen(390, 844, "light")
		b.Open("/me")
		var high, unfolded int
		b.Eval(`document.documentElement.scrollHeight`, &high)
		if b.Eval(`document.querySelectorAll(".mine[open]").length`, &unfolded); unfolded > 0 || high > 5000 {
			t.Errorf("twenty bots make the page %d px high on a phone, with %d of them open", high, unfolded)
		}
		b.Run(chromedp.SendKeys("#note", "laptop", chromedp.ByQuery), chromedp.Click(`form[action="/me/tokens"] button`, chromedp.ByQuery))
		here("/me/tokens")
		b.AuditsInTurn("/me/tokens")
		b.Run(chromedp.Click(`main a[href="/me"]`, chromedp.ByQuery))
		b.Until(`document.querySelector('form[action$="/revoke"]') !== null`)
		b.AuditsInTurn("/me with a token")
		b.Run(chromedp.Click(`.mine:last-of-type summary`, chromedp.ByQuery), chromedp.Click(`.mine[open] form[action$="/pause"] button`, chromedp.ByQuery))
		b.Until(`document.querySelector('form[action$="/resume"]') !== null`)
		b.Run(chromedp.Click(`form[action="/logout"] button`, chromedp.ByQuery))
		here("/")

		device := w.begun()
		b.Clean("/me and the way out of it")
		b.Run(chromedp.Navigate(device.AtWithCode), chromedp.SendKeys("#who", "bob", chromedp.ByQuery), chromedp.Click("#agree", chromedp.ByQuery))
		b.Until(`document.body.innerText.includes("Go back to your device")`)
		w.clock.Move(issuertest.DeviceEvery)
		if made := w.looks(device.Handle, "bob", "done").Made; made == nil || made.User.Name != "bob" {
			t.Errorf("got %+v, want bob's account", made)
		}
	})
}

// audited are the audit lines, the oldest first.
func (w *world) audited() []tournament.AuditLine {
	w.Helper()
	list, _, err := w.store.AuditLines(w.Context(), tournament.AuditFilter{}, store.Page{Limit: store.MaxPage, Sort: store.Oldest})
	must.OK(w, err)
	return list
}
