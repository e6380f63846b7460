package login_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

// cup is a tournament by invitation of an organiser, who has a token.
func (w *world) cup(name string) (tournament.Tournament, string) {
	w.Helper()
	token := w.token(name)
	u := w.user(name)
	must.OK(w, w.store.SaveRole(w.Context(), u.ID, tournament.RoleOrganiser))
	_, invite, err := tournament.NewInvite(strings.NewReader(strings.Repeat("x", 20)))
	must.OK(w, err)
	now := w.clock.Now()
	t, err := directortest.New(w.store).CreateTournament(w.Context(), tournament.Tournament{
		Name: "class cup", OrganiserID: u.ID, Game: storetest.Toy, Config: json.RawMessage(`{"steps":3}`), Format: tournament.RoundRobin, Table: 2, Cycles: 1, Capacity: 40,
		Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(), OpensAt: now, ClosesAt: now.Add(time.Hour), StartsAt: now.Add(time.Hour), Invite: invite,
	})
	must.OK(w, err)
	return t, token
}

// class makes a class link for a cup and returns its id, its address and its code.
func (w *world) class(token, cup string, accounts int) (id, at, code string) {
	w.Helper()
	made := w.posts(token, "/v1/class-links", fmt.Sprintf(`{"events":[%q],"accounts":%d,"note":"4b"}`, cup, accounts), 201)
	var link struct{ ID string }
	must.OK(w, json.Unmarshal([]byte(made), &link))
	at, code = w.address(made)
	return link.ID, at, code
}

// A class of thirty sits behind one address, where strangers may register ten times an hour.
func TestAClassOfThirtyComesInByOneLink(t *testing.T) {
	onBoth(t, func(cfg *api.Config) {
		withoutIssuer(cfg)
		cfg.Limits.Register.Count = 10
	}, func(t *testing.T, w *world) {
		cup, token := w.cup("teacher")
		id, at, code := w.class(token, cup.ID, 30)
		for i := range 30 {
			student := w.person()
			if got := student.goes(200, "GET", at, nil); i == 0 && (!strings.Contains(got.body, "class cup") || !strings.Contains(got.body, "4b")) {
				t.Fatalf("the page does not say what it is for: %s", got.body)
			}
			name := fmt.Sprintf("student%d", i)
			got := student.goes(200, "POST", "/class", url.Values{"code": {code}, "name": {name}})
			if shown := tokenText.FindAllString(got.body, -1); len(shown) != 1 || student.is() != name {
				t.Fatalf("%s is %q with %d tokens shown, want a session and one token: %s", name, student.is(), len(shown), got.body)
			} else if i == 0 {
				w.with(shown[0], "GET", "/v1/me", 200)
				if again := student.goes(200, "GET", at, nil); strings.Contains(got.body, "logged in as") || !strings.Contains(again.body, "You are logged in as "+name) {
					t.Errorf("%s opens the link again, and does not read that it makes another account: %s", name, again.body)
				}
			}
		}
		if got := w.person().goes(409, "POST", "/class", url.Values{"code": {code}, "name": {"late"}}); !strings.Contains(got.body, "all 30 accounts") {
			t.Errorf("the 31st: %s", got.body)
		}
		seen := w.with(token, "GET", "/v1/class-links/"+id, 200)
		if strings.Count(seen, `"joined_at"`) != 30 || !strings.Contains(seen, "student29") || strings.Contains(seen, code) {
			t.Errorf("the organiser sees %s", seen)
		}
		other, _ := w.cup("colleague")
		b, _ := w.owned("student3")
		d := directortest.New(w.store)
		if _, err := d.Join(t.Context(), cup.ID, b.ID, b.OwnerID); err != nil {
			t.Errorf("a student may not enter the class's cup: %v", err)
		}
		if _, err := d.Join(t.Context(), other.ID, b.ID, b.OwnerID); err == nil {
			t.Error("a student enters another's cup without a code")
		}
		for _, text := range []string{w.log.String(), fmt.Sprint(w.audited())} {
			must.Say(t, text, "not", code)
		}
	})
}

func TestAllThatIsWrongWithAClassLinkIsSaidAtOnce(t *testing.T) {
	onOne(t, withoutIssuer, func(t *testing.T, w *world) {
		// A class link is for what can still be entered; the page of one that was made before says what became of its event.
		cup, token := w.cup("teacher")
		_, at, _ := w.class(token, cup.ID, 3)
		_, err := directortest.New(w.store).Cancel(t.Context(), cup.ID, "rain")
		must.OK(t, err)
		if got := w.posts(token, "/v1/class-links", fmt.Sprintf(`{"events":[%q],"accounts":3}`, cup.ID), 409); !strings.Contains(got, "cancelled: nobody enters it") {
			t.Errorf("the refusal: %s", got)
		}
		if got := w.person().goes(200, "GET", at, nil); !strings.Contains(got.body, "which is cancelled") || strings.Contains(got.body, "2026") {
			t.Errorf("the page of a link for a cancelled event: %s", got.body)
		}

		other, _ := w.cup("colleague")
		got := w.posts(token, "/v1/class-links", `{"events":[],"accounts":201,"expires_at":"2020-01-01T00:00:00Z","note":" x"}`, 422)
		for _, place := range []string{"/events", "/accounts", "/expires_at", "/note"} {
			must.Say(t, got, `"`+place+`"`)
		}
		got = w.posts(token, "/v1/class-links", fmt.Sprintf(`{"events":[%q,"00000000-0000-7000-8000-000000000000","x"],"accounts":3}`, other.ID), 422)
		for i, says := range []string{"somebody else organises it", "no such tournament or schedule", "is no id"} {
			if !strings.Contains(got, fmt.Sprintf("/events/%d", i)) || !strings.Contains(got, says) {
				t.Errorf("%q is not said: %s", says, got)
			}
		}
	})
}

func TestAClassLinkThatHasEndedMakesNobody(t *testing.T) {
	onOne(t, withoutIssuer, func(t *testing.T, w *world) {
		cup, token := w.cup("teacher")
		before := w.accounts()
		refused := func(what, code string) {
			t.Helper()
			got := w.person().goes(403, "POST", "/class", url.Values{"code": {code}, "name": {"ada"}})
			if !strings.Contains(got.body, "has ended, or was never made") || w.accounts() != before {
				t.Errorf("a link %s makes an account: %s", what, got.body)
			}
			w.posts("", "/v1/class-links/join", fmt.Sprintf(`{"code":%q,"name":"ada"}`, code), 401)
		}
		refused("that was guessed", "guess")
		id, _, code := w.class(token, cup.ID, 3)
		w.with(token, "DELETE", "/v1/class-links/"+id, 204)
		refused("that its maker ended", code)
		_, _, code = w.class(token, cup.ID, 3)
		w.clock.Move(8 * 24 * time.Hour)
		refused("whose time is over", code)
		_, _, code = w.class(token, cup.ID, 3)
		must.OK(t, w.store.SaveRole(t.Context(), w.user("teacher").ID, tournament.RoleOwner))
		refused("whose maker organises no more", code)
	})
}

func TestAClassLinkKeepsWhatWasTyped(t *testing.T) {
	onOne(t, withoutIssuer, func(t *testing.T, w *world) {
		cup, token := w.cup("teacher")
		_, _, code := w.class(token, cup.ID, 3)
		for name, says := range map[string]string{"teacher": "is taken. Choose another. If you have clicked twice, the account teacher may be yours", "two words": "2 to 32 letters", "": "2 to 32 letters"} {
			p := w.person()
			got := p.ask("POST", "/class", url.Values{"code": {code}, "name": {name}})
			if got.status < 400 || !strings.Contains(got.body, says) || !strings.Contains(got.body, `value="`+name+`"`) || p.is() != "" {
				t.Errorf("%q: got %d %s", name, got.status, got.body)
			}
		}
		made := w.posts("", "/v1/class-links/join", fmt.Sprintf(`{"code":%q,"name":"ada"}`, code), 201)
		w.with(tokenText.FindString(made), "GET", "/v1/me", 200)
	})
}

// The maker of the link gives a student who has lost the browser another way in; a stranger cannot.
func TestAnOrganiserLogsTheirOwnClassIn(t *testing.T) {
	onOne(t, withoutIssuer, func(t *testing.T, w *world) {
		cup, teacher := w.cup("teacher")
		_, colleague := w.cup("colleague")
		_, _, code := w.class(teacher, cup.ID, 3)
		w.posts("", "/v1/class-links/join", fmt.Sprintf(`{"code":%q,"name":"ada"}`, code), 201)
		w.token("stranger")
		at := func(name string) string { return "/v1/users/" + w.user(name).ID + "/login-links" }
		w.posts(colleague, at("ada"), `{}`, 404)
		w.posts(teacher, at("stranger"), `{}`, 404)
		_, once := w.address(w.posts(teacher, at("ada"), `{}`, 201))
		ada := w.person()
		ada.goes(303, "POST", "/login/once", url.Values{"code": {once}})
		if ada.is() != "ada" {
			t.Errorf("the browser is %q, want ada", ada.is())
		}
	})
}
