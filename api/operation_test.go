package api_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestAVersionIsRegisteredPromotedAndTakenBack(t *testing.T) {
	onOne(t, func(w *world) {
		made := into[wire.BotCreated](w.do(owner, "POST", "/v1/bots", map[string]any{"name": "fox", "url": "https://one.example/"}).want(201, ""))
		path := "/v1/bots/" + made.Bot.ID
		builds := map[string]string{"https://one.example/": "b1", "https://two.example/": "b2"}
		w.greet = func(url string) (protocol.HelloAnswer, error) {
			if builds[url] == "" {
				return protocol.HelloAnswer{}, refusal("nobody answers")
			}
			return protocol.HelloAnswer{Author: "ada", Build: builds[url], Games: []string{"masks"}}, nil
		}
		second := map[string]any{"url": "https://two.example/", "note": "looks ahead", "build": "b2"}
		w.do(owner, "POST", path+"/versions", map[string]any{"url": "https://two.example/", "build": "b3"}).want(422, "bot_refused")
		w.do(owner, "POST", path+"/versions", map[string]any{"url": "https://none.example/"}).want(422, "bot_refused")
		for place, body := range map[string]map[string]any{
			"/url": {"url": "http://two.example/"}, "/secret": {"url": "https://two.example/", "secret": "guess"},
			"/build": {"url": "https://two.example/", "build": strings.Repeat("b", 65)}, "/note": {"url": "https://two.example/", "note": "a\nb"},
		} {
			w.do(owner, "POST", path+"/versions", body).want(422, "invalid").place(place)
		}
		got := w.do(owner, "POST", path+"/versions", second).want(201, "").has("number", 2, "build", "b2", "private/note", "looks ahead", "private/secrets", 1)
		v := into[wire.BotVersion](got)
		if kept, err := w.store.Version(t.Context(), v.ID); err != nil || kept.Secrets[0] != made.Secret {
			t.Errorf("got %+v (%v), want the secret the bot knows", kept, err)
		}
		active := func() int { return into[wire.BotDetail](w.get(anon, path).want(200, "")).Active.Number }
		if active() != 1 {
			t.Error("a version plays before it is promoted")
		}
		w.do(owner, "POST", path+"/promote", map[string]any{"number": 3}).want(422, "invalid").place("/number")
		w.do(owner, "POST", path+"/promote", map[string]any{"number": 1}).want(409, "wrong_state")
		w.do(owner, "POST", path+"/promote", map[string]any{"number": 2}).want(200, "").has("version/id", v.ID)
		same(t, "the version that plays", active(), 2)
		builds["https://one.example/"] = "b9" // silently redeployed
		w.do(owner, "POST", path+"/promote", map[string]any{"number": 1}).want(422, "bot_refused")
		builds["https://one.example/"] = "b1"
		w.do(owner, "POST", path+"/promote", map[string]any{"number": 1}).want(200, "")
		if active() != 1 {
			t.Error("want the first version back")
		}
		w.get(anon, path+"/versions").want(200, "").has("data/#", 2, "data/0/number", 2, "data/0/private", nil)
	})
}

// Everybody may have so much of each thing, and reads how much when they ask for one more.
func TestEveryQuotaIsTold(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) {
		l.Bots, l.Versions, l.Tournaments, l.Schedules, l.Series, l.Webhooks = 2, 2, 1, 1, 1, 1
	}), func(w *world) {
		b := w.bot(owner)
		bot := func() any { return map[string]any{"name": w.name("more"), "url": "https://x.example"} }
		cup := func() any { return goodCup(w) }
		for _, row := range []struct {
			who, path string
			body      func() any
			says      string
		}{
			{owner, "/v1/bots", bot, "you have 2, of 2 at most"},
			{owner, "/v1/bots/" + b.ID + "/versions", func() any { return map[string]any{"url": "https://x.example"} }, "2 versions, of 2 at most"},
			{organiser, "/v1/tournaments", cup, "live tournaments: you have 1, of 1 at most"},
			{organiser, "/v1/schedules", func() any { return goodSeries(w) }, "live schedules: you have 1, of 1 at most"},
			{organiser, "/v1/series", func() any {
				return map[string]any{"name": "x", "tournaments": []string{w.cup(func(*tournament.Tournament) {}).ID}}
			}, "live series: you have 1, of 1 at most"},
			{owner, "/v1/tokens", func() any { return map[string]any{} }, "live tokens: you have 2, of 2 at most"},
			{owner, "/v1/webhooks", func() any { return map[string]any{"url": "https://a.example/"} }, "webhooks: you have 1, of 1 at most"},
		} {
			w.do(row.who, "POST", row.path, row.body()).want(201, "")
			refused := w.do(row.who, "POST", row.path, row.body()).want(409, "limit_reached")
			must.Say(t, into[wire.Problem](refused).Detail, row.says)
		}
		w.do(admin, "POST", "/v1/tournaments", cup()).want(201, "") // counted by person
		w.do(owner, "DELETE", "/v1/bots/"+b.ID, nil).want(204, "")  // living bots are counted
		w.do(owner, "POST", "/v1/bots", bot()).want(201, "")
	})
}

func TestTheHealthOfABotIsOpenButNotItsAddress(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		path := "/v1/bots/" + b.ID
		health := func(who string) wire.BotHealth { return into[wire.BotHealth](w.get(who, path+"/health").want(200, "")) }
		w.do(owner, "POST", path+"/check", nil).want(200, "")
		w.clk.Move(time.Second)
		w.greet = func(string) (protocol.HelloAnswer, error) {
			return protocol.HelloAnswer{}, refusal("dial secret.example: refused")
		}
		w.do(owner, "POST", path+"/check", nil).want(200, "")
		for _, who := range people() {
			h := health(who)
			mine := who == owner || who == admin
			why := "has not passed its health checks"
			if mine {
				why = "dial secret.example: refused"
			}
			if h.Status != "paused" || h.Reason != why || mine != (len(h.Data) == 2) {
				t.Errorf("%s: got %+v, want it paused, %q, and the log for its owner", who, h, why)
			}
		}
		log := w.get(owner, path+"/health")
		log.has("data/0/ok", false, "data/0/reason", "dial secret.example: refused", "data/1/ok", true, "data/1/build", "b1", "data/1/version_id", b.VersionID)
		if got, pages := walk(w, owner, path+"/health?limit=1", func(k wire.HealthCheck) string { return k.Reason }); len(got) != 2 || pages < 2 {
			t.Errorf("got %v on %d pages, want two", got, pages)
		}
		w.do(admin, "POST", path+"/ban", map[string]any{"reason": "cheats"}).want(200, "")
		w.get(anon, path+"/health").has("banned", true, "reason", "banned: cheats")
		asked := false
		w.greet = func(string) (protocol.HelloAnswer, error) { asked = true; return protocol.HelloAnswer{}, nil }
		w.do(owner, "POST", path+"/check", nil).want(409, "wrong_state")
		if asked {
			t.Error("a banned bot was greeted")
		}
		w.do(admin, "POST", path+"/unban", nil).want(200, "")
		w.do(owner, "DELETE", path, nil).want(204, "")
		w.get(anon, path+"/health").has("status", "retired", "reason", "retired by its owner", "banned", nil)
	})
}

func TestADisabledAccountDoesNothing(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		path := "/v1/users/" + w.users[owner].ID
		w.do(admin, "POST", "/v1/users/"+w.users[admin].ID+"/disable", map[string]any{"reason": "oops"}).want(409, "wrong_state")
		w.do(admin, "POST", path+"/disable", map[string]any{"reason": ""}).want(422, "invalid").place("/reason")
		w.do(admin, "POST", path+"/disable", map[string]any{"reason": "spam"}).want(200, "").has("disabled_at", some{}, "disabled_reason", "spam")
		for _, at := range []string{"/v1/me", "/v1/bots"} { // even what needs no token
			w.get(owner, at).want(403, "account_disabled").has("detail", "spam")
		}
		w.get(anon, "/v1/bots/"+b.ID+"/health").has("banned", true)
		names, _ := walk(w, admin, "/v1/users?limit=2", func(u wire.User) string { return u.Name })
		if len(names) != 5 || !slices.Contains(names, owner) {
			t.Errorf("got %v, want all five", names)
		}
		w.do(admin, "POST", path+"/enable", nil).want(200, "")
		w.get(owner, "/v1/me").want(200, "")
	})
}

func TestAMatchThatHangsIsEndedAndARedeploymentInItShown(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		path := "/v1/matches/" + list[0].ID
		w.play(list[0], 2)
		w.do(admin, "POST", path+"/requeue", nil).want(200, "").has("status", "queued")
		jobs := into[wire.Page[wire.Job]](w.get(admin, "/v1/admin/jobs?state=available").want(200, "")).Data
		if len(jobs) != 2 || jobs[0].Kind != "play_match" || !strings.Contains(string(jobs[0].Args), list[0].ID) {
			t.Errorf("got %+v, want the first job and the new one", jobs)
		}
		void := w.do(admin, "POST", path+"/void", map[string]any{"reason": "power cut"}).want(200, "")
		void.has("status", "void", "reason", "power cut", "outcome", some{}, "outcome/result", nil)
		w.do(admin, "POST", path+"/void", map[string]any{"reason": "again"}).want(409, "wrong_state")
		w.do(admin, "POST", path+"/requeue", nil).want(409, "wrong_state")

		_, list = w.started(func(*tournament.Tournament) {}, owner, other)
		w.builds = []string{"b1", "b2"}
		w.play(list[0], 2)
		m := list[0]
		for _, who := range people() {
			want := map[string]int{owner: 1, other: 1, admin: 2}[who]
			got := into[wire.MatchDetail](w.get(who, "/v1/matches/"+m.ID).want(200, "")).Notes
			if len(got) != want {
				t.Errorf("%s while it runs: got %+v, want %d", who, got, want)
			}
			for _, r := range got {
				// their own seat's change at step 2
				same(t, fmt.Sprintf("%s: r.Step", who), r.Step, 2)
				same(t, fmt.Sprintf("%s: r.Pinned", who), r.Pinned, "b1")
				same(t, fmt.Sprintf("%s: r.Build", who), r.Build, "b2")
				holds(t, fmt.Sprintf("%s: their own seat", who), who == admin || m.Seats[r.Seat].OwnerID == w.users[who].ID)
			}
		}
		_, err := w.director.VoidMatch(t.Context(), m.ID, "enough")
		must.OK(t, err)
		w.get(anon, "/v1/matches/"+m.ID).want(200, "").has("redeploys/#", 2) // over, for everybody
	})
}

// Rates that guard against guessing and against calls in somebody else's name count over all processes.
func TestRatesHoldAcrossServers(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) {
		l.Register, l.FailedAuth = httpx.Rate{Count: 3, Per: time.Hour}, httpx.Rate{Count: 4, Per: time.Minute}
	}), func(w *world) {
		cfg := w.cfg
		cfg.Metrics = prometheus.NewRegistry()
		second, err := api.New(cfg)
		must.OK(t, err)
		var got []int
		for i := range 5 {
			got = append(got, w.do(anon, "POST", "/v1/users", map[string]any{"name": w.name("u")}).status)
			if i%2 == 0 {
				w.api, second = second, w.api
			}
		}
		if !slices.Equal(got, []int{201, 201, 201, 429, 429}) {
			t.Errorf("registering at two servers in turn: got %v, want three", got)
		}
		for range 4 {
			w.bearer("Bearer mr_x").want(401, "")
			w.api, second = second, w.api
		}
		w.bearer("Bearer mr_x").want(429, "rate_limited")
		w.api = second
		w.bearer("Bearer mr_x").want(429, "rate_limited")
	})
}

func TestABotThatItsOwnerHasPausedStaysSoUntilItsOwnerResumesIt(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		path := "/v1/bots/" + b.ID
		fails := refusal("nobody answers")
		w.greet = func(string) (protocol.HelloAnswer, error) {
			return protocol.HelloAnswer{Games: []string{"masks"}}, fails
		}
		status := func() string { return into[wire.BotDetail](w.get(anon, path).want(200, "")).Bot.Status }
		w.do(owner, "POST", path+"/pause", nil).want(200, "").has("bot/status", "paused", "private/reason", "paused by its owner")
		for _, page := range []string{"/bots", "/bots/" + b.ID} {
			must.Say(t, string(w.get(anon, page).want(200, "").body), `<span class="tag paused">paused</span> by its owner`)
		}
		if due, err := w.store.DueChecks(t.Context(), 100, 100, nil); err != nil || slices.ContainsFunc(due, func(d store.DueCheck) bool { return d.BotID == b.ID }) {
			t.Errorf("got %v (%v), want it not checked", due, err)
		}
		if _, err := w.director.Checked(t.Context(), b.ID, b.VersionID, ""); !errors.Is(err, tournament.ErrState) {
			t.Errorf("a check that was under way: got %v, want %v", err, tournament.ErrState)
		}
		fails = nil
		w.do(owner, "POST", path+"/check", nil).want(200, "").has("ok", true, "bot/status", "paused")
		w.version(b, "b1")
		w.do(owner, "POST", path+"/promote", map[string]any{"number": 2})
		if status() != "paused" {
			t.Error("another version brings it back")
		}
		fails = refusal("nobody answers")
		w.do(owner, "POST", path+"/resume", nil).want(200, "").has("ok", false, "bot/status", "paused", "reason", "nobody answers")
		w.do(owner, "POST", path+"/pause", nil).want(200, "")
		fails = nil
		w.do(owner, "POST", path+"/resume", nil).want(200, "").has("ok", true, "bot/status", "active")

		// A version without a secret of its own gets those that its bot has when it is made, also one that is made while they are rotated.
		b, well, own := w.bot(owner), w.greet, "whsec_"+strings.Repeat("QUJE", 8)
		path = "/v1/bots/" + b.ID
		w.greet = func(url string) (protocol.HelloAnswer, error) {
			w.do(owner, "POST", path+"/rotate-secret", nil).want(200, "")
			return well(url)
		}
		w.do(owner, "POST", path+"/versions", map[string]any{"url": "https://bots.example.org/two"}).want(201, "")
		w.do(owner, "POST", path+"/versions", map[string]any{"url": "https://bots.example.org/three", "secret": own}).want(201, "")
		list, err := w.store.Versions(t.Context(), b.ID)
		if err != nil || len(list) != 3 {
			t.Fatal(list, err)
		}
		if old := list[1].Secrets; len(old) != 2 {
			t.Errorf("a version made during a rotation has %d secrets, want both", len(old))
		}
		if got := list[0].Secrets; len(got) != 1 || got[0] != own {
			t.Errorf("a version with a secret of its own has %d", len(got))
		}
	})
}

// Whatever its owner does while a check of theirs is under way, the check does not undo.
func TestACheckDoesNotUndoWhatItsOwnerDoesMeanwhile(t *testing.T) {
	for _, how := range []string{"/check", "/resume"} {
		for name, fails := range map[string]error{"passes": nil, "fails": refusal("nobody answers")} {
			onOne(t, func(w *world) {
				b, two := w.bot(owner), w.bot(owner)
				second := w.version(two, "b1")
				well, meanwhile := w.greet, func() {}
				w.greet = func(url string) (protocol.HelloAnswer, error) {
					once := meanwhile
					meanwhile = func() {}
					once()
					if fails != nil {
						return protocol.HelloAnswer{}, fails
					}
					return well(url)
				}
				check := func(b tournament.Bot, begins func()) tournament.Bot {
					meanwhile = begins
					got := into[wire.BotChecked](w.do(owner, "POST", "/v1/bots/"+b.ID+how, nil).want(200, ""))
					now, err := w.store.Bot(t.Context(), b.ID)
					if err != nil || got.OK != (fails == nil) || got.Bot.Status != string(now.Status) {
						t.Errorf("%s that %s: %+v, and the bot is %s (%v)", how, name, got, now.Status, err)
					}
					return now
				}
				now := check(b, func() { w.do(owner, "POST", "/v1/bots/"+b.ID+"/pause", nil).want(200, "") })
				if now.Pause != tournament.PausedByOwner {
					t.Errorf("%s that %s: the bot, which its owner has paused meanwhile, is %s by %q", how, name, now.Status, now.Pause)
				}
				now = check(two, func() {
					if _, err := w.director.Promote(t.Context(), two.ID, second.ID); err != nil {
						t.Error(err)
					}
				})
				if now.Status != tournament.BotActive {
					t.Errorf("%s that %s of version 1: version 2 is %s by %q", how, name, now.Status, now.Pause)
				}
			})
		}
	}
}

// An organiser, and who organises with them, voids what is not over of their tournament. No rating of theirs gains by it, and what is of no
// tournament stays the administrators'.
func TestAnOrganiserVoidsMatchesOfTheirTournament(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		body := map[string]any{"reason": "our network was down"}
		void := func(who string, m tournament.Match) answer {
			return w.do(who, "POST", "/v1/matches/"+m.ID+"/void", body)
		}
		casual, theirs := w.started(func(x *tournament.Tournament) { x.Rated, x.Cycles = false, 2 }, owner, organiser)
		desk := string(w.visits(w.browser(organiser), "/tournaments/"+casual.ID+"/organise", nil).want(200, "").body)
		holds(t, "the desk leads to the form of each open match", strings.Contains(desk, "/matches/"+theirs[0].ID+"/void") && strings.Contains(desk, "/matches/"+theirs[1].ID+"/void"))
		void(organiser, theirs[0]).want(200, "").has("reason", "our network was down", "void_cause", nil, "replayed_as", nil)
		void(organiser, theirs[0]).want(409, "wrong_state")
		w.do(organiser, "POST", "/v1/matches/"+theirs[1].ID+"/void", map[string]any{"reason": ""}).want(422, "invalid").at("/reason")
		w.play(theirs[1], 100)
		void(organiser, theirs[1]).want(409, "wrong_state")
		desk = string(w.visits(w.browser(organiser), "/tournaments/"+casual.ID+"/organise", nil).want(200, "").body)
		holds(t, "the desk leaves out what is over", !strings.Contains(desk, "/void"))

		rated, list := w.started(func(x *tournament.Tournament) { x.Cycles = 3 }, owner, organiser)
		holds(t, "it is rated", list[0].Rated)
		void(organiser, list[0]).want(403, "not_yours")
		w.visits(w.browser(organiser), "/matches/"+list[0].ID+"/void", nil).want(403, "")
		w.do(organiser, "PUT", "/v1/tournaments/"+rated.ID+"/organisers", map[string]any{"co_organisers": []string{w.users[rival].Name}}).want(200, "")
		void(rival, list[0]).want(200, "")

		w.play(list[1], 1) // and waits for the next decision
		cancel := func(who string) answer { return w.do(who, "POST", "/v1/tournaments/"+rated.ID+"/cancel", body) }
		cancel(organiser).want(409, "wrong_state")
		void(admin, list[1]).want(200, "")
		cancel(organiser).want(200, "") // nothing that has begun

		b := w.bot(organiser)
		w.consent(b.ID)
		m := into[wire.Match](w.do(owner, "POST", "/v1/challenges", map[string]any{"game": "masks", "bots": []string{w.bot(owner).ID, b.ID}}).want(201, ""))
		void(owner, tournament.Match{ID: m.ID}).want(403, "role_too_low")
		void(organiser, tournament.Match{ID: m.ID}).want(403, "not_yours")
		void(admin, tournament.Match{ID: m.ID}).want(200, "")
	})
}
