package login_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// tokenText is a token as a page shows it.
var tokenText = regexp.MustCompile(`mr_[0-9A-Za-z]{64}`)

// asks is a form for a new token, changed by pairs of a field and its value.
func asks(change ...string) url.Values {
	form := url.Values{"note": {"laptop"}, "scope": {"bot", "enter"}, "bot": {""}, "days": {"30"}}
	for i := 0; i < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return form
}

func TestMyNewTokenIsShownOnce(t *testing.T) {
	onOne(t, nothing, func(t *testing.T, w *world) {
		ada := w.person()
		ada.joins("ada")
		b, _ := w.owned("ada")
		before := len(w.audited())
		got := ada.goes(200, "POST", "/me/tokens", asks("bot", b.ID))
		shown := tokenText.FindAllString(got.body, -1)
		if len(shown) != 1 {
			t.Fatalf("got %d tokens, want one, once: %s", len(shown), got.body)
		}
		if cache, to := got.header.Get("Cache-Control"), got.to(); cache != "no-store" || to != "" {
			t.Errorf("the answer is kept (%q) or leads on (%q)", cache, to)
		}
		live := w.live("ada")
		if len(live) != 1 {
			t.Fatalf("ada has %d live tokens, want one", len(live))
		}
		made := live[0]
		if id, _, ok := tournament.ParseToken(shown[0]); !ok || id != made.ID {
			t.Errorf("the page shows %s, the token is %s", shown[0], made.ID)
		}
		if s := made.Scopes.String(); s != "read, bot, enter" || made.BotID != b.ID || made.Note != "laptop" {
			t.Errorf("got %+v, want what the form asked for", made)
		}
		if made.ExpiresAt == nil || made.ExpiresAt.Sub(made.CreatedAt) != 30*24*time.Hour {
			t.Errorf("it ends at %v, want in 30 days", made.ExpiresAt)
		}
		if as := w.person().ask("GET", "/v1/me", nil, "Authorization", "Bearer "+shown[0]); as.status != 200 || !strings.Contains(as.body, `"ada"`) {
			t.Errorf("with the token: got %d %s, want ada", as.status, as.body)
		}
		lines := w.audited()[before:]
		if len(lines) != 1 || lines[0].SubjectID != made.ID || lines[0].Outcome != tournament.AuditDone {
			t.Errorf("got the audit lines %+v, want one of the new token", lines)
		}
		secret := shown[0][len("mr_")+tournament.TokenIDLen:]
		for where, text := range map[string]string{
			"the log":       w.log.String(),
			"the page":      ada.goes(200, "GET", "/me", nil).body,
			"the store":     fmt.Sprintf("%+v", live),
			"the audit log": fmt.Sprintf("%+v", w.audited()),
			"the headers":   fmt.Sprint(got.header),
		} {
			if strings.Contains(text, secret) || strings.Contains(text, secret[:43]) {
				t.Errorf("%s holds the token", where)
			}
		}
		revoke := "/me/tokens/" + made.ID + "/revoke"
		must.Say(t, ada.goes(200, "GET", "/me", nil).body, "for bot-of-ada alone", revoke)
		ada.goes(303, "POST", revoke, url.Values{})
		if n := len(w.live("ada")); n != 0 {
			t.Errorf("ada has %d live tokens, want none", n)
		}
	})
}

func TestTokensThatMyPageDoesNotMake(t *testing.T) {
	onOne(t, func(c *api.Config) { c.Limits.Tokens = 1 }, func(t *testing.T, w *world) {
		ada, eve := w.person(), w.person()
		ada.joins("ada")
		eve.joins("eve")
		mine, _ := w.owned("ada")
		others, _ := w.owned("eve")
		for name, row := range map[string]struct {
			status int
			form   url.Values
			says   string
		}{
			"an unknown scope":         {422, asks("scope", "root"), "is none of read"},
			"a scope with a NUL":       {422, asks("scope", "bot\x00"), "is none of read"},
			"an organiser's scope":     {403, asks("scope", "organise"), "your role has no such scope"},
			"an administrator's scope": {403, asks("scope", "admin"), "your role has no such scope"},
			"too many scopes":          {422, url.Values{"note": {"x"}, "days": {"1"}, "scope": {"bot", "bot", "bot", "bot", "bot", "bot", "bot"}}, "not so many scopes"},
			"another's bot":            {422, asks("bot", others.ID), "no bot of yours"},
			"no bot":                   {422, asks("bot", "\x00"), "no bot of yours"},
			"a bot and more scopes":    {422, asks("bot", mine.ID, "scope", "account"), "a token for one bot cannot have account"},
			"a name with a NUL":        {422, asks("note", "a\x00b"), "its name"},
			"a name of two lines":      {422, asks("note", "a\nb"), "its name"},
			"a long name":              {422, asks("note", strings.Repeat("x", 81)), "its name"},
			"no days":                  {422, asks("days", ""), "its days"},
			"over at once":             {422, asks("days", "0"), "its days"},
			"for too long":             {422, asks("days", "367"), "its days"},
			"for ever":                 {422, asks("days", "never"), "its days"},
			"an unknown field":         {422, asks("lasting", "true"), ""},
		} {
			got := ada.goes(row.status, "POST", "/me/tokens", row.form)
			if !strings.Contains(got.body, row.says) || tokenText.MatchString(got.body) {
				t.Errorf("%s: want a page that says %q: %s", name, row.says, got.body)
			}
			if row.says != "" && !strings.Contains(got.body, `action="/me/tokens"`) {
				t.Errorf("%s: the form does not come back", name)
			}
		}
		heads := map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
		for head, from := range heads {
			if got := ada.ask("POST", "/me/tokens", asks(), head, from); got.status != 403 {
				t.Errorf("a form with %s: %s: got %d, want 403", head, from, got.status)
			}
		}
		if got := ada.ask("POST", "/me/tokens", nil, "Content-Type", "application/json"); got.status != 415 {
			t.Errorf("JSON: got %d, want 415", got.status)
		}
		for range 2 { // an answer that is kept by a key would show the token again
			if got := ada.ask("POST", "/me/tokens", asks(), "Idempotency-Key", "0123456789abcdef"); got.status != 400 {
				t.Errorf("with an Idempotency-Key: got %d, want 400", got.status)
			}
		}
		w.person().goes(403, "POST", "/me/tokens", asks())
		ada.goes(405, "GET", "/me/tokens", nil)
		if n := len(w.live("ada")) + len(w.live("eve")); n != 0 {
			t.Fatalf("there are %d tokens, want none", n)
		}
		ada.goes(200, "POST", "/me/tokens", asks())
		must.Say(t, ada.goes(409, "POST", "/me/tokens", asks()).body, "revoke one first")
	})
}

// The form offers the scopes that the user's role reaches, and a form with none chosen asks for the least.
func TestMyPageOffersTheScopesOfMyRole(t *testing.T) {
	onSQLite(t, nothing, func(t *testing.T, w *world) {
		ada := w.person()
		ada.joins("ada")
		u := w.user("ada")
		scope := regexp.MustCompile(`name="scope" value="(\w+)"`)
		for role, want := range map[tournament.Role]string{
			tournament.RoleOwner:     "bot enter account",
			tournament.RoleOrganiser: "bot enter account organise",
			tournament.RoleAdmin:     "bot enter account organise admin",
		} {
			must.OK(t, w.store.SaveRole(t.Context(), u.ID, role))
			var offered []string
			for _, m := range scope.FindAllStringSubmatch(ada.goes(200, "GET", "/me", nil).body, -1) {
				offered = append(offered, m[1])
			}
			if got := strings.Join(offered, " "); got != want {
				t.Errorf("%s is offered %s, want %s", role, got, want)
			}
			form := asks()
			maps.Copy(form, url.Values{"scope": offered})
			if got := w.madeBy(ada, form).Scopes.String(); got != "read, "+strings.ReplaceAll(want, " ", ", ") {
				t.Errorf("%s got %s, want all that was offered", role, got)
			}
		}
		form := asks()
		form.Del("scope")
		if got := w.madeBy(ada, form).Scopes.String(); got != "read" {
			t.Errorf("without a scope: got %s, want read", got)
		}
	})
}

// madeBy is the token that a form of a person's makes.
func (w *world) madeBy(p *person, form url.Values) tournament.Token {
	w.Helper()
	id, _, _ := tournament.ParseToken(tokenText.FindString(p.goes(200, "POST", "/me/tokens", form).body))
	made, _, err := w.store.TokenByID(w.Context(), id)
	must.OK(w, err)
	return made
}
