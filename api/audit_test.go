package api_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// unaudited are the writes without an audit line, and why.
var unaudited = map[string]string{
	"POST /play/:game":             "a person without an account; the match's record has it",
	"POST /seat":                   "a decision; the match's record has it",
	"POST /seat/leave":             "a person without an account; the match's record has it",
	"POST /mcp":                    "what its tools change, the operations have; decisions, the matches' records",
	"POST /v1/matches/:id/review":  "anybody may ask, also without an account: then the review alone has it",
	"POST /v1/relays/:name/fetch":  "it carries messages; the matches' records have the answers",
	"POST /v1/relays/:name/answer": "an answer; the match's record has it",
	"POST /v1/tournaments/preview": "makes nothing",
	"POST /v1/schedules/preview":   "makes nothing",
}

// audited are all audit lines, the newest first.
func (w *world) audited() []tournament.AuditLine {
	w.t.Helper()
	var out []tournament.AuditLine
	page := store.Page{Limit: store.MaxPage}
	for {
		list, next, err := w.store.AuditLines(w.t.Context(), tournament.AuditFilter{}, page)
		must.OK(w.t, err)
		if out = append(out, list...); next == "" {
			return out
		}
		page.After = next
	}
}

func TestEveryWriteLeavesOneAuditLine(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		for _, row := range matrix {
			method, _, _ := strings.Cut(row.route, " ")
			if method == "GET" || len(row.may()) == 0 {
				continue
			}
			who := row.may()[0]
			method, path, body := w.scene(row, list[0])
			before := len(w.audited())
			w.do(who, method, path, body)
			lines := w.audited()
			lines = lines[:len(lines)-before]
			if _, quiet := unaudited[row.route]; quiet != (len(lines) == 0) || len(lines) > 1 {
				t.Errorf("%s leaves %d audit lines, %+v", row.route, len(lines), lines)
				continue
			}
			for _, l := range lines {
				same(t, row.route+": operation", l.Operation, param.ReplaceAllString(row.route, "{$1}"))
				same(t, row.route+": user", l.UserID, w.users[who].ID)
				same(t, row.route+": outcome", l.Outcome, tournament.AuditDone)
				same(t, row.route+": via", l.Via, tournament.ViaAPI)
				holds(t, row.route+": a subject", l.SubjectID != "")
			}
		}
	})
}

func TestRefusalsForWantOfRightsAreAuditedAndNothingElse(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		w.do(other, "POST", "/v1/bots/"+b.ID+"/pause", nil).want(403, "not_yours")
		w.do(other, "POST", "/v1/bots/"+b.ID+"/ban", map[string]any{"reason": "x"}).want(403, "role_too_low")
		w.token(owner, "reader", tournament.Token{})
		w.do("reader", "POST", "/v1/bots/"+b.ID+"/pause", nil).want(403, "scope_missing")
		w.do(owner, "POST", "/v1/tokens", map[string]any{"note": strings.Repeat("x", 81)}).want(422, "invalid")
		w.do(owner, "POST", "/v1/tokens", "{").want(400, "")
		w.do(anon, "POST", "/v1/bots/"+b.ID+"/pause", nil).want(401, "")
		w.do(owner, "POST", "/v1/bots/"+strings.Repeat("0", 36)+"/pause", nil).want(404, "")
		w.get(owner, "/v1/users").want(403, "")
		lines := into[wire.Page[wire.AuditLine]](w.get(admin, "/v1/admin/audit?outcome=refused").want(200, "")).Data
		if len(lines) != 3 || len(w.audited()) != 3 {
			t.Fatalf("got %+v, want the three who may not", lines)
		}
		for i, by := range []string{owner, other, other} {
			if lines[i].UserID != w.users[by].ID || lines[i].SubjectID != b.ID || lines[i].TokenID == "" {
				t.Errorf("line %d: got %+v, want %s at the bot", i, lines[i], by)
			}
		}
		for query, want := range map[string]int{"user=" + w.users[other].ID: 2, "subject=" + b.ID: 3, "subject=x": 0, "outcome=done": 0, "limit=2": 2, "since=2001-01-01T00:00:00Z": 3, "until=2001-01-01T00:00:00Z": 0} {
			w.get(admin, "/v1/admin/audit?"+query).want(200, "").has("data/#", want)
		}
		w.get(admin, "/v1/admin/audit?user=x").want(400, "bad_query")
		w.get(admin, "/v1/admin/audit?outcome=x").want(400, "bad_query")
		w.get(admin, "/v1/admin/audit?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z").want(400, "bad_query").place("?until")
	})
}
