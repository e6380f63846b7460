package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

func TestEntriesPerOwnerAndMatchesBetweenThem(t *testing.T) {
	onOne(t, func(w *world) {
		// A match of a rated tournament in which two bots of one owner sit says that it is not rated, and its page why; an
		// administrator sees who gains from whom in the others.
		cup, list := w.started(func(x *tournament.Tournament) {
			x.Game, x.Config, x.OwnerEntries = "toy", []byte(`{"steps":1}`), 2
		}, owner, owner, other)
		if len(list) != 3 {
			t.Fatalf("%d matches, want 3", len(list))
		}
		var ladder string
		for _, m := range list {
			dto := into[wire.MatchDetail](w.get(anon, "/v1/matches/"+m.ID).want(200, "")).Match
			one := m.Seats[0].OwnerID == m.Seats[1].OwnerID
			if dto.Rated == one || (dto.LadderID == "") != one {
				t.Errorf("match of owners %s and %s: rated %v, ladder %q", m.Seats[0].OwnerID, m.Seats[1].OwnerID, dto.Rated, dto.LadderID)
			}
			if page := string(w.get(anon, "/matches/"+m.ID).want(200, "").body); strings.Contains(page, "no: two of the bots belong to one owner") != one {
				t.Errorf("match of owners %s and %s: the page says otherwise", m.Seats[0].OwnerID, m.Seats[1].OwnerID)
			}
			if !one {
				ladder = dto.LadderID
			}
			w.play(m, 100)
		}
		partners := w.get(admin, "/v1/admin/ladders/"+ladder+"/partners").want(200, "")
		partners.has("ladder", ladder, "pairs", 2, "worst/#", 2) // the two matches that are rated, from both sides
		a, b := into[wire.Partners](partners).Worst[0], into[wire.Partners](partners).Worst[1]
		partners.has("worst/0/owner", some{}, "worst/0/owner", b.Partner, "worst/0/owner_id", b.PartnerID, "worst/0/matches", 2, "worst/1/matches", 2)
		same(t, "a.Score+b.Score", a.Score+b.Score, 1)
		w.get(anon, "/v1/tournaments/"+cup.ID).want(200, "").has("entries_per_owner", 2)

		// The bound on an owner's entries is 1 where rated unless the organiser says otherwise, and none elsewhere; a schedule keeps
		// what it was told.
		for _, row := range []struct {
			rated    bool
			is, want int
		}{{true, 0, 1}, {true, 3, 3}, {false, 0, 4}, {false, 1, 1}} {
			body := goodCup(w)
			body["game"], body["rated"] = "toy", row.rated
			if row.is > 0 {
				body["entries_per_owner"] = row.is
			}
			cup := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", body).want(201, ""))
			if cup.PerOwner != row.want {
				t.Errorf("%+v: got %d", row, cup.PerOwner)
			}
			for range row.want {
				w.do(owner, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": w.bot(owner).ID}).want(201, "")
			}
			if row.want < 4 {
				w.do(owner, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": w.bot(owner).ID}).want(409, "limit_reached")
			}
		}
		body := goodCup(w)
		delete(body, "opens_at")
		delete(body, "closes_at")
		body["game"], body["entries_per_owner"], body["opens_before_ms"], body["closes_before_ms"], body["starts_at"] = "toy", 2, 3_600_000, 0, w.clk.Now().Add(48*time.Hour)
		made := into[wire.Schedule](w.do(organiser, "POST", "/v1/schedules", body).want(201, ""))
		same(t, "the schedule has entries_per_owner", made.PerOwner, 2)
		now := into[wire.Schedule](w.do(organiser, "PATCH", "/v1/schedules/"+made.ID, map[string]any{"entries_per_owner": 3}).want(200, ""))
		same(t, "changed to 3, entries_per_owner", now.PerOwner, 3)
	})
}
