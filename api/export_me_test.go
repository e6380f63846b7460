package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

func TestAnExportHasAllOfOnesOwnAndNoSecret(t *testing.T) {
	onOne(t, func(w *world) {
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		b := w.bot(owner)
		hook, _ := w.hook(owner, b)
		w.do(owner, "POST", "/v1/bots/"+b.ID+"/pause", nil).want(200, "")
		login, session := w.linked(owner), w.session(owner)
		hash := w.card(tournament.CardWaiting)
		must.OK(t, w.store.LogCheck(t.Context(), tournament.Check{BotID: b.ID, VersionID: b.VersionID, Failure: "no answer"}))
		got := w.get(owner, "/v1/me/export").want(200, "")
		count := map[string]int{}
		lines := strings.Split(strings.TrimSpace(string(got.body)), "\n")
		for _, text := range lines {
			var line map[string]json.RawMessage
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			for part := range line {
				count[part]++
			}
		}
		bots := count["bot"]
		for part, want := range map[string]int{"user": 1, "token": 1, "login": 1, "session": 1, "webhook": 1, "version": bots, "entry": 1, "check": 1, "card": 1, "event": 0, "class": 0, "audit": 1, "end": 1} {
			same(t, part, count[part], want)
		}
		holds(t, "bots", bots >= 2)
		var end wire.ExportLine
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil || end.End == nil || end.End.Lines != len(lines)-1 {
			t.Errorf("the last line is %s (%v), want the end of %d lines", lines[len(lines)-1], err, len(lines)-1)
		}
		for _, part := range []string{cup.ID, b.ID, hook.ID, login.ID(), login.Subject, session.ID, hash} {
			holds(t, "names "+part, strings.Contains(string(got.body), part))
		}
		for _, secret := range []string{"whsec_", w.tokens[owner], w.users[other].ID, w.users[other].Name + `"`} {
			holds(t, "does not hold "+secret, !strings.Contains(string(got.body), secret))
		}

		// An organiser's has what they organise, over or not, unlisted or shared, and no more than that.
		w.join("second", tournament.RoleOrganiser)
		over := w.cup(func(*tournament.Tournament) {})
		w.do(organiser, "POST", "/v1/tournaments/"+over.ID+"/cancel", nil).want(200, "")
		hidden := w.cup(func(x *tournament.Tournament) { x.Rated, x.Unlisted = false, true })
		w.do(organiser, "PUT", "/v1/tournaments/"+hidden.ID+"/organisers", map[string]any{"co_organisers": []string{"second"}}).want(200, "")
		again := w.series(func(*schedule.Schedule) {})
		made := into[wire.Series](w.do(organiser, "POST", "/v1/series", map[string]any{"name": "Cups", "schedule_id": again.ID}).want(201, ""))
		class := into[wire.ClassLinkCreated](w.do(organiser, "POST", "/v1/class-links", map[string]any{"events": []string{hidden.ID}, "accounts": 3}).want(201, ""))
		_, code, _ := strings.Cut(class.URL, "code=")
		must.Say(t, string(w.get(organiser, "/v1/me/export").want(200, "").body), over.ID, hidden.ID, again.ID, made.ID, class.ID, "not", code)
		must.Say(t, string(w.get("second", "/v1/me/export").want(200, "").body), hidden.ID, "not", over.ID, again.ID, made.ID, class.ID)
	})
}
