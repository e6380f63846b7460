package api_test

import (
	"bytes"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// consent lets anybody challenge a bot.
func (w *world) consent(botID string) {
	w.t.Helper()
	_, err := w.director.TakeChallenges(w.t.Context(), botID, true)
	must.OK(w.t, err)
}

// matchOf is a match as the store has it.
func (w *world) matchOf(id string) tournament.Match {
	w.t.Helper()
	m, err := w.store.Match(w.t.Context(), id)
	must.OK(w.t, err)
	return m
}

func TestAChallengeIsAnUnratedMatchOfConsentingBots(t *testing.T) {
	onBoth(t, func(w *world) {
		mine, house := w.bot(owner), w.bot(organiser)
		ask := func(who string, bots ...string) answer {
			return w.do(who, http.MethodPost, "/v1/challenges", map[string]any{"game": "masks", "config": map[string]any{"rounds": 2}, "bots": bots})
		}
		ask(owner, mine.ID, house.ID).want(403, "not_yours")
		w.do(organiser, "PATCH", "/v1/bots/"+house.ID, map[string]any{"takes_challenges": true}).want(200, "").has("takes_challenges", true)
		w.get(anon, "/v1/bots/"+house.ID).want(200, "").has("bot/takes_challenges", true)
		got := ask(owner, mine.ID, house.ID).want(201, "")
		got.has("rated", false, "tournament_id", nil, "ladder", nil, "status", "queued", "config", map[string]any{"rounds": 2}, "seats/#", 2)
		m := into[wire.Match](got)
		same(t, `got.header.Get("Location")`, got.header.Get("Location"), "/v1/matches/"+m.ID)
		w.play(w.matchOf(m.ID), 100)
		done := w.get(anon, "/v1/matches/"+m.ID).want(200, "")
		done.has("match/status", "done", "match/outcome", some{}, "match/seats/0/bot_id", mine.ID, "match/seats/1/bot_id", house.ID)
		if l, err := w.store.Ladder(t.Context(), "masks"); err == nil && l.LastSeq != 0 {
			t.Errorf("the ladder has %d places, want none for challenges", l.LastSeq)
		}
		ask(owner, mine.ID, mine.ID).want(422, "invalid").place("/bots/1")
		theirs := w.bot(other)
		for _, of := range []struct {
			who, bot string
			most     int
		}{{owner, mine.ID, tournament.MaxByOne}, {other, theirs.ID, tournament.MaxChallenges - tournament.MaxByOne}} {
			for range of.most {
				ask(of.who, of.bot, house.ID).want(201, "")
			}
			ask(of.who, of.bot, house.ID).want(409, "limit_reached")
		}
		ask(owner, mine.ID).want(422, "invalid").place("/bots")
		ask(owner, mine.ID, "x").want(422, "invalid").place("/bots/1")
		for pointer, body := range map[string]map[string]any{
			"/game":                    {"game": "chess", "bots": []string{mine.ID, house.ID}},
			"/config/x":                {"game": "masks", "config": map[string]any{"x": 1}, "bots": []string{mine.ID, house.ID}},
			"/clock/limit_ms":          {"game": "masks", "clock": map[string]any{"limit_ms": 1, "bank_ms": 0, "increment_ms": 0, "network_allowance_ms": 0}, "bots": []string{mine.ID, house.ID}},
			"/fault_limits/max_faults": {"game": "masks", "fault_limits": map[string]any{"max_faults_in_row": 1, "max_faults": 0}, "bots": []string{mine.ID, house.ID}},
		} {
			w.do(owner, http.MethodPost, "/v1/challenges", body).want(422, "invalid").place(pointer)
		}
	})
}

func TestAChallengeHasAModestClockAndAllThatIsTooMuchIsTold(t *testing.T) {
	onOne(t, func(w *world) {
		mine, house := w.bot(owner), w.bot(organiser)
		w.consent(house.ID)
		body := map[string]any{
			"game": "masks", "config": map[string]any{"rounds": 2}, "bots": []string{mine.ID, house.ID},
			"clock":        map[string]any{"limit_ms": 60_000, "bank_ms": 600_000, "increment_ms": 60_000, "network_allowance_ms": 150},
			"fault_limits": map[string]any{"max_faults_in_row": 3, "max_faults": 1000},
		}
		refused := w.do(owner, http.MethodPost, "/v1/challenges", body).want(422, "invalid")
		same(t, "refused", pointers(refused), "/clock/bank_ms /clock/increment_ms /clock/limit_ms /fault_limits/max_faults")
		body["clock"] = map[string]any{"limit_ms": 10_000, "bank_ms": 60_000, "increment_ms": 5_000, "network_allowance_ms": 1_000}
		body["fault_limits"] = map[string]any{"max_faults_in_row": 20, "max_faults": 20}
		w.do(owner, http.MethodPost, "/v1/challenges", body).want(201, "")

		_, list := w.played(func(x *tournament.Tournament) { x.Clock.Limit, x.Limits.Total = time.Minute, 1000 }, owner, other)
		for _, seat := range list[0].Seats {
			w.consent(seat.BotID)
		}
		m := w.matchOf(into[wire.Match](w.do(owner, "POST", "/v1/matches/"+list[0].ID+"/rematch", nil).want(201, "")).ID)
		if m.Clock.Limit != 10*time.Second || m.Clock.Bank != tournament.DefaultClock().Bank || m.Limits.Total != 20 {
			t.Errorf("the rematch has %+v, %+v; want what is too much lowered, and nothing else", m.Clock, m.Limits)
		}
	})
}

func TestARematchIsTheSameTableOneSeatFurtherOnANewSeed(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		path := "/v1/matches/" + list[0].ID + "/rematch"
		w.do(owner, "POST", path, nil).want(409, "wrong_state")
		for _, m := range list {
			w.play(m, 100)
		}
		w.do(owner, "POST", path, nil).want(403, "not_yours") // the other bot takes no challenges
		for _, seat := range list[0].Seats {
			w.consent(seat.BotID)
		}
		got := into[wire.Match](w.do(owner, "POST", path, nil).want(201, ""))
		before, after := w.matchOf(list[0].ID), w.matchOf(got.ID)
		// the same match, unrated, on a new seed
		same(t, "after.Rated", after.Rated, false)
		same(t, "after.TournamentID", after.TournamentID, "")
		holds(t, "after.Seed != before.Seed", after.Seed != before.Seed)
		holds(t, "after.Nonce != before.Nonce", after.Nonce != before.Nonce)
		same(t, "after.Config", string(after.Config), string(before.Config))
		same(t, "after.Clock", after.Clock, before.Clock)
		bots := func(m tournament.Match) (out []string) {
			for _, seat := range m.Seats {
				out = append(out, seat.BotID)
			}
			return out
		}
		if b, a := bots(before), bots(after); !slices.Equal(a, append(b[len(b)-1:], b[:len(b)-1]...)) {
			t.Errorf("the bots sit as %v after %v, want everybody one seat further", a, b)
		}
		w.play(after, 100)
		w.do(rival, "POST", "/v1/matches/"+got.ID+"/rematch", nil).want(403, "not_yours")
		w.do(organiser, "POST", "/v1/matches/"+got.ID+"/rematch", nil).want(403, "not_yours") // it is of no tournament
		w.do(other, "POST", "/v1/matches/"+got.ID+"/rematch", nil).want(201, "")
	})
}

// The list says of a bot that it takes challenges while one would be taken.
func TestABotThatIsRetiredTakesNoChallenges(t *testing.T) {
	onOne(t, func(w *world) {
		w.consent(w.bot(owner).ID)
		old := w.bot(owner)
		w.consent(old.ID)
		w.do(owner, "DELETE", "/v1/bots/"+old.ID, nil).want(204, "")
		if page := w.visits("", "/bots", nil).want(200, "").body; bytes.Count(page, []byte("takes challenges")) != 1 {
			t.Errorf("want one bot that takes challenges: %s", page)
		}
	})
}
