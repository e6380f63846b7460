package api_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestFromRegistrationToTheLadder(t *testing.T) {
	onBoth(t, func(w *world) {
		for _, who := range []string{"ada", "bob"} {
			made := into[wire.UserCreated](w.do(anon, "POST", "/v1/users", map[string]any{"name": who}).want(201, ""))
			w.tokens[who] = made.Token.Token
		}
		cup := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", goodCup(w)).want(201, ""))
		bots := map[string]wire.BotCreated{}
		for _, who := range []string{"ada", "bob"} {
			got := w.do(who, "POST", "/v1/bots", map[string]any{"name": who + "-bot", "url": "https://" + who + ".example/"}).want(201, "")
			bots[who] = into[wire.BotCreated](got)
			if at := got.header.Get("Location"); at != "/v1/bots/"+bots[who].Bot.ID || !strings.HasPrefix(bots[who].Secret, "whsec_") {
				t.Errorf("got Location %q and %+v, want the bot's place and its secret", at, bots[who])
			}
			w.do(who, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": bots[who].Bot.ID}).want(201, "")
		}
		w.do("ada", "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": bots["ada"].Bot.ID}).want(409, "name_taken")
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/start", nil).want(200, "").has("status", "running", "started_at", some{})
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/start", nil).want(409, "wrong_state")
		matches := into[wire.Page[wire.Match]](w.get(anon, "/v1/tournaments/"+cup.ID+"/matches").want(200, "")).Data
		if len(matches) != 2 {
			t.Fatalf("got %d matches, want a block of two", len(matches))
		}
		for _, row := range matches {
			w.play(w.matchOf(row.ID), 100)
		}
		w.get(anon, "/v1/tournaments/"+cup.ID).want(200, "").has("status", "finished", "ended_at", some{})
		w.do("ada", "DELETE", "/v1/tournaments/"+cup.ID+"/entries/"+bots["ada"].Bot.ID, nil).want(409, "wrong_state")
		table := into[wire.Page[tournament.Standing]](w.get(anon, "/v1/tournaments/"+cup.ID+"/standings").want(200, "")).Data
		if len(table) != 2 || table[0].Played != 2 || table[0].Wins+table[1].Wins != 2 {
			t.Errorf("got %+v, want two bots with two matches each", table)
		}
		rows := w.get(anon, "/v1/ladders/masks/entries").want(200, "")
		rows.has("data/#", 2, "data/0/provisional", true, "data/0/matches", 2, "data/0/rating", some{}, "data/0/owner", some{})
		for _, page := range []string{"/", "/games", "/ladders"} {
			if body := string(w.get(anon, page).want(200, "").body); !strings.Contains(body, "Nobody is ranked yet; ") || strings.Contains(body, "</a> leads ") {
				t.Errorf("%s says who leads a ladder of provisional ratings", page)
			}
		}
		w.get(anon, "/v1/ladders/masks").want(200, "").has("matches_scheduled", 2, "matches_rated", 2)
		changes := into[wire.Page[wire.RatingChange]](w.get(anon, "/v1/bots/"+bots["ada"].Bot.ID+"/rating-history").want(200, "")).Data
		if len(changes) != 2 || changes[0].Seq < changes[1].Seq || changes[1].Before != 1500 {
			t.Errorf("got %+v, want two changes, the newest first, from 1500", changes)
		}
	})
}

func TestTheRecordCanBeVerifiedByAnybody(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		got := w.get(anon, "/v1/matches/"+list[0].ID+"/replay").want(200, "")
		same(t, "Cache-Control", got.header.Get("Cache-Control"), "public, max-age=31536000, immutable")
		rec, err := replay.Verify(bytes.NewReader(got.body), func(string) (game.Engine, bool) { return game.Wrap(masks{}), true })
		must.OK(t, err)
		m := into[wire.MatchDetail](w.get(anon, "/v1/matches/"+list[0].ID).want(200, "")).Match
		same(t, "rec.Header.Match", rec.Header.Match, m.ID)
		same(t, "rec.Header.Commitment", rec.Header.Commitment, m.Commitment)
		same(t, "rec.Seed.String()", rec.Seed.String(), m.Outcome.Seed)
		same(t, "rec.Header.Engine", rec.Header.Engine, "molerun test")
		holds(t, `rec.Steps[len(rec.Steps)-1].Hash != ""`, rec.Steps[len(rec.Steps)-1].Hash != "")

		_, list = w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		all := into[wire.MatchEvents](w.get(anon, "/v1/matches/"+list[0].ID+"/events").want(200, ""))
		if len(all.Data) != 1+2*4+2 || !all.Over || all.Last != 11 {
			t.Fatalf("got %+v, want deal, eight nods and two masks", all)
		}
		for after := range 13 {
			got := into[wire.MatchEvents](w.get(anon, fmt.Sprintf("/v1/matches/%s/events?after=%d", list[0].ID, after)).want(200, ""))
			if want := max(0, 11-after); len(got.Data) != want || !got.Over || want > 0 && got.Data[0].Index != after+1 {
				t.Errorf("after %d: got %+v, want %d more", after, got, want)
			}
		}

		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 2)
		cancelled := w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/cancel", map[string]any{"reason": "flood"}).want(200, "")
		cancelled.has("status", "cancelled", "reason", "flood")
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/cancel", map[string]any{"reason": "again"}).want(409, "wrong_state")
		void := w.get(anon, "/v1/matches/"+list[0].ID).want(200, "")
		void.has("match/status", "void", "match/outcome", some{}, "match/outcome/result", nil, "match/reason", some{})
		w.get(anon, "/v1/matches/"+list[0].ID+"/replay").want(409, "wrong_state")
		w.do(owner, "POST", "/v1/matches/"+list[0].ID+"/review", nil).want(409, "wrong_state")
		w.do(organiser, "POST", "/v1/tournaments/"+cup.ID+"/cancel", map[string]any{"reason": ""}).want(422, "invalid").place("/reason")
	})
}

func TestOwnersReadTheirDecisions(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		seat := slices.IndexFunc(list[0].Seats, func(s tournament.MatchSeat) bool { return s.OwnerID == w.users[owner].ID })
		path := fmt.Sprintf("/v1/matches/%s/decisions?seat=%d", list[0].ID, seat)
		w.get(owner, path).want(409, "wrong_state")
		w.play(list[0], 100)
		got, pages := walk(w, owner, path+"&limit=3", func(d wire.Decision) string { return d.Decision + " " + d.Debug })
		if len(got) != 4 || pages != 2 || !strings.HasSuffix(got[0], fmt.Sprintf("seat %d saw step 0", seat)) {
			t.Errorf("got %v on %d pages, want four decisions with their notes on two", got, pages)
		}
		first := w.get(owner, path).want(200, "")
		first.has("data/0/step", 1, "data/0/by", "bot", "data/0/action/nod", true, "data/0/clock/elapsed_us", some{}, "data/0/memo", "m")
		w.get(owner, fmt.Sprintf("/v1/matches/%s/decisions?seat=%d", list[0].ID, 1-seat)).want(403, "not_yours")
		w.get(admin, path).want(200, "")
	})
}

// refusal returns what a bot did wrong, as a call of it reports it.
func refusal(reason string) error { return fmt.Errorf("%w: %s", tournament.ErrBot, reason) }

func TestACheckThatFailsByUsLeavesTheBotAsItIs(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		path := "/v1/bots/" + b.ID
		well := w.greet
		for name, ours := range map[string]error{
			"a want of ours": errors.New("the platform could not ask: it ran out of a resource of its system"), "our patience": context.DeadlineExceeded,
		} {
			w.greet = func(string) (protocolHello, error) { return protocolHello{}, ours }
			for _, how := range []string{"/check", "/resume"} {
				w.do(owner, "POST", path+how, nil).want(503, "not_ready")
			}
			w.do(owner, "POST", path+"/versions", map[string]any{"url": "https://two.example/"}).want(503, "not_ready")
			w.do(owner, "POST", "/v1/bots", map[string]any{"name": "other", "url": "https://two.example/"}).want(503, "not_ready")
			if now, err := w.store.Bot(t.Context(), b.ID); err != nil || now.Status != tournament.BotActive || now.Reason != "" {
				t.Errorf("%s: the bot is %s, %q (%v); want it active as before", name, now.Status, now.Reason, err)
			}
			w.get(owner, path+"/health").want(200, "").has("data/#", 0) // not logged as a check
		}
		w.greet = well
		w.do(owner, "POST", path+"/check", nil).want(200, "").has("ok", true)
	})
}

func TestACheckPausesAndWakesABot(t *testing.T) {
	onBoth(t, func(w *world) {
		b := w.bot(owner)
		path := "/v1/bots/" + b.ID
		well := w.greet
		w.greet = func(string) (protocolHello, error) { return protocolHello{}, refusal("refused by 192.0.2.1:443") }
		w.do(owner, "POST", path+"/check", nil).want(200, "").has("ok", false, "reason", "refused by 192.0.2.1:443", "bot/status", "paused")
		w.get(owner, path).has("private/reason", "refused by 192.0.2.1:443")
		cup := w.cup(func(*tournament.Tournament) {})
		w.do(owner, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": b.ID}).want(409, "wrong_state")
		w.greet = well
		w.do(owner, "POST", path+"/check", nil).want(200, "").has("ok", true, "reason", "", "bot/status", "active")
		w.do(owner, "POST", path+"/drop-old-secret", nil).want(409, "wrong_state")
		first := into[wire.SecretRotated](w.do(owner, "POST", path+"/rotate-secret", nil).want(200, ""))
		second := into[wire.SecretRotated](w.do(owner, "POST", path+"/rotate-secret", nil).want(200, ""))
		if first.Secrets != 2 || second.Secrets != 2 || first.Secret == second.Secret {
			t.Errorf("got %+v, then %+v, want a new one each time and two live", first, second)
		}
		v, err := w.store.Version(t.Context(), b.VersionID)
		if err != nil || !slices.Equal(v.Secrets, tournament.Secrets{second.Secret, first.Secret}) {
			t.Errorf("got %v, %v, want the two newest, the last first", v.Secrets, err)
		}
		w.do(owner, "POST", path+"/drop-old-secret", nil).want(200, "").has("secrets", 1)
		w.do(owner, "DELETE", path, nil).want(204, "")
		for _, do := range []string{"/check", "/rotate-secret"} {
			w.do(owner, "POST", path+do, nil).want(409, "wrong_state")
		}
		w.do(owner, "DELETE", path, nil).want(409, "wrong_state")
		w.get(anon, path).has("bot/status", "retired")
	})
}

func TestEntriesHaveTheirRules(t *testing.T) {
	onOne(t, func(w *world) {
		cup := w.cup(func(c *tournament.Tournament) { c.Capacity = 2 })
		path := "/v1/tournaments/" + cup.ID + "/entries"
		enter := func(who string, b tournament.Bot) answer {
			return w.do(who, "POST", path, map[string]any{"bot_id": b.ID})
		}
		w.do(owner, "POST", path, map[string]any{"bot_id": "7"}).want(422, "invalid").place("/bot_id")
		w.do(owner, "POST", path, map[string]any{"bot_id": "01890000-0000-7000-8000-000000000000"}).want(404, "not_found")
		mine := w.bot(owner)
		enter(owner, mine).want(201, "")
		enter(owner, w.bot(owner)).want(409, "limit_reached") // rated, hidden teams
		enter(other, mine).want(403, "not_yours")
		w.do(owner, "DELETE", path+"/"+mine.ID, nil).want(204, "")
		w.do(owner, "DELETE", path+"/"+mine.ID, nil).want(409, "wrong_state")
		enter(owner, mine).want(201, "")
		enter(other, w.bot(other)).want(201, "")
		enter(rival, w.bot(rival)).want(409, "full")
		w.clk.Move(2 * time.Hour)
		enter(rival, w.bot(rival)).want(409, "outside_window")
		early := w.cup(func(c *tournament.Tournament) { c.OpensAt = w.clk.Now().Add(time.Minute) })
		w.do(owner, "POST", "/v1/tournaments/"+early.ID+"/entries", map[string]any{"bot_id": mine.ID}).want(409, "outside_window")
		w.do(organiser, "POST", "/v1/tournaments/"+early.ID+"/start", nil).want(409, "wrong_state") // nobody is in
		if entries, err := w.store.Entries(t.Context(), cup.ID); err != nil || len(entries) != 2 {
			t.Errorf("got %v, %v, want two entries", entries, err)
		}
	})
}
