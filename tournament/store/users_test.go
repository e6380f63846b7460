package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestUsersAndTokensComeBackAsTheyWereMade(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		expires := w.Clock.Now().Add(time.Hour)
		u, tok, err := w.CreateUser(w.Ctx, tournament.User{Name: "Ada", Role: tournament.RoleAdmin}, tournament.Token{Hash: [32]byte{7, 8}, Note: "first", ExpiresAt: &expires})
		w.Must(err)
		if want := time.Date(2026, 3, 1, 11, 0, 0, 123456000, time.UTC); u.CreatedAt != want || *tok.ExpiresAt != want.Add(time.Hour) {
			t.Errorf("times are %v and %v; want UTC in microseconds, %v and an hour later", u.CreatedAt, tok.ExpiresAt, want)
		}
		got := must.Get(w.User(w.Ctx, u.ID))(w.T)
		directortest.Alike(t, "the user", u, got)
		gotTok, gotUser, err := w.TokenByID(w.Ctx, tok.ID)
		w.Must(err)
		if diff := cmp.Diff(tok, gotTok) + cmp.Diff(u, gotUser); diff != "" {
			t.Error(diff)
		}
		second := must.Get(w.CreateToken(w.Ctx, tournament.Token{UserID: u.ID, Hash: [32]byte{9}}))(w.T)
		list := must.Get(w.Tokens(w.Ctx, u.ID))(w.T)
		directortest.Alike(t, "the tokens", []tournament.Token{second, tok}, list)
	})
}

func TestANameIsTakenInAnyCaseAndThenNothingIsAdded(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		u := w.NewUser("Ada")
		_, tok, err := w.CreateUser(w.Ctx, tournament.User{Name: "ADA", Role: tournament.RoleOwner}, tournament.Token{})
		directortest.Refused(t, "user", err, tournament.ErrTaken)
		_, _, err = w.TokenByID(w.Ctx, tok.ID)
		directortest.Refused(t, "the refused user's token", err, tournament.ErrNotFound)

		w.NewBot("Fox", u)
		b, v, err := w.CreateBot(w.Ctx, tournament.Bot{Name: "fOX", OwnerID: u.ID}, tournament.Version{}, 10)
		directortest.Refused(t, "bot", err, tournament.ErrTaken)
		directortest.Refused(t, "the refused bot", directortest.Err(w.Bot(w.Ctx, b.ID)), tournament.ErrNotFound)
		directortest.Refused(t, "the refused bot's version", directortest.Err(w.Version(w.Ctx, v.ID)), tournament.ErrNotFound)
	})
}

func TestATokenIsRevokedByItsUserAlone(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		a, b := w.NewUser("a"), w.NewUser("b")
		tok := must.Get(w.CreateToken(w.Ctx, tournament.Token{UserID: a.ID}))(w.T)
		directortest.Refused(t, "another user", w.RevokeToken(w.Ctx, b.ID, tok.ID), tournament.ErrNotFound)
		w.Must(w.RevokeToken(w.Ctx, a.ID, tok.ID))
		first := must.First(w.TokenByID(w.Ctx, tok.ID))(w.T)
		w.Clock.Move(time.Minute)
		w.Must(w.RevokeToken(w.Ctx, a.ID, tok.ID))
		again := must.First(w.TokenByID(w.Ctx, tok.ID))(w.T)
		if first.RevokedAt == nil || !first.RevokedAt.Equal(*again.RevokedAt) {
			t.Errorf("revoked at %v, then at %v; want the first time kept", first.RevokedAt, again.RevokedAt)
		}
	})
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		for name, call := range map[string]func(id string) error{
			"User":        func(id string) error { _, err := w.User(w.Ctx, id); return err },
			"TokenByID":   func(id string) error { _, _, err := w.TokenByID(w.Ctx, id); return err },
			"CreateToken": func(id string) error { _, err := w.CreateToken(w.Ctx, tournament.Token{UserID: id}); return err },
			"RevokeToken": func(id string) error { return w.RevokeToken(w.Ctx, w.Org.ID, id) },
			"CreateBot": func(id string) error {
				_, _, err := w.CreateBot(w.Ctx, tournament.Bot{Name: "x", OwnerID: id}, tournament.Version{}, 1)
				return err
			},
			"Bot":           func(id string) error { _, err := w.Bot(w.Ctx, id); return err },
			"Version":       func(id string) error { _, err := w.Version(w.Ctx, id); return err },
			"Greet":         func(id string) error { _, err := w.Greet(id, "no answer"); return err },
			"RetireBot":     func(id string) error { _, err := w.RetireBot(w.Ctx, id, ""); return err },
			"RotateSecret":  func(id string) error { _, err := w.RotateSecret(w.Ctx, id, "s"); return err },
			"DropOldSecret": func(id string) error { _, err := w.DropOldSecret(w.Ctx, id); return err },
			"Tournament":    func(id string) error { _, err := w.Tournament(w.Ctx, id); return err },
			"Entries":       func(id string) error { _, err := w.Entries(w.Ctx, id); return err },
			"Standings":     func(id string) error { _, err := w.Standings(w.Ctx, id); return err },
			"Join":          func(id string) error { _, err := w.Join(w.Ctx, id, id, id); return err },
			"Withdraw":      func(id string) error { _, err := w.Withdraw(w.Ctx, id, id, id); return err },
			"Start":         func(id string) error { _, err := w.Start(w.Ctx, id); return err },
			"Cancel":        func(id string) error { _, err := w.Cancel(w.Ctx, id, ""); return err },
			"Match":         func(id string) error { _, err := w.Match(w.Ctx, id); return err },
			"Decisions":     func(id string) error { _, err := w.Decisions(w.Ctx, id); return err },
			"SeatDecisions": func(id string) error { _, err := w.SeatDecisions(w.Ctx, id, 0); return err },
			"Claim": func(id string) error {
				_, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: id}, "w", directortest.Lease)
				return err
			},
			"Ladder":        func(id string) error { _, err := w.Ladder(w.Ctx, id); return err },
			"LadderRows":    func(id string) error { _, _, err := w.LadderRows(w.Ctx, id, store.Page{}); return err },
			"EnsureLadder":  func(id string) error { _, err := w.EnsureLadder(w.Ctx, id); return err },
			"ApplyRatings":  func(id string) error { _, err := w.ApplyRatings(w.Ctx, id); return err },
			"CheckRatings":  func(id string) error { return w.CheckRatings(w.Ctx, id) },
			"ReplayRatings": func(id string) error { _, err := w.ReplayRatings(w.Ctx, id); return err },
			"History":       func(id string) error { _, err := w.History(w.Ctx, id); return err },
			"Fit":           func(id string) error { _, err := w.Fit(w.Ctx, id); return err },
			"SaveFit":       func(id string) error { return w.SaveFit(w.Ctx, tournament.LadderFit{LadderID: id, ToSeq: 1}, 0) },
			"Seasons":       func(id string) error { _, err := w.Seasons(w.Ctx, id); return err },
			"NewSeason":     func(id string) error { _, err := w.NewSeason(w.Ctx, id); return err },
			"CreateTournament": func(id string) error {
				_, err := w.CreateTournament(w.Ctx, tournament.Tournament{Game: storetest.Toy, OrganiserID: id})
				return err
			},
			"CreateTournament of a game": func(id string) error {
				_, err := w.CreateTournament(w.Ctx, tournament.Tournament{Game: id, OrganiserID: w.Org.ID})
				return err
			},
		} {
			directortest.Refused(t, name, call("nobody' OR '1'='1"), tournament.ErrNotFound)
		}
	})
}

func TestListsAreCutIntoPagesWithoutLossOrRepeat(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		var want []string
		for i := range 7 { // one instant of the clock: the ids alone keep the order
			want = append(want, w.NewBot(fmt.Sprint("b", i), w.Org).ID)
		}
		for _, sort := range []string{store.Newest, store.Oldest, ""} {
			for limit := 1; limit <= 8; limit++ {
				var got []string
				p := store.Page{Limit: limit, Sort: sort}
				for {
					list, next, err := w.Bots(w.Ctx, store.BotFilter{}, p)
					w.Must(err)
					if len(list) > limit {
						t.Fatalf("%d rows on a page of %d", len(list), limit)
					}
					for _, b := range list {
						got = append(got, b.ID)
					}
					if p.After = next; next == "" {
						break
					}
				}
				if sort != store.Oldest {
					for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
						got[i], got[j] = got[j], got[i]
					}
				}
				directortest.Alike(t, fmt.Sprintf("sort %q, limit %d", sort, limit), want, got)
			}
		}
	})
}

func TestABadPageIsRefused(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l := must.Get(w.EnsureLadder(w.Ctx, storetest.Toy))(w.T)
		for _, p := range []store.Page{{Limit: -1}, {Limit: store.MaxPage + 1}, {Sort: "id; DROP TABLE users"}, {After: "!"}, {After: "YQ_YQ"}} {
			_, _, err := w.Bots(w.Ctx, store.BotFilter{}, p)
			if p.After != "YQ_YQ" { // text of the right form is a place in a list by id
				directortest.Refused(t, fmt.Sprintf("bots %+v", p), err, tournament.ErrInvalid)
			}
			_, _, err = w.RatingEvents(w.Ctx, store.RatingEventFilter{}, p)
			directortest.Refused(t, fmt.Sprintf("events %+v", p), err, tournament.ErrInvalid)
			if p.Sort == "" {
				_, _, err = w.LadderRows(w.Ctx, l.ID, p)
				directortest.Refused(t, fmt.Sprintf("ladder %+v", p), err, tournament.ErrInvalid)
			}
		}
	})
}
