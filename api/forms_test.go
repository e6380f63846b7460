package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/api/web/form"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// withLogin lets browsers in; their issuer is never asked.
func withLogin(c *api.Config) {
	c.Login = login.Settings{Issuer: "http://127.0.0.1:1", ClientID: "molerun", ClientSecret: strings.Repeat("s", 32), PublicURL: "http://127.0.0.1:2"}
}

// visits has a browser ask for a page or, with fields, send a form; head are more headers, as pairs. "" has no session.
func (w *world) visits(session tournament.LoginSecret, path string, in url.Values, head ...string) answer {
	w.t.Helper()
	method := "GET"
	if in != nil {
		method = "POST"
	}
	r := httptest.NewRequestWithContext(w.t.Context(), method, path, strings.NewReader(in.Encode()))
	r.Header.Set("Accept", "text/html")
	if in != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if session != "" {
		r.Header.Set("Cookie", "molerun_session="+string(session))
	}
	for i := 0; i < len(head); i += 2 {
		r.Header.Set(head[i], head[i+1])
	}
	return w.send(r)
}

// filled returns the path of a form about what the path of its operation is about, and the fields that ask for a body.
func filled(t *testing.T, f api.Form, at string, body any) (string, url.Values) {
	t.Helper()
	path, in := f.Path, url.Values{}
	parts := strings.Split(at, "/")
	for i, part := range strings.Split(f.Spec.Path, "/") {
		if strings.HasPrefix(part, "{") {
			path = strings.ReplaceAll(path, ":"+strings.Trim(part, "{}"), parts[i])
		}
	}
	kind, _ := f.Spec.Body()
	if kind == nil || body == nil {
		return path, in
	}
	raw, err := json.Marshal(body)
	must.OK(t, err)
	x := form.Of(kind, form.Words{})
	must.OK(t, x.Fill(raw))
	for _, one := range x.Fields {
		if one.Typed != nil {
			in[one.Name] = one.Typed
		}
		if one.Kind == form.Lines && one.Typed != nil { // as choices, where the page offers some
			in[one.Name] = strings.Split(one.Value(), "\n")
		}
	}
	var keys struct{ Tables [][]string }
	if json.Unmarshal(raw, &keys) == nil && keys.Tables != nil {
		delete(in, "tables")
		for i, row := range keys.Tables {
			in["tables/"+strconv.Itoa(i)] = row
		}
	}
	return path, in
}

// left counts the audit lines of an outcome.
func (w *world) left(outcome tournament.AuditOutcome) (n int) {
	w.t.Helper()
	for _, line := range w.audited() {
		n += btoi(line.Outcome == outcome)
	}
	return n
}

// done counts the audit lines of what was carried out.
func (w *world) done() int { w.t.Helper(); return w.left(tournament.AuditDone) }

// told is what a page says of a refusal.
func told(got answer) string {
	return strings.Join(strings.Fields(tags.ReplaceAllString(strings.Join(refusedParts.FindAllString(string(got.body), -1), " "), " ")), " ")
}

var (
	refusedParts = regexp.MustCompile(`(?s)class="(refused|problem)".*?</(p|ul|strong)>`)
	tags         = regexp.MustCompile(`<[^>]*>`)
)

// A form does for each person what its operation does for a plain token of theirs, and leaves the same audit line.
func TestAFormDoesWhatItsOperationDoes(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		for _, f := range api.Forms() {
			route := f.Spec.Method + " " + f.Spec.Route()
			row := w.rowOf(route)
			for k, want := range strings.Fields(row.want)[:5] {
				who := people()[k]
				_, at, body := w.scene(row, list[0])
				path, in := filled(t, f, at, body)
				session := tournament.LoginSecret("")
				if who != anon {
					session = w.browser(who)
				}
				before, refused := w.done(), w.left(tournament.AuditRefused)
				got := w.visits(session, path, in)
				allowed := strings.HasPrefix(want, "2")
				switch {
				case want == "401" && (got.status != 403 || !bytes.Contains(got.body, []byte(`href="/login"`))):
					t.Errorf("%s by nobody: got %d %s, want a page that leads to /login", path, got.status, got.body)
				case allowed && got.status != 303 && got.status != 200, want != "401" && !allowed && strconv.Itoa(got.status) != want:
					t.Errorf("POST %s as %s: got %d %s, want what %s says: %s", path, who, got.status, told(got), route, want)
				}
				if made := w.done() - before; made != btoi(allowed) {
					t.Errorf("POST %s as %s: %d audit lines of what was done; %s says %s", path, who, made, route, want)
				}
				if made := w.left(tournament.AuditRefused) - refused; made != btoi(want == "403") {
					t.Errorf("POST %s as %s: %d audit lines of a refusal; %s says %s", path, who, made, route, want)
				}
			}
		}
	})
}

// No form is taken from another site, as another kind of text, or with fields that it has not; and nothing of that is done.
func TestAFormComesFromItsOwnPageAlone(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		for _, f := range api.Forms() {
			sessions := map[string]tournament.LoginSecret{owner: w.browser(owner), organiser: w.browser(organiser)}
			row := w.rowOf(f.Spec.Method + " " + f.Spec.Route())
			who := organiser
			if row.scope != tournament.ScopeOrganise {
				who = owner
			}
			_, at, body := w.scene(row, list[0])
			path, in := filled(t, f, at, body)
			before := w.done()
			for name, x := range map[string]struct {
				status int
				got    answer
			}{
				"from another site":   {403, w.visits(sessions[who], path, in, "Sec-Fetch-Site", "cross-site")},
				"of another origin":   {403, w.visits(sessions[who], path, in, "Origin", "https://evil.example")},
				"as JSON":             {415, w.visits(sessions[who], path, in, "Content-Type", "application/json")},
				"with a key":          {400, w.visits(sessions[who], path, in, "Idempotency-Key", "0123456789abcdef")},
				"of a session ended":  {403, w.visits("session-9999", path, in)},
				"with another field":  {422, w.visits(sessions[who], path, url.Values{"is_admin": {"true"}})},
				"with a query":        {400, w.visits(sessions[who], path+"?x=1", in)},
				"of a table far away": {422, w.visits(sessions[who], path, url.Values{"tables/99999": {"x"}})},
			} {
				if x.got.status != x.status {
					t.Errorf("%s %s: got %d %s, want %d", path, name, x.got.status, told(x.got), x.status)
				}
			}
			if now := w.done(); now != before {
				t.Errorf("%s: what was refused is in the audit log as done", path)
			}
			if !f.HasPage {
				continue
			}
			if got := w.visits(sessions[who], path, nil); got.status != 200 {
				t.Errorf("GET %s: got %d %s, want the form", path, got.status, told(got))
			}
			if got := w.visits("", path, nil); got.header.Get("Location") != "/login" {
				t.Errorf("GET %s by nobody leads to %q, want /login", path, got.header.Get("Location"))
			}
			if mine := strings.Contains(f.Path, ":id") && (who == organiser || strings.HasPrefix(path, "/me/")); mine {
				if got := w.visits(w.browser(rival), path, nil); got.status != 403 && got.status != 404 {
					t.Errorf("GET %s of another: got %d, want it refused", path, got.status)
				}
			}
			if who == organiser {
				if got := w.visits(sessions[owner], path, nil); got.status != 403 {
					t.Errorf("GET %s by who organises nothing: got %d, want 403", path, got.status)
				}
			}
		}
	})
}

var refusedField = regexp.MustCompile(`class="problem" id="f-([a-z0-9_-]+)-problem"`)

// bad are fields that are filled in wrong, by the form that has them. Every field of a form is there or in sound.
var bad = map[string]url.Values{
	"/me/bots/new":         {"name": {"a b"}, "url": {"ftp://bot"}, "secret": {"hush"}},
	"/me/bots/:id/version": {"url": {"ftp://bot"}, "secret": {"hush"}, "build": {strings.Repeat("b", 200)}, "note": {"two\nlines"}},
	"/me/webhooks/new":     {"url": {"ftp://hook"}, "secret": {"hush"}, "events": {"match.lost"}},
	"/tournaments/new": {
		"name": {strings.Repeat("x", 81)}, "table_size": {"many"}, "format": {"swiss"}, "cycles": {"0"}, "capacity": {"1e9"}, "entries_per_owner": {"-1"}, "check_in_ms": {"soon"},
		"config": {"", "[]"}, "clock/limit_ms": {"1 fortnight"}, "clock/bank_ms": {"11h"}, "clock/increment_ms": {"2d"}, "clock/network_allowance_ms": {"1h"},
		"fault_limits/max_faults_in_row": {"0"}, "fault_limits/max_faults": {"x"}, "starts_at": {"friday"}, "opens_at": {"2026-13-01T00:00"}, "closes_at": {"now"},
		"description": {strings.Repeat("x", 10_001)}, "rules": {strings.Repeat("x", 10_001)}, "prizes": {strings.Repeat("x", 10_001)},
		"format_options/rounds": {"-1"}, "format_options/best_of": {"two"}, "format_options/finalists": {"0.5"}, "format_options/lasts_ms": {"for ever"},
	},
	"/schedules/new": {"name": {""}, "cron": {"friday 20:00"}, "zone": {"Mars/Olympus"}, "opens_before_ms": {"early"}, "closes_before_ms": {"late"}, "capacity": {"0"}, "game": {"masks"}, "format": {"swiss"}, "table_size": {"2"}, "cycles": {"1"}},
	"/series/new":    {"name": {"Autumn"}, "best": {"some"}, "rank_points": {"ten\n8"}, "by": {"rank"}},
}

// sounds are the fields in bad that are not wrong, by their form.
var sounds = map[string]string{"/tournaments/new": "format", "/schedules/new": "game format table_size cycles cron", "/series/new": "name by"}

func TestEveryBadFieldIsRefusedInItsPlace(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		// Registration closes at the start where nothing is typed: a start that cannot be is refused once, and its correction is not held against it.
		typed := url.Values{"name": {"Cup"}, "game": {"molehill"}, "format": {"swiss"}, "starts_at": {"2099-03-29T02:30"}, "closes_at": {""}, ".zone": {"Europe/Amsterdam"}}
		page := string(w.visits(w.browser(organiser), "/tournaments/new", typed).body)
		var beside []string
		for _, found := range refusedField.FindAllStringSubmatch(page, -1) {
			beside = append(beside, found[1])
		}
		if !slices.Contains(beside, "starts_at") || slices.Contains(beside, "closes_at") || strings.Count(page, "2099-03-29T02:30") != 1 {
			t.Errorf("refused are %q; the start stands %d times on the page", beside, strings.Count(page, "2099-03-29T02:30"))
		}

		// What is wrong stands beside its field, everything at once, and what was typed is still there.
		sessions := map[string]tournament.LoginSecret{}
		for _, path := range slices.Sorted(maps.Keys(bad)) {
			who := organiser
			if strings.HasPrefix(path, "/me/") {
				who = owner
			}
			if sessions[who] == "" {
				sessions[who] = w.browser(who)
			}
			at, before := strings.ReplaceAll(path, ":id", w.bot(owner).ID), w.done()
			got := w.visits(sessions[who], at, bad[path])
			if got.status != 422 {
				t.Errorf("%s: got %d %s, want 422", path, got.status, told(got))
				continue
			}
			page, beside := string(got.body), map[string]bool{}
			for _, found := range refusedField.FindAllStringSubmatch(page, -1) {
				beside[found[1]] = true
			}
			for name, typed := range bad[path] {
				id := strings.ReplaceAll(name, "/", "-")
				sound := slices.Contains(strings.Fields(sounds[path]), name)
				if beside[id] == sound {
					t.Errorf("%s: %s: %q is refused beside its field: %v", path, name, typed, beside[id])
				}
				if last := typed[len(typed)-1]; last != "match.lost" && !strings.Contains(page, html.EscapeString(last)) {
					t.Errorf("%s: %s: what was typed, %q, is gone", path, name, last)
				}
			}
			if now := w.done(); now != before {
				t.Errorf("%s: what was refused is done", path)
			}
		}
	})
}

// A form that somebody else's change has overtaken is not carried out. Shown again it holds both changes, each field as it was changed last,
// and says what the other has changed. That the form was refused first, for a field that cannot be read or is not allowed, changes nothing.
func TestAFormChangesNothingThatChangedMeanwhile(t *testing.T) {
	for name, x := range map[string]struct {
		at, api     string
		theirs      map[string]any // changed while the form is open
		left        string         // the field of that, which the form leaves alone
		field, want string         // what the form changes
		bad         string         // what is refused of that first
	}{
		"a tournament": {"/tournaments/:cup/edit", "/v1/tournaments/:cup", map[string]any{"rules": "Be *kind*."}, "rules", "check_in_ms", "10m", "soon"},
		"its texts":    {"/tournaments/:cup/edit", "/v1/tournaments/:cup", map[string]any{"name": "Sunday Cup"}, "name", "prizes", "Glory", strings.Repeat("x", 10001)},
		"a schedule":   {"/schedules/:schedule/edit", "/v1/schedules/:schedule", map[string]any{"name": "Sunday Cup"}, "name", "capacity", "8", "many"},
		"a series":     {"/series/:series/edit", "/v1/series/:series", map[string]any{"best": 2}, "best", "name", "Winter", ""},
		"organisers":   {"/tournaments/:cup/organisers", "/v1/tournaments/:cup/organisers", map[string]any{"co_organisers": []string{"rival"}}, "", "co_organisers", "admin", "nobody"},
		"a bot":        {"/me/bots/:bot/change", "/v1/bots/:bot", map[string]any{"takes_challenges": true}, "takes_challenges", "", "", ""},
		"a webhook":    {"/me/webhooks/:webhook/change", "/v1/webhooks/:webhook", map[string]any{"events": []string{"match.void"}}, "events", "enabled", "false", ""},
	} {
		t.Run(name, func(t *testing.T) {
			onOneWith(t, withLogin, func(w *world) {
				cup, who := w.cup(func(*tournament.Tournament) {}), organiser
				if strings.HasPrefix(x.at, "/me/") {
					who = owner
				}
				made := func(path string, body any) string {
					return between(string(w.do(who, "POST", path, body).want(201, "").body), `"id":"`, `"`)
				}
				ids := []string{":cup", cup.ID}
				switch {
				case strings.Contains(x.at, ":schedule"):
					ids = append(ids, ":schedule", made("/v1/schedules", goodSeries(w)))
				case strings.Contains(x.at, ":series"):
					ids = append(ids, ":series", made("/v1/series", map[string]any{"name": "Autumn", "tournaments": []string{cup.ID}}))
				case strings.Contains(x.at, ":bot"):
					ids = append(ids, ":bot", w.bot(owner).ID)
				case strings.Contains(x.at, ":webhook"):
					ids = append(ids, ":webhook", made("/v1/webhooks", map[string]any{"url": "https://hook.example/"}))
				}
				at, path := strings.NewReplacer(ids...).Replace(x.at), strings.NewReplacer(ids...).Replace(x.api)
				me := w.browser(who)
				fields := filledIn(string(w.visits(me, at, nil).want(200, "").body))
				before := fields[x.left]
				how := "PATCH"
				if strings.HasSuffix(path, "/organisers") {
					how = "PUT"
				}
				w.do(who, how, path, x.theirs).want(200, "")
				if x.field != "" {
					fields.Set(x.field, x.bad)
				}
				again := w.visits(me, at, fields)
				if again.status == 422 { // or overtaken at once
					fields = filledIn(string(again.body))
					if !slices.Equal(fields[x.left], before) {
						t.Fatalf("%s is %q in the form that was refused, want %q as it was shown: %s", x.left, fields[x.left], before, again.body)
					}
				}
				if x.field != "" {
					fields.Set(x.field, x.want)
				}
				page := string(w.visits(me, at, fields).want(412, "").body)
				if now := filledIn(page); now.Get(x.field) != x.want || x.left != "" && slices.Equal(now[x.left], before) {
					t.Fatalf("shown again: %s %q, %s %q; want what was typed and what the other changed", x.field, now.Get(x.field), x.left, now[x.left])
				}
				must.Say(t, page, "somebody else changed it")
				w.visits(me, at, filledIn(page)).want(303, "")
				last := filledIn(string(w.visits(me, at, nil).want(200, "").body))
				if last.Get(x.field) != x.want || !slices.Equal(last[x.left], filledIn(page)[x.left]) {
					t.Errorf("at last: %s %q, %s %q; want both changes", x.field, last.Get(x.field), x.left, last[x.left])
				}
			})
		})
	}
}

var (
	inputs = regexp.MustCompile(`(?s)<(input|textarea)([^>]*)>([^<]*)`)
	attr   = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
	chosen = regexp.MustCompile(`(?s)<select[^>]*name="([^"]*)".*?</select>`)
	picked = regexp.MustCompile(`<option value="([^"]*)" selected`)
)

// filledIn are the fields of the form of a page as a browser sends them.
func filledIn(page string) url.Values {
	page = between(page, `class="fill"`, "</form>")
	out := url.Values{}
	for _, x := range inputs.FindAllStringSubmatch(page, -1) {
		has := map[string]string{}
		for _, a := range attr.FindAllStringSubmatch(x[2], -1) {
			has[a[1]] = html.UnescapeString(a[2])
		}
		switch {
		case has["name"] == "":
		case x[1] == "textarea":
			out.Add(has["name"], strings.TrimPrefix(html.UnescapeString(x[3]), "\n"))
		case has["type"] == "checkbox" && !strings.Contains(x[2], " checked"):
		case has["type"] == "checkbox" && has["value"] == "":
			out.Add(has["name"], "on")
		default:
			out.Add(has["name"], has["value"])
		}
	}
	for _, x := range chosen.FindAllStringSubmatch(page, -1) {
		value := ""
		if p := picked.FindStringSubmatch(x[0]); p != nil {
			value = html.UnescapeString(p[1])
		}
		out.Add(x[1], value)
	}
	return out
}

func TestAFreshFormNeedsANameAndATimeAndAChangeKeepsTheRest(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		// A fresh form of an organiser, with a name and a time, is a tournament; its preview is none.
		me := w.browser(organiser)
		in := filledIn(string(w.visits(me, "/tournaments/new?game=masks", nil).want(200, "").body))
		in.Set("name", "Friday Cup")
		in.Set("starts_at", "2026-03-06T20:00")
		in.Set(".zone", "Europe/Amsterdam")
		in.Set("preview", "yes")
		got := string(w.visits(me, "/tournaments/new", in).want(200, "").body)
		for _, want := range []string{"nothing is made yet", "at most", "rounds", "2026-03-06 20:00 Europe/Amsterdam", `value="Friday Cup"`} {
			if !strings.Contains(strings.ToLower(got), strings.ToLower(want)) {
				t.Errorf("the preview lacks %q: %s", want, got)
			}
		}
		count := func() []tournament.Tournament {
			t.Helper()
			list, _, err := w.store.Tournaments(t.Context(), store.TournamentFilter{OrganiserID: w.users[organiser].ID}, store.Page{Sort: store.Newest})
			must.OK(t, err)
			return list
		}
		if n := len(count()); n != 0 {
			t.Fatalf("the preview made %d tournaments", n)
		}
		in.Del("preview")
		to := w.visits(me, "/tournaments/new", in).want(303, "").header.Get("Location")
		list := count()
		if len(list) != 1 || to != "/tournaments/"+list[0].ID+"/organise?done=tournaments-new" {
			t.Fatalf("got %d tournaments, and the way to %q", len(list), to)
		}
		if cup := list[0]; cup.StartsAt.Format("15:04") != "19:00" || !cup.ClosesAt.Equal(cup.StartsAt) || cup.Capacity != 16 || !cup.Duplicate || cup.Clock != tournament.DefaultClock() {
			t.Errorf("got %+v, want the usual cup at seven UTC", cup)
		}
		must.Say(t, string(w.visits(me, to, nil).want(200, "").body), "The tournament is announced.", "Start now")

		// What a form does not change stays: tie-breaks, however many, and what counts in a series, whoever organises it.
		ties := []string{"wins", "buchholz", "sonneborn_berger", "progressive", "koya", "game_score"}
		cup := w.cup(func(c *tournament.Tournament) { c.Format, c.Options.TieBreaks = tournament.Swiss, ties })
		change := func(session tournament.LoginSecret, path, field, value string) {
			t.Helper()
			in := filledIn(string(w.visits(session, path, nil).want(200, "").body))
			in.Set(field, value)
			w.visits(session, path, in).want(303, "")
		}
		change(w.browser(organiser), "/tournaments/"+cup.ID+"/edit", "description", "New words.")
		now, err := w.store.Tournament(t.Context(), cup.ID)
		if err != nil || !slices.Equal(now.Options.TieBreaks, ties) {
			t.Errorf("got the tie-breaks %v (%v), want %v", now.Options.TieBreaks, err, ties)
		}

		var counted []string
		for range 3 {
			counted = append(counted, w.cup(func(*tournament.Tournament) {}).ID)
		}
		made := into[wire.Series](w.do(organiser, "POST", "/v1/series", map[string]any{"name": "Friday", "tournaments": counted}).want(201, ""))
		at := "/series/" + made.ID
		w.do(organiser, "PUT", "/v1"+at+"/organisers", map[string]any{"co_organisers": []string{w.users[rival].Name}}).want(200, "")
		w.cup(func(c *tournament.Tournament) { c.OrganiserID, c.Name = w.users[rival].ID, "theirs" })
		them := w.browser(rival)
		change(them, at+"/edit", "name", "Saturday")
		x, err := w.store.SeriesByID(t.Context(), made.ID)
		if err != nil || x.Name != "Saturday" || !slices.Equal(x.Tournaments, counted) {
			t.Errorf("got %+v (%v), want another name for the same tournaments %v", x, err, counted)
		}
		must.Say(t, string(w.visits(them, "/me/events", nil).want(200, "").body), "Saturday")
		must.Say(t, string(w.visits(them, at+"/organise", nil).want(200, "").body), "not", at+"/delete")
	})
}

// What is shown once is in the answer alone.
func TestASecretIsShownOnce(t *testing.T) {
	onSQLite(t, withLogin, func(w *world) {
		me, cups := w.browser(owner), w.browser(organiser)
		secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+|mi_[A-Z0-9]+`)
		hook, _ := w.hook(owner, w.bot(owner))
		invites := filledIn(string(w.visits(cups, "/tournaments/new?game=masks", nil).want(200, "").body))
		invites.Set("name", "Closed Cup")
		invites.Set("starts_at", "2026-03-06T20:00")
		invites.Set("invite_only", "on")
		for _, x := range []struct {
			who        tournament.LoginSecret
			path, next string
			in         url.Values
		}{
			{me, "/me/bots/new", "/me", url.Values{"name": {"fresh"}, "url": {"https://bot.example/"}}},
			{me, "/me/bots/" + w.bot(owner).ID + "/secret", "/me", url.Values{}},
			{me, "/me/webhooks/new", "/me", url.Values{"url": {"https://hook.example/"}}},
			{me, "/me/webhooks/" + hook.ID + "/secret", "/me", url.Values{}},
			{cups, "/tournaments/new", "/me/events", invites},
		} {
			got := w.visits(x.who, x.path, x.in).want(200, "")
			shown := secret.FindAllString(html.UnescapeString(string(got.body)), -1) // a page writes base64's + as &#43;
			if len(shown) != 1 || got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: shows %d secrets, kept as %q", x.path, len(shown), got.header.Get("Cache-Control"))
				continue
			}
			for where, text := range map[string]string{
				"the next page":    string(w.visits(x.who, x.next, nil).want(200, "").body),
				"the log":          w.log.String(),
				"the headers":      fmt.Sprint(got.header),
				"what all may see": string(w.get(anon, "/v1/tournaments").body) + string(w.get(anon, "/v1/bots").body),
			} {
				if strings.Contains(html.UnescapeString(text), shown[0]) {
					t.Errorf("%s: %s holds the secret", x.path, where)
				}
			}
		}
	})
}
