package api_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

// listsOf are the lists, feeds and pages that an unlisted tournament must not be on; b is a bot that plays in it.
func listsOf(b tournament.Bot) []string {
	return []string{
		"/", "/tournaments", "/matches", "/schedules", "/bots/" + b.ID, "/games/masks", "/calendar.ics", "/news.atom", "/card.png",
		"/v1/tournaments", "/v1/tournaments?game=masks", "/v1/tournaments?name=canary", "/v1/schedules", "/v1/series", "/v1/events",
		"/v1/matches", "/v1/matches?game=masks", "/v1/matches?status=done", "/v1/matches?bot=" + b.ID, "/v1/matches/export", "/v1/matches/export?bot=" + b.ID,
		"/v1/bots/" + b.ID + "/matches", "/v1/bots/" + b.ID + "/rating-history", "/v1/ladders", "/v1/ladders/masks/entries",
	}
}

// An unlisted tournament stays out of every list, at every time, and opens for whoever has its link.
func TestAnUnlistedTournamentIsOnNoList(t *testing.T) {
	onBoth(t, func(w *world) {
		cup := w.cup(func(t *tournament.Tournament) { t.Unlisted, t.Rated, t.Name = true, false, "canary-cup" })
		w.series(func(x *schedule.Schedule) {
			x.Template.Unlisted, x.Template.Rated, x.Template.Name = true, false, "canary-weekly"
		})
		listed := w.cup(func(t *tournament.Tournament) { t.Name = "seen-cup" })
		mine := w.bot(owner)
		ids := []string{cup.ID, "canary"}
		clean := func(when string) {
			t.Helper()
			for _, who := range []string{anon, other, owner, rival} {
				for _, path := range listsOf(mine) {
					got := w.listOf(who, path)
					for _, id := range ids {
						if strings.Contains(got, id) {
							t.Errorf("%s, %s sees %s on %s", when, who, id, path)
						}
					}
				}
			}
		}
		clean("announced")
		w.begin(cup, mine, w.bot(other))
		page := into[wire.Page[wire.Match]](w.get(anon, "/v1/tournaments/"+cup.ID+"/matches").want(200, ""))
		if len(page.Data) == 0 {
			t.Fatal("who has the link does not see its matches")
		}
		match := w.matchOf(page.Data[0].ID)
		ids = append(ids, match.ID)
		clean("running")
		w.play(match, 1000)
		clean("over")
		for _, path := range []string{"/v1/tournaments/" + cup.ID, "/tournaments/" + cup.ID, "/matches/" + match.ID, "/v1/matches/" + match.ID} {
			w.get(anon, path).want(200, "")
		}
		if events := w.get(anon, "/v1/tournaments/"+cup.ID+"/events").want(200, ""); !strings.Contains(string(events.body), "tournament.started") || !strings.Contains(string(events.body), `"id":1,`) {
			t.Errorf("its own stream is not whole: %s", events.body)
		}
		must.Say(t, w.listOf(anon, "/v1/tournaments"), listed.ID)
		must.Say(t, w.listOf(organiser, "/v1/tournaments?name=canary"), cup.ID)
		must.Say(t, w.browse(context.Background(), "/tournaments/"+cup.ID, nil).header.Get("X-Robots-Tag"), "noindex")
	})
}

// listOf is what a path answers somebody.
func (w *world) listOf(who, path string) string {
	w.t.Helper()
	return string(w.get(who, path).want(200, "").body)
}

func TestAnUnlistedTournamentIsNotRatedAndWhoMayReplaceABot(t *testing.T) {
	onOne(t, func(w *world) {
		body := goodCup(w)
		body["unlisted"] = true
		delete(body, "rated")
		w.do(organiser, "POST", "/v1/tournaments", body).want(201, "").has("rated", false)
		body["rated"] = true
		w.do(organiser, "POST", "/v1/tournaments", body).want(422, "invalid").at("/rated")
		cup := w.cup(func(t *tournament.Tournament) { t.Unlisted, t.Rated = true, false })
		w.do(organiser, "POST", "/v1/series", map[string]any{"name": "league", "tournaments": []string{cup.ID}}).want(422, "invalid").at("/tournaments/0")
		w.do(organiser, "PATCH", "/v1/tournaments/"+cup.ID, map[string]any{"unlisted": false}).want(200, "")
		must.Say(t, w.listOf(anon, "/v1/tournaments"), cup.ID)
		w.do(organiser, "PATCH", "/v1/tournaments/"+cup.ID, map[string]any{"unlisted": true}).want(422, "invalid").at("/unlisted")

		cup = w.cup(func(t *tournament.Tournament) { t.Rated = false })
		mine, spare, others, fill := w.bot(owner), w.bot(owner), w.bot(other), w.bot(organiser)
		_, err := w.director.Join(t.Context(), cup.ID, mine.ID, mine.OwnerID)
		must.OK(t, err)
		at := func(b tournament.Bot) string {
			return "/v1/tournaments/" + cup.ID + "/entries/" + b.ID + "/substitute"
		}
		by := func(b tournament.Bot) map[string]any { return map[string]any{"bot_id": b.ID} }
		w.do(other, "POST", at(mine), by(others)).want(403, "not_yours")
		w.do(owner, "POST", at(mine), by(others)).want(422, "invalid").at("/bot_id")
		w.do(organiser, "POST", at(mine), by(others)).want(422, "invalid").at("/bot_id") // nobody enters another's bot
		w.do(owner, "POST", at(mine), map[string]any{"bot_id": "x"}).want(422, "invalid").at("/bot_id")
		w.do(owner, "POST", at(mine), by(spare)).want(200, "")
		w.do(organiser, "POST", at(spare), by(mine)).want(200, "")
		w.do(organiser, "POST", at(mine), by(fill)).want(200, "")
	})
}

func TestAnOrganiserEditsBeforeTheStart(t *testing.T) {
	onOne(t, func(w *world) {
		cup := w.cup(func(t *tournament.Tournament) { t.CheckIn = time.Hour })
		path := "/v1/tournaments/" + cup.ID
		at := cup.StartsAt.Add(24 * time.Hour).Format(time.RFC3339)
		w.do(organiser, "PATCH", path, map[string]any{"starts_at": at, "capacity": 4, "format": "swiss", "name": "later", "description": "new"}).want(200, "")
		got := w.get(anon, path).want(200, "")
		got.has("starts_at", at, "capacity", 4, "format", "swiss", "name", "later", "description", "new", "check_in_ms", 3_600_000)
		if events := w.get(anon, path+"/events").want(200, ""); !strings.Contains(string(events.body), "its organiser has changed") || !strings.Contains(string(events.body), "starts_at") {
			t.Errorf("nobody hears of it: %s", events.body)
		}
		wrong := w.do(organiser, "PATCH", path, map[string]any{"capacity": 1, "cycles": 0, "table_size": 99, "starts_at": "2020-01-01T00:00:00Z"}).want(422, "invalid")
		for _, place := range []string{"/capacity", "/cycles", "/table_size", "/starts_at"} {
			wrong.at(place)
		}
		w.get(anon, path).want(200, "").has("capacity", 4.0)
		w.do(organiser, "PATCH", path, map[string]any{"game": "toy"}).want(400, "")
		options := map[string]any{"rounds": 3, "tie_breaks": []string{"wins"}}
		w.do(organiser, "PATCH", path, map[string]any{"format_options": options}).want(200, "")
		w.do(organiser, "PATCH", path, map[string]any{"format": "round_robin", "format_options": options}).want(422, "invalid").at("/format_options/rounds")
		kept := w.do(organiser, "PATCH", path, map[string]any{"format": "round_robin"}).want(200, "")
		if got := into[wire.Tournament](kept).Options; got == nil || got.Rounds != 0 || len(got.TieBreaks) != 1 {
			t.Errorf("a round robin keeps the options %+v of a swiss, want its tie-breaks alone", got)
		}
		code := into[wire.Tournament](w.do(organiser, "PATCH", path, map[string]any{"invite_only": true}).want(200, "")).InviteCode
		if !strings.HasPrefix(code, "mi_") {
			t.Errorf("by invitation now, with the code %q", code)
		}
		must.Say(t, string(w.do(organiser, "PATCH", path, map[string]any{"invite_only": true, "capacity": 5}).want(200, "").body), "not", "mi_")
		b := w.bot(owner)
		w.do(owner, "POST", path+"/entries", map[string]any{"bot_id": b.ID}).want(403, "invite_needed")
		renewed := into[wire.Invite](w.do(organiser, "POST", path+"/invite", nil).want(200, "")).InviteCode
		w.do(owner, "POST", path+"/entries", map[string]any{"bot_id": b.ID, "invite_code": code}).want(403, "invite_needed")
		w.do(owner, "POST", path+"/entries", map[string]any{"bot_id": b.ID, "invite_code": renewed}).want(201, "")
		for where, text := range map[string]string{"the log": w.log.String(), "the audit": fmt.Sprint(w.audited()), "the tournament": w.listOf(organiser, path)} {
			if strings.Contains(text, code) || strings.Contains(text, renewed) {
				t.Errorf("%s holds a code", where)
			}
		}
	})
}

// Everything that checks an organiser's rights is asked with a co-organiser: of the tournament itself, and of its schedule.
func TestACoOrganiserMayWhatTheOrganiserMay(t *testing.T) {
	onOne(t, func(w *world) {
		cup := w.cup(func(t *tournament.Tournament) { t.Invite, t.Rated = tournament.Invite{1}, false })
		path := "/v1/tournaments/" + cup.ID
		name := w.users[rival].Name
		w.do(rival, "PATCH", path, map[string]any{"prizes": "mug"}).want(403, "not_yours")
		w.do(rival, "PUT", path+"/organisers", map[string]any{"co_organisers": []string{name}}).want(403, "not_yours")
		got := w.do(organiser, "PUT", path+"/organisers", map[string]any{"co_organisers": []string{w.users[owner].Name, w.users[organiser].Name, "nobody"}}).want(422, "invalid")
		for i := range 3 {
			got.at(fmt.Sprintf("/co_organisers/%d", i))
		}
		w.do(organiser, "PUT", path+"/organisers", map[string]any{"co_organisers": []string{name, strings.ToUpper(name)}}).want(422, "invalid").at("/co_organisers/1")
		w.do(organiser, "PUT", path+"/organisers", map[string]any{"co_organisers": []string{name}}).want(200, "")
		w.do(rival, "PATCH", path, map[string]any{"prizes": "mug"}).want(200, "")
		w.do(rival, "PATCH", path, map[string]any{"capacity": 6}).want(200, "")
		w.do(anon, "GET", "/v1/tournaments?organiser=me", nil).want(401, "unauthorized")
		w.lists(rival, "/v1/tournaments?organiser=me", cup.ID)
		w.lists(other, "/v1/tournaments?organiser=me")
		w.do(rival, "POST", path+"/invite", nil).want(200, "")
		w.do(rival, "POST", "/v1/class-links", map[string]any{"events": []string{cup.ID}, "accounts": 3}).want(201, "")
		w.do(rival, "PUT", path+"/organisers", map[string]any{"co_organisers": []string{}}).want(403, "not_yours")
		if lines := w.audited(); lines[len(lines)-2].UserID != w.users[rival].ID {
			t.Errorf("the audit does not say who did it: %+v", lines)
		}
		w.do(organiser, "PUT", path+"/organisers", map[string]any{"co_organisers": []string{}}).want(200, "")
		w.do(rival, "PATCH", path, map[string]any{"prizes": "mugs"}).want(403, "not_yours")

		x := w.series(func(*schedule.Schedule) {})
		w.do(organiser, "PUT", "/v1/schedules/"+x.ID+"/organisers", map[string]any{"co_organisers": []string{name}}).want(200, "")
		of := w.cup(func(t *tournament.Tournament) { t.ScheduleID, t.Number = x.ID, 1 })
		w.do(rival, "PATCH", "/v1/tournaments/"+of.ID, map[string]any{"rules": "be kind"}).want(200, "")
		w.do(rival, "POST", "/v1/schedules/"+x.ID+"/pause", nil).want(200, "")
		w.do(rival, "DELETE", "/v1/schedules/"+x.ID, nil).want(403, "not_yours")
		league := into[struct{ ID string }](w.do(organiser, "POST", "/v1/series", map[string]any{"name": "league", "tournaments": []string{of.ID}}).want(201, "")).ID
		w.do(organiser, "PUT", "/v1/series/"+league+"/organisers", map[string]any{"co_organisers": []string{name}}).want(200, "")
		w.do(rival, "PATCH", "/v1/series/"+league, map[string]any{"name": "the league"}).want(200, "")
		w.lists(rival, "/v1/schedules?organiser=me", x.ID)
		w.lists(rival, "/v1/series?organiser=me", league)
		w.lists(rival, "/v1/tournaments?organiser=me", of.ID) // by its schedule; of the cup they are no organiser any more
		w.lists(other, "/v1/series?organiser=me")
		w.do(rival, "DELETE", "/v1/series/"+league, nil).want(403, "not_yours")
	})
}

// A class link lets in as long as its maker may invite.
func TestAClassLinkLetsInByItsMakersRights(t *testing.T) {
	onOne(t, func(w *world) {
		x := w.series(func(*schedule.Schedule) {})
		cup := w.cup(func(t *tournament.Tournament) { t.Invite, t.ScheduleID, t.Number = tournament.Invite{1}, x.ID, 1 })
		comesBy := func(maker, event string) tournament.Bot { // a bot of a new account
			t.Helper()
			link := into[wire.ClassLinkCreated](w.do(maker, "POST", "/v1/class-links", map[string]any{"events": []string{event}, "accounts": 1}).want(201, ""))
			_, code, _ := strings.Cut(link.URL, "code=")
			came := into[wire.UserCreated](w.do(anon, "POST", "/v1/class-links/join", map[string]any{"code": code, "name": w.name("pupil")}).want(201, ""))
			b, _, err := w.store.CreateBot(t.Context(), tournament.Bot{OwnerID: came.User.ID, Name: w.name("bot")}, tournament.Version{URL: "https://pupil.example/", Games: []string{"masks"}}, 1000)
			must.OK(t, err)
			return b
		}
		enters := func(b tournament.Bot, want error) {
			t.Helper()
			if _, err := w.director.Join(t.Context(), cup.ID, b.ID, b.OwnerID); !errors.Is(err, want) {
				t.Errorf("an entry of a pupil: %v, want %v", err, want)
			}
		}
		enters(comesBy(organiser, x.ID), nil)
		enters(comesBy(admin, cup.ID), nil)
		for path, event := range map[string]string{"/v1/tournaments/" + cup.ID: cup.ID, "/v1/schedules/" + x.ID: x.ID} {
			helpers := func(names ...string) {
				w.do(organiser, "PUT", path+"/organisers", map[string]any{"co_organisers": append([]string{}, names...)}).want(200, "")
			}
			helpers(w.users[rival].Name)
			early, late := comesBy(rival, event), comesBy(rival, event)
			enters(early, nil)
			helpers()
			enters(late, tournament.ErrInvite)
		}
	})
}

// lists fails unless a list shows a user these ids.
func (w *world) lists(who, path string, ids ...string) {
	w.t.Helper()
	if got, _ := walk(w, who, path, func(x struct{ ID string }) string { return x.ID }); !slices.Equal(got, ids) {
		w.t.Errorf("%s shows %s %v, want %v", path, who, got, ids)
	}
}

// at wants a refusal of what is at a place, perhaps among others.
func (a answer) at(pointer string) answer {
	a.t.Helper()
	if !slices.ContainsFunc(into[wire.Problem](a).Errors, func(p wire.Place) bool { return p.Pointer == pointer }) {
		a.t.Errorf("%s: %s is not refused: %s", a.what, pointer, a.body)
	}
	return a
}

// A class link says by name what it is for, to its organiser and to the class, be it a tournament or a schedule.
func TestAClassLinkNamesItsEvents(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		cup := w.cup(func(*tournament.Tournament) {})
		nights := into[wire.Schedule](w.do(organiser, "POST", "/v1/schedules", goodSeries(w)).want(201, ""))
		made := into[wire.ClassLinkCreated](w.do(organiser, "POST", "/v1/class-links", map[string]any{"events": []string{nights.ID, cup.ID}, "accounts": 3}).want(201, ""))
		events := func() []wire.ClassEvent {
			return into[wire.ClassLinkDetail](w.get(organiser, "/v1/class-links/"+made.ID).want(200, "")).Events
		}
		want := []wire.ClassEvent{{ID: cup.ID, Name: cup.Name}, {ID: nights.ID, Name: nights.Name}}
		if got := events(); !slices.Equal(got, want) {
			t.Errorf("the link is for %v, want %v", got, want)
		}
		_, query, _ := strings.Cut(made.URL, "?")
		page := string(w.visits("", "/class?"+query, nil).want(200, "").body)
		for _, e := range want {
			if !strings.Contains(page, ">"+e.Name+"</a>") {
				t.Errorf("the page of the link does not name %s: %s", e.Name, page)
			}
		}
		w.do(organiser, "DELETE", "/v1/schedules/"+nights.ID, nil).want(204, "")
		if got := events(); !slices.Equal(got, want[:1]) {
			t.Errorf("with the schedule deleted the link is for %v, want %v", got, want[:1])
		}
	})
}
