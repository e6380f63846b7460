package login_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/issuertest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// post sends JSON, and reads the answer into out if there is a good one; else it returns the code of the problem.
func post(w *world, path string, in, out any) (int, string) {
	w.Helper()
	body, err := json.Marshal(in)
	must.OK(w, err)
	got := w.person().raw("POST", path, string(body), "Content-Type", "application/json", "Accept", "application/json")
	if got.status >= 300 {
		var p wire.Problem
		must.OK(w, json.Unmarshal([]byte(got.body), &p))
		return got.status, p.Code
	}
	must.OK(w, json.Unmarshal([]byte(got.body), out))
	return got.status, ""
}

// begun is a login that a command line has begun.
func (w *world) begun() wire.DeviceLogin {
	w.Helper()
	var d wire.DeviceLogin
	if status, code := post(w, "/v1/login/device", struct{}{}, &d); status != 201 {
		w.Fatalf("a login on a device: got %d %s", status, code)
	}
	return d
}

// looks how far a login is, and wants a state, or the code of a problem.
func (w *world) looks(handle, name, want string) wire.DeviceLooked {
	w.Helper()
	var out wire.DeviceLooked
	_, code := post(w, "/v1/login/device/token", wire.DeviceLook{Handle: handle, Name: name}, &out)
	if got := out.State + code; got != want {
		w.Errorf("a look with the name %q: got %q, want %q", name, got, want)
	}
	return out
}

func TestADeviceLogsInWhenItsPersonHasAgreed(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		w.token("taken")
		d := w.begun()
		if d.IntervalMS != issuertest.DeviceEvery.Milliseconds() || !strings.HasPrefix(d.AtWithCode, w.issuer.URL) || d.UserCode == "" {
			t.Errorf("got %+v, want the issuer's interval, address and code", d)
		}
		asked := w.issuer.Asked()
		for range 3 { // who looks too soon is not heard, and the issuer not asked
			w.looks(d.Handle, "", "pending")
		}
		if w.issuer.Asked() != asked {
			t.Error("the issuer is asked sooner than it says")
		}
		w.clock.Move(issuertest.DeviceEvery)
		w.looks(d.Handle, "", "pending")
		w.issuer.Agree(d.UserCode, "ada")
		w.clock.Move(issuertest.DeviceEvery)
		w.looks(d.Handle, "", "name")
		w.looks(d.Handle, "TAKEN", "name_taken")
		w.looks(d.Handle, "x", "invalid")
		made := w.looks(d.Handle, "ada", "done").Made
		w.looks(d.Handle, "ada", "not_found") // once
		if ends := made.Token.ExpiresAt; ends == nil || !ends.Equal(w.clock.Now().UTC().Truncate(time.Microsecond).Add(tournament.DefaultTokenLife)) {
			t.Errorf("the token ends %v, want in 90 days", ends)
		}
		w.with(made.Token.Token, "GET", "/v1/me", 200)
		again := w.begun()
		w.issuer.Agree(again.UserCode, "ada")
		w.clock.Move(issuertest.DeviceEvery)
		if second := w.looks(again.Handle, "other", "done").Made; second.User.ID != made.User.ID {
			t.Errorf("the second login is %s, want ada", second.User.Name)
		}
		lines, _, err := w.store.AuditLines(w.Context(), tournament.AuditFilter{}, store.Page{Sort: store.Newest})
		if err != nil || len(lines) != 2 { // looks in vain leave none
			t.Fatalf("got audit lines %+v (%v), want one for each token that was handed out", lines, err)
		}
		if l := lines[1]; l.UserID != made.User.ID || l.SubjectID != made.Token.ID {
			t.Errorf("the first line is %+v, want the user %s and the token %s", l, made.User.ID, made.Token.ID)
		}
	})
}

// An issuer that is in a hurry ends no login, as one that is away ends none; one that refuses without a word is reported so.
func TestAnIssuersStatusSaysWhetherADeviceGoesOn(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		d := w.begun()
		for _, status := range []int{408, 429, 500, 503} {
			w.issuer.Break(issuertest.Faults{Token: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }})
			w.clock.Move(issuertest.DeviceEvery)
			w.looks(d.Handle, "", "login_away")
		}
		w.issuer.Break(issuertest.Faults{})
		w.clock.Move(issuertest.DeviceEvery)
		w.looks(d.Handle, "", "pending")
		w.issuer.Break(issuertest.Faults{Token: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(400) }})
		w.clock.Move(issuertest.DeviceEvery)
		if got := w.posts("", "/v1/login/device/look", `{"handle":"`+d.Handle+`"}`, 403); !strings.Contains(got, "the issuer did not log you in: an error") {
			t.Errorf("a refusal without a word reads %s", got)
		}
	})
}

func TestHostileDeviceLoginsAreRefused(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		for _, guess := range []string{"", "x", strings.Repeat("A", 43), "device-1"} {
			w.looks(guess, "", "not_found")
		}
		p := w.person()
		p.goes(303, "GET", "/login", nil)
		w.looks(p.cookie("molerun_login"), "", "not_found") // a browser's secret is no device's
		p.goes(303, "GET", p.agrees("eve"), nil)
		w.looks(p.cookie("molerun_login"), "eve", "not_found")

		denied := w.begun()
		w.issuer.Agree(denied.UserCode, "")
		w.clock.Move(issuertest.DeviceEvery)
		w.looks(denied.Handle, "", "login_refused")
		w.looks(denied.Handle, "", "not_found")

		expired := w.begun()
		w.issuer.Expire()
		w.clock.Move(issuertest.DeviceEvery)
		w.looks(expired.Handle, "", "login_refused")

		late := w.begun()
		w.issuer.Agree(late.UserCode, "ada")
		w.clock.Move(11 * time.Minute)
		w.looks(late.Handle, "ada", "not_found")

		for name, fault := range wrongTokens(w) {
			if strings.Contains(name, "nonce") || name == "of no time" {
				continue
			}
			d := w.begun()
			w.issuer.Break(fault)
			w.issuer.Agree(d.UserCode, "eve")
			w.clock.Move(issuertest.DeviceEvery)
			if name == "expired" { // it was, when the fault was made
				w.issuer.Break(claim("exp", w.clock.Now().Add(-time.Second).Unix()))
			}
			if name == "of the future" {
				w.issuer.Break(claim("iat", w.clock.Now().Add(2*time.Minute).Unix()))
			}
			w.looks(d.Handle, "eve", "login_refused")
			w.issuer.Break(issuertest.Faults{})
			w.looks(d.Handle, "eve", "not_found")
		}
		if n := w.accounts(); n != 0 {
			t.Errorf("%d accounts, want none", n)
		}

		w.issuer.Break(issuertest.Faults{Down: true})
		var d wire.DeviceLogin
		if _, code := post(w, "/v1/login/device", struct{}{}, &d); code != "login_away" {
			t.Errorf("an issuer that is down: got %q, want login_away", code)
		}
		w.issuer.Break(issuertest.Faults{})
		d = w.begun()
		w.clock.Move(issuertest.DeviceEvery / 2)
		w.issuer.Hurry() // the issuer wants more time than it said
		w.clock.Move(issuertest.DeviceEvery / 2)
		if slow := w.looks(d.Handle, "", "pending"); slow.IntervalMS != 6000 {
			t.Errorf("after slow_down the interval is %d ms, want 6000", slow.IntervalMS)
		}
	})
}
