package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
)

// long counts what is over on a platform of some years: more than a page lists.
const long = store.MaxPage + 5

// Somebody who registers a bot for each build has more that are retired than a page lists: those that play are offered all the same.
func TestABotThatPlaysIsFoundBehindManyThatAreRetired(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		gone, plays, entered := w.bot(owner), w.bot(owner), w.bot(owner)
		cup := w.cup(func(x *tournament.Tournament) { x.Rated = false })
		w.do(owner, "POST", "/v1/tournaments/"+cup.ID+"/entries", map[string]any{"bot_id": entered.ID}).want(201, "")
		w.token(owner, "bound", tournament.Token{Scopes: tournament.AllScopes(), BotID: gone.ID})
		last := w.bot(owner)
		for range long {
			last = w.bot(owner)
		}
		must.OK(t, w.store.SQL(t.Context()).Exec("UPDATE bots SET status = 'retired' WHERE owner_id = ? AND id NOT IN ?", w.users[owner].ID, []string{plays.ID, entered.ID}).Error)
		_, err := w.director.EnsureLadder(t.Context(), "masks")
		must.OK(t, err)
		mine, organises := w.browser(owner), w.browser(organiser)
		must.Say(t, string(w.visits(mine, "/me", nil).want(200, "").body), "/bots/"+plays.ID, "for "+gone.Name+" alone", "not", last.ID)
		for path, who := range map[string]tournament.LoginSecret{
			"/ladders/masks/join": mine, "/tournaments/" + cup.ID + "/enter": mine, "/challenges/new?game=masks": mine,
			"/tournaments/" + cup.ID + "/organise/" + entered.ID + "/substitute": organises,
		} {
			if page := string(w.visits(who, path, nil).want(200, "").body); !strings.Contains(page, `value="`+plays.ID) || strings.Contains(page, last.ID) {
				t.Errorf("%s does not offer the bot that plays alone: %s", path, page)
			}
		}
	})
}

// An organiser of two years has hundreds of events that are over: what is not stands before them, the next start first.
func TestWhatIsNotOverStandsBeforeManyEventsThatAre(t *testing.T) {
	onOneWith(t, withLogin, func(w *world) {
		next := w.cup(func(x *tournament.Tournament) { x.StartsAt = x.StartsAt.Add(time.Hour) })
		later := w.cup(func(x *tournament.Tournament) { x.StartsAt = x.StartsAt.Add(2 * time.Hour) })
		runs, _ := w.started(func(*tournament.Tournament) {}, owner, other)
		again := w.series(func(*schedule.Schedule) {})
		for range long {
			w.cup(func(*tournament.Tournament) {})
			w.series(func(*schedule.Schedule) {})
		}
		keep := []string{next.ID, later.ID, runs.ID, again.ID}
		must.OK(t, w.store.SQL(t.Context()).Exec("UPDATE tournaments SET status = 'cancelled', ended_at = starts_at WHERE id NOT IN ?", keep).Error)
		must.OK(t, w.store.SQL(t.Context()).Exec("UPDATE schedules SET status = 'cancelled', ended_at = created_at, due_at = NULL WHERE id NOT IN ?", keep).Error)
		me := w.browser(organiser)
		page := string(w.visits(me, "/me/events", nil).want(200, "").body)
		at := 0
		for _, path := range []string{"/tournaments/" + runs.ID, "/tournaments/" + next.ID, "/tournaments/" + later.ID, "/tournaments/", "/schedules/" + again.ID} {
			i := strings.Index(page[at:], path)
			if i < 0 {
				t.Fatalf("%s is not on the page in its place: %s", path, page)
			}
			at += i + 1
		}
		must.Say(t, string(w.visits(me, "/me/classes/new", nil).want(200, "").body), next.ID, later.ID, again.ID)
		must.Say(t, string(w.visits(me, "/series/new", nil).want(200, "").body), next.ID, runs.ID, again.ID)
	})
}

func TestWhatIsPlayedStandsBeforeWhatWasPausedForGood(t *testing.T) {
	onOne(t, func(w *world) {
		// Some organisers pause a tournament and never come back: what is played now stands before all of these on the first page.
		begin := func(starts time.Duration) tournament.Tournament {
			cup, _ := w.started(func(x *tournament.Tournament) { x.StartsAt = x.StartsAt.Add(starts) }, owner, other)
			return cup
		}
		before, late := begin(0), begin(time.Minute)
		for range 20 {
			_, err := w.director.PauseTournament(t.Context(), begin(-time.Minute).ID)
			must.OK(t, err)
		}
		page := string(w.visits("", "/", nil).want(200, "").body)
		page = page[strings.Index(page, "<h3>Running</h3>"):]
		first, second := strings.Index(page, "/tournaments/"+late.ID), strings.Index(page, "/tournaments/"+before.ID)
		if first < 0 || second < first || strings.Index(page, "/tournaments/") != first {
			t.Errorf("those that are played stand at %d and %d: %s", first, second, page)
		}

		// Whoever asks again for what followed in a tournament that was over long ago hears that nothing did, also once its events are forgotten.
		past, _ := w.played(func(*tournament.Tournament) {}, owner, other)
		runs, _ := w.started(func(*tournament.Tournament) {}, owner, other)
		last := into[wire.Events](w.get(anon, "/v1/tournaments/"+past.ID+"/events").want(200, "")).Last
		must.OK(t, w.store.SQL(t.Context()).Exec("DELETE FROM events").Error)
		path := fmt.Sprintf("/events?after=%d", last)
		if got := into[wire.Events](w.get(anon, "/v1/tournaments/"+past.ID+path).want(200, "")); len(got.Data) > 0 || got.Last != last {
			t.Errorf("got %+v, want nothing after %d", got, last)
		}
		w.get(anon, "/v1/tournaments/"+runs.ID+path).want(400, "bad_query")
	})
}
