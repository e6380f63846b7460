package api_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// secrets are all texts that must not leave before a match and those on its seed are over.
func (w *world) secrets(m tournament.Match) map[string]string {
	w.t.Helper()
	m = w.matchOf(m.ID)
	steps, err := w.store.Decisions(w.t.Context(), m.ID)
	must.OK(w.t, err)
	out := map[string]string{"seed": m.Seed.String(), "nonce": hex.EncodeToString(m.Nonce[:])}
	if m.Hash != "" {
		out["chain"] = m.Hash
	}
	table, err := rerun(runner.SpecOf(m, game.Wrap(masks{}), steps))
	must.OK(w.t, err)
	state := table.Hash()
	out["state"] = hex.EncodeToString(state[:])
	for _, s := range steps {
		out[fmt.Sprintf("hash %d", s.Step)] = hex.EncodeToString(s.Hash[:])
	}
	for i := range m.Seats {
		var v masksView
		must.OK(w.t, json.Unmarshal(table.View(game.Seat(i)), &v))
		out[fmt.Sprintf("mask %d", i)] = v.Mask
	}
	return out
}

// crawl asks every GET route about a match as everybody and returns all that was said.
func (w *world) crawl(t tournament.Tournament, m tournament.Match) map[string]string {
	w.t.Helper()
	out := map[string]string{}
	hook := w.hooked(owner)
	l := w.onceLive()
	for _, r := range w.api.Routes() {
		path, get := strings.CutPrefix(r, "GET ")
		if !get {
			continue
		}
		path = fill(path, m, map[string]string{"tournaments": t.ID, "webhooks": hook.ID})
		if strings.HasSuffix(path, "/decisions") || strings.Contains(path, "/matches/") {
			for seat := range m.Seats {
				for _, who := range people() {
					at := fmt.Sprintf("%s?seat=%d", path, seat)
					out[who+" "+at] = string(w.get(who, at).body)
				}
			}
		}
		for _, who := range people() {
			a := w.get(who, path)
			head, _ := json.Marshal(a.header)
			out[who+" "+path] = string(head) + string(a.body)
			if strings.HasPrefix(path, "/v1/") && strings.HasSuffix(path, "/events") {
				out["stream of "+who+" "+path] = l.all(who, path, a)
			}
		}
	}
	return out
}

// fill puts what a match is about into the path of a route; ids are those of other things, by the first word (of an
// administrator's route the second).
func fill(path string, m tournament.Match, ids map[string]string) string {
	if path == "/oembed" {
		return path + "?url=http%3A%2F%2Fexample.com%2Fmatches%2F" + m.ID
	}
	first := strings.Split(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(path, "/v1"), "/admin"), "/embed"), "/")[1]
	id, known := map[string]string{"matches": m.ID, "bots": m.Seats[0].BotID, "users": m.Seats[0].OwnerID, "ladders": m.Game}[first]
	if !known {
		id = ids[first]
	}
	name := "turn"
	switch first {
	case "assets":
		name = ids[first]
	case "games":
		name = "view"
	case "guides":
		name = "start"
	}
	return strings.NewReplacer(":bot_id", m.Seats[0].BotID, ":game", m.Game, ":name", name, ":delivery_id", id, ":id", id).Replace(path)
}

// hooked is a webhook of a person's that every event so far was sent to.
func (w *world) hooked(who string) tournament.Webhook {
	w.t.Helper()
	list, _, err := w.store.Webhooks(w.t.Context(), w.users[who].ID, store.Page{})
	if err == nil && len(list) == 0 {
		var hook tournament.Webhook
		hook, err = w.store.CreateWebhook(w.t.Context(), tournament.Webhook{UserID: w.users[who].ID, URL: "https://hook.example"}, 1)
		list = append(list, hook)
	}
	must.OK(w.t, err)
	return list[0]
}

// onceLive is this world on loopback.
func (w *world) onceLive() *live {
	if w.live == nil {
		w.live = w.goLive(w.api)
	}
	return w.live
}

// all is what a stream says until it has said as much as the page of the same path.
func (l *live) all(who, path string, a answer) string {
	l.t.Helper()
	s := l.watch(who, path, "0")
	defer s.close()
	if s.answer.StatusCode != a.status {
		l.t.Errorf("%s as a stream: got %d, want %d as without", a.what, s.answer.StatusCode, a.status)
	}
	said := fmt.Sprint(s.answer.Header)
	if a.status != 200 {
		body, _ := io.ReadAll(s.answer.Body)
		return said + string(body)
	}
	for _, m := range s.take(0, len(into[struct{ Data []any }](a).Data)) {
		said += fmt.Sprint(m)
	}
	return said
}

// tight says that none of the secrets is in what was said, nor in the log, nor in the metrics.
func (w *world) tight(said map[string]string, secrets map[string]string) {
	w.t.Helper()
	said["the log"] = w.log.String()
	families, err := w.reg.Gather()
	must.OK(w.t, err)
	said["the metrics"] = fmt.Sprint(families)
	for where, text := range said {
		for what, secret := range secrets {
			if strings.Contains(text, secret) {
				w.t.Errorf("%s: shows the %s %s", where, what, secret)
			}
		}
	}
}

func TestNothingHiddenLeavesWhileAMatchRuns(t *testing.T) {
	onOne(t, func(w *world) {
		w.hooked(owner)
		cup, list := w.started(func(c *tournament.Tournament) { c.Table = 3 }, owner, other, rival)
		for _, steps := range []int{0, 2} { // before the first decision, and in the middle
			if steps == 0 {
				w.play(list[0], steps)
			} else {
				list[0] = w.goOn(list[0], steps)
			}
			w.tight(w.crawl(cup, list[0]), w.secrets(list[0]))
			got := w.get(owner, "/v1/matches/"+list[0].ID).want(200, "")
			got.has("step", steps, "view", map[string]any{"round": steps}, "due", []int{0, 1, 2}) // the spectator's view
			for i := range list[0].Seats {                                                        // an alias alone: the game has hidden teams
				seat := fmt.Sprint("match/seats/", i)
				got.has(seat+"/bot", nil, seat+"/bot_id", nil, seat+"/version_id", nil, seat+"/alias", some{})
			}
			events := into[wire.MatchEvents](w.get(anon, "/v1/matches/"+list[0].ID+"/events").want(200, ""))
			if len(events.Data) != 1+3*steps || events.Over {
				t.Errorf("after %d steps: got %+v, want the deal and three nods a step", steps, events)
			}
		}
	})
}

func TestNothingLeavesWhileAnotherMatchOnTheSeedIsNotOver(t *testing.T) {
	onOne(t, func(w *world) {
		hook := w.hooked(owner)
		cup, list := w.started(func(c *tournament.Tournament) { c.Game, c.Duplicate = "openmasks", true }, owner, other)
		if len(list) != 2 || list[0].Seed != list[1].Seed || list[0].Commitment() == list[1].Commitment() {
			t.Fatalf("got %d matches, want two on one seed with commitments that do not betray it", len(list))
		}
		w.play(list[0], 100)
		w.play(list[1], 1)
		for _, m := range list {
			secrets := w.secrets(m)
			w.tight(w.crawl(cup, m), secrets)
			got := w.get(organiser, "/v1/matches/"+m.ID).want(200, "") // nothing but the status and why
			got.has("view", nil, "match/outcome", nil, "match/seats/0/bot", nil, "match/sealed", some{})
			w.get(admin, "/v1/matches/"+m.ID+"/events").want(409, "wrong_state")
			w.get(admin, "/v1/matches/"+m.ID+"/replay").want(409, "wrong_state")
		}
		deliveries := w.get(owner, "/v1/webhooks/"+hook.ID+"/deliveries").want(200, "")
		deliveries.has("data/#", 2, "data/0/event", "match.finished") // else the crawl saw no delivery
		page := "/bots/" + list[0].Seats[0].BotID
		must.Say(t, string(w.get(anon, page).want(200, "").body), "not", list[0].ID)
		history := "/v1/bots/" + list[0].Seats[0].BotID + "/rating-history"
		w.get(owner, history).want(200, "").has("data/#", 0) // a block is rated whole or not at all
		w.get(owner, "/v1"+page+"/matches").want(200, "").has("data/#", 0)
		counted := func(n int) { // in the standings, and on the page
			t.Helper()
			w.get(organiser, "/v1/tournaments/"+cup.ID+"/standings").want(200, "").has("data/#", 2, "data/0/played", n, "data/1/played", n, "data/0/faults", n/2, "data/1/faults", n/2)
			must.Say(t, string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body), fmt.Sprintf(`<td class="n">%d</td><td class="n">0</td><td class="n">0</td>`, n))
		}
		must.OK(t, w.store.SQL(t.Context()).Exec("UPDATE match_seats SET faults = 1 WHERE match_id = ?", list[0].ID).Error)
		counted(0)

		w.goOn(list[1], 100)
		counted(2)
		for _, m := range list {
			got := w.get(anon, "/v1/matches/"+m.ID).want(200, "")
			got.has("match/sealed", nil, "match/outcome/seed", m.Seed.String(), "match/outcome/nonce", hex.EncodeToString(m.Nonce[:]))
			got.has("match/seats/0/bot_id", m.Seats[0].BotID, "match/outcome/result/team/1", "odd")
			said := string(w.get(anon, "/v1/matches/"+m.ID+"/events").want(200, "").body)
			must.Say(t, said, w.secrets(m)["mask 0"])
		}
		w.get(owner, history).want(200, "").has("data/#", 2, "data/1/match_id", list[0].ID)
		must.Say(t, string(w.get(anon, page).want(200, "").body), list[0].ID, list[1].ID)
		w.get(owner, "/v1"+page+"/matches").want(200, "").has("data/#", 2)
	})
}

// In a bracket two matches on one seed decide a tie that is even, without duplicate too.
func TestTheTwoMatchesOfAnEvenTieAreSealed(t *testing.T) {
	onOne(t, func(w *world) {
		for _, format := range []tournament.Format{tournament.SingleElimination, tournament.DoubleElimination, tournament.Swiss} {
			cup, list := w.started(func(c *tournament.Tournament) {
				c.Game, c.Config, c.Format = "toy", json.RawMessage(`{"steps":3}`), format
				if format == tournament.Swiss {
					c.Options.Rounds, c.Options.Playoff, c.Options.Finalists = 1, tournament.SingleElimination, 2
				}
			}, owner, other)
			for len(list) == 1 { // games of toy are drawn
				w.play(list[0], 100)
				var err error
				list, _, err = w.store.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}, store.Page{})
				must.OK(t, err)
			}
			if len(list) != 2 || list[0].Seed != list[1].Seed {
				t.Fatalf("%s: got %d matches, want two on one seed", format, len(list))
			}
			w.play(list[0], 100)
			w.play(list[1], 1)
			for _, m := range list {
				w.get(organiser, "/v1/matches/"+m.ID).want(200, "").has("match/outcome", nil, "match/sealed", some{})
				w.get(organiser, "/v1/matches/"+m.ID+"/view").want(409, "wrong_state")
				w.get(organiser, "/v1/matches/"+m.ID+"/replay").want(409, "wrong_state")
			}
			events := string(w.get(anon, "/v1/tournaments/"+cup.ID+"/events?after=0").want(200, "").body)
			same(t, "ends that are told without their result", strings.Count(events, `"match.finished"`)-strings.Count(events, `"result"`), 1)
			w.goOn(list[1], 100)
			w.get(organiser, "/v1/matches/"+list[0].ID).want(200, "").has("match/outcome/seed", list[0].Seed.String(), "match/sealed", nil)
		}
	})
}

// Whatever has a table dealt again before it has begun: the void match has the bots that sit there now, many in the same seats.
func TestAVoidMatchDoesNotNameWhoIsDealtAgain(t *testing.T) {
	onOne(t, func(w *world) {
		ctx := t.Context()
		var spare tournament.Bot
		for how, change := range map[string]func(cup tournament.Tournament, list []tournament.Match) error{
			"a substitute": func(cup tournament.Tournament, list []tournament.Match) error {
				_, err := w.director.Substitute(ctx, cup.ID, list[0].Seats[0].BotID, spare.ID)
				return err
			},
			"a bot that withdraws": func(cup tournament.Tournament, list []tournament.Match) error {
				_, err := w.director.Withdraw(ctx, cup.ID, list[0].Seats[0].BotID, list[0].Seats[0].OwnerID)
				return err
			},
			"a pairing by hand": func(cup tournament.Tournament, list []tournament.Match) error {
				in := director.Rearrangement{ByID: cup.OrganiserID, Reason: "by hand"}
				for _, m := range list {
					in.Tables = append(in.Tables, []string{m.Seats[0].BotID, m.Seats[1].BotID, m.Seats[2].BotID})
				}
				in.Tables[0][0], in.Tables[1][0] = in.Tables[1][0], in.Tables[0][0]
				return w.director.Rearrange(ctx, cup.ID, 1, in)
			},
			"a substitute of a bot whose match was void": func(cup tournament.Tournament, list []tournament.Match) error {
				w.play(list[0], 1)
				must.OK(t, w.director.Void(ctx, w.matchOf(list[0].ID), "the worker", nil))
				_, err := w.director.Substitute(ctx, cup.ID, list[0].Seats[0].BotID, spare.ID)
				return err
			},
		} {
			spare = w.bot(organiser)
			cup := w.cup(func(c *tournament.Tournament) {
				c.Format, c.Table, c.Rated, c.Options = tournament.Swiss, 3, false, tournament.FormatOptions{Rounds: 2, MinTable: 2}
			})
			cup, list := w.begin(cup, w.bot(owner), w.bot(owner), w.bot(other), w.bot(other), w.bot(rival), w.bot(rival))
			must.OK(t, change(cup, list))
			voids := w.matchesOf(cup, tournament.MatchVoid)
			if len(voids) == 0 {
				t.Fatalf("%s: no match is void", how)
			}
			for _, m := range voids {
				stays := m.Seats[1]
				got := w.get(organiser, "/v1/matches/"+m.ID).want(200, "").has("match/seats/1/bot", nil, "match/outcome", nil, "match/sealed", some{})
				must.Say(t, string(got.body), "not", stays.BotID, fmt.Sprintf(`\"%s\"`, spare.Name))
				for _, path := range []string{"/v1/matches?bot=" + stays.BotID, "/matches?bot=" + stays.BotName} {
					must.Say(t, w.listOf(anon, path), "not", m.ID)
				}
				for _, path := range []string{"/matches/" + m.ID, "/matches?status=void", "/v1/matches?tournament=" + cup.ID, "/v1/tournaments/" + cup.ID + "/export?table=matches&format=csv"} {
					must.Say(t, w.listOf(anon, path), "not", stays.BotID)
				}
			}
			for _, m := range w.matchesOf(cup, tournament.MatchQueued) {
				w.play(m, 100)
			}
			for _, m := range voids { // the next round is made, and tells nobody's seat
				w.get(anon, "/v1/matches/"+m.ID).want(200, "").has("match/seats/1/bot", m.Seats[1].BotName, "match/sealed", nil)
				must.Say(t, w.listOf(anon, "/v1/matches?bot="+m.Seats[1].BotID), m.ID)
				must.Say(t, w.listOf(anon, "/matches/"+m.ID), m.Seats[1].BotID)
			}
		}
	})
}

// matchesOf returns the matches of a tournament that have a status, in order.
func (w *world) matchesOf(t tournament.Tournament, status tournament.MatchStatus) []tournament.Match {
	w.t.Helper()
	list, _, err := w.store.Matches(w.t.Context(), store.MatchFilter{TournamentID: t.ID, Status: status}, store.Page{Sort: store.Oldest})
	must.OK(w.t, err)
	return list
}

func TestAQueuedMatchShowsOnlyThatItWaitsAndAnOpenGameItsBotsAtOnce(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(c *tournament.Tournament) { c.Game, c.Config = "toy", json.RawMessage(`{"steps":5}`) }, owner, other)
		w.play(list[0], 1)
		got := w.get(anon, "/v1/matches/"+list[0].ID).want(200, "")
		got.has("match/seats/0/bot_id", list[0].Seats[0].BotID, "match/sealed", nil, "match/outcome", nil)

		_, list = w.started(func(*tournament.Tournament) {}, owner, other)
		w.get(anon, "/v1/matches/"+list[0].ID).want(200, "").has("view", nil, "match/status", "queued", "match/commitment", some{})
		w.get(anon, "/v1/matches/"+list[0].ID+"/events").want(200, "").has("data/#", 0, "over", false)
		w.get(anon, "/v1/matches/"+list[0].ID+"/replay").want(409, "wrong_state")
	})
}

// rerun plays the recorded steps of a match and returns the table as it stands.
func rerun(s runner.Spec) (game.Table, error) {
	p, err := s.Deal()
	if err != nil {
		return nil, err
	}
	for _, step := range s.Recorded {
		if err := step.Again(p); err != nil {
			return nil, err
		}
	}
	return p.Table(), nil
}
