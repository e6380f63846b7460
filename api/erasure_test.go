package api_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// leave asks to delete the account of a person by a name.
func (w *world) leave(who, name string) answer {
	w.t.Helper()
	return w.do(who, "DELETE", "/v1/me", map[string]any{"name": name})
}

func TestADeletedAccountIsGoneAndItsMatchesStay(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(x *tournament.Tournament) { x.Cycles = 2 }, owner, other)
		over, begun := list[0], list[1]
		w.play(over, 100)
		w.play(begun, 1)
		me, code := w.users[owner], w.code(owner)
		w.hook(owner, w.bot(owner))
		w.leave(owner, me.Name).want(204, "")
		w.leave(owner, me.Name).want(401, "unauthorized")
		w.recover(me.Name, code).want(401, "unauthorized")
		w.do(anon, "POST", "/v1/users", map[string]any{"name": me.Name}).want(201, "")
		u := into[wire.User](w.get(admin, "/v1/users/"+me.ID).want(200, ""))
		holds(t, "a name that says so: "+u.Name, strings.HasPrefix(u.Name, "deleted-") && tournament.CheckName("", u.Name) == nil)
		same(t, "why it is disabled", u.DisabledReason, "deleted by its user")
		w.do(admin, "POST", "/v1/users/"+me.ID+"/enable", nil).want(409, "wrong_state")
		bots := into[wire.Page[wire.Bot]](w.get(anon, "/v1/bots?owner="+me.ID).want(200, "")).Data
		same(t, "bots", len(bots), 2)
		for _, b := range bots {
			same(t, b.Name, b.Status, string(tournament.BotRetired))
		}
		record := w.get(anon, "/v1/matches/"+over.ID+"/replay").want(200, "").body
		if _, err := replay.Verify(bytes.NewReader(record), func(string) (game.Engine, bool) { return game.Wrap(masks{}), true }); err != nil {
			t.Errorf("the record: %v", err)
		}
		same(t, "the match that had begun", w.goOn(begun, 100).ID, begun.ID)
		same(t, "the match that had begun", w.matchOf(begun.ID).Status, tournament.MatchDone)
		line := w.audited()[1] // after it the name was taken again
		same(t, "the audit line", line.Operation, "DELETE /v1/me")
		same(t, "its subject", line.SubjectID, me.ID)
	})
}

func TestWhoMayNotDeleteTheirAccountLosesNothing(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		name := w.users[owner].Name
		for _, wrong := range []string{"", "somebody-else", strings.ToUpper(name), name + " ", name + "\x00"} {
			w.leave(owner, wrong).want(422, "invalid").place("/name")
		}
		w.do(owner, "DELETE", "/v1/me", nil).want(415, "")
		w.token(owner, "bound", tournament.Token{Scopes: tournament.AllScopes(), BotID: b.ID})
		w.leave("bound", name).want(403, "scope_missing")
		w.leave(admin, w.users[admin].Name).want(409, "wrong_state")
		cup := w.cup(func(*tournament.Tournament) {})
		series := (scene{w: w}).series(false)
		said := into[wire.Problem](w.leave(organiser, w.users[organiser].Name).want(409, "wrong_state")).Detail
		holds(t, "names "+cup.Name+": "+said, strings.Contains(said, cup.Name))
		for _, who := range []string{owner, admin, organiser} {
			me := into[wire.User](w.get(who, "/v1/me").want(200, ""))
			same(t, who, me.Name, w.users[who].Name)
		}
		same(t, "the bot", into[wire.BotDetail](w.get(owner, "/v1/bots/"+b.ID).want(200, "")).Bot.Status, string(tournament.BotActive))
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/cancel", nil).want(200, "")
		must.OK(t, w.store.SaveRole(t.Context(), w.users[organiser].ID, tournament.RoleOwner)) // who has lost the role is told who can
		w.do(organiser, "POST", series+"/cancel", nil).want(403, "role_too_low")
		said = into[wire.Problem](w.leave(organiser, w.users[organiser].Name).want(409, "wrong_state")).Detail
		must.Say(t, said, "ask an administrator to cancel", "not", cup.Name)
		w.do(admin, "POST", series+"/cancel", nil).want(200, "")
		w.leave(organiser, w.users[organiser].Name).want(204, "")
	})
}
