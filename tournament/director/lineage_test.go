package director_test

import (
	"slices"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// rivals are two bots that meet in tournaments of their own.
type rivals struct {
	*world
	fox, owl tournament.Bot
}

// meet plays so many rated matches; fox wins them, or loses them.
func (r *rivals) meet(times int, wins bool) {
	r.T.Helper()
	r.end(r.announce(times), wins)
}

// announce makes so many rated matches, with the version of fox that plays now.
func (r *rivals) announce(times int) []tournament.Match {
	r.T.Helper()
	tour := r.Begin(r.Plan(func(x *tournament.Tournament) { x.Cycles = times }), r.fox, r.owl)
	return r.All(store.MatchFilter{TournamentID: tour.ID})
}

// end plays matches; fox wins them, or loses them.
func (r *rivals) end(list []tournament.Match, wins bool) {
	r.T.Helper()
	for _, m := range list {
		r.Must(r.Played(m, slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return (s.BotID == r.fox.ID) == wins })))
	}
}

// promote lets a version of fox play.
func (r *rivals) promote(versionID string) {
	r.T.Helper()
	r.Did(r.Promote(r.Ctx, r.fox.ID, versionID))
}

// began returns the rating with which a version played its first match, last the one after its latest; in thousandths.
func (r *rivals) began(versionID string) int64 {
	return r.events(versionID, store.Oldest)[0].BeforeMilli
}
func (r *rivals) last(versionID string) int64 { return r.events(versionID, store.Newest)[0].AfterMilli }

func (r *rivals) events(versionID string, sort string) []tournament.RatingChange {
	r.T.Helper()
	list, _, err := r.RatingEvents(r.Ctx, store.RatingEventFilter{VersionID: versionID}, store.Page{Sort: sort})
	r.Must(err)
	if len(list) == 0 {
		r.T.Fatalf("version %s is not rated", versionID)
	}
	return list
}

// One good, two bad, back to one: three begins where one stands, whether it was made before or after going back.
func TestAVersionInheritsFromTheOneThatItReplaces(t *testing.T) {
	for _, row := range []struct {
		name string
		make func(r *rivals, good, bad string) (third string)
	}{
		{"made after going back", func(r *rivals, good, bad string) string {
			waiting := r.announce(1)
			r.promote(bad)
			r.end(waiting, true) // keeps the version that it was made with
			r.meet(5, false)
			before := r.last(good)
			r.promote(good)
			r.meet(1, true)
			if all := r.events(good, store.Newest); all[0].BeforeMilli != before || len(all) != 7 {
				r.T.Errorf("going back gives %d rated matches, the last from %d; want 7, and the old row taken up at %d", len(all), all[0].BeforeMilli, before)
			}
			return r.Second(r.fox, storetest.Toy).ID
		}},
		{"made while the bad one played", func(r *rivals, good, bad string) string {
			r.promote(bad)
			r.meet(5, false)
			third := r.Second(r.fox, storetest.Toy).ID
			r.promote(good)
			r.meet(1, true)
			return third
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			on(t, storetest.Each, func(t *testing.T, w *world) {
				r := &rivals{w, w.NewBot("fox", w.Org), w.NewBot("owl", w.NewUser("ada"))}
				good := r.fox.VersionID
				r.meet(5, true)
				bad := r.Second(r.fox, storetest.Toy).ID
				third := row.make(r, good, bad)
				r.promote(third)
				r.meet(1, true)
				if first := r.events(third, store.Oldest)[0]; first.K < 45 {
					t.Errorf("the third began with K %v, want that of a fresh version", first.K)
				}
				if got, want := r.began(third), r.last(good); got != want {
					t.Errorf("the third began with %d; want %d of the version that it replaced (the bad one stands at %d)", got, want, r.last(bad))
				}
				h := must.Get(w.History(w.Ctx, storetest.Toy))(w.T)
				for _, v := range h.Versions {
					if v.VersionID == third && (v.Parent < 0 || h.Versions[v.Parent].VersionID != good) {
						t.Errorf("the fit has %d for the parent of the third; want the good one", v.Parent)
					}
				}
				w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
			})
		})
	}
}

// Whoever goes back and forth between versions that are rated changes nobody's parent: the ratings that exist rest on them.
func TestAVersionThatIsRatedKeepsItsParent(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		r := &rivals{w, w.NewBot("fox", w.Org), w.NewBot("owl", w.NewUser("ada"))}
		one := r.fox.VersionID
		r.meet(1, true)
		two := r.Second(r.fox, storetest.Toy).ID
		r.promote(two)
		r.meet(1, false)
		three := r.Second(r.fox, storetest.Toy).ID
		r.promote(three)
		r.meet(1, true)
		for _, v := range []string{one, three, two, one, three} {
			r.promote(v)
			r.meet(1, true)
		}
		for version, want := range map[string]string{one: "", two: one, three: two} {
			v := must.Get(w.Version(w.Ctx, version))(w.T)
			if v.ParentID != want {
				t.Errorf("version %d has parent %q, want %q", v.Number, v.ParentID, want)
			}
		}
		w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
	})
}

// Whoever enters late is seeded as at the start: by the version that plays, or else the nearest that it came from, whatever was rated since.
func TestALateEntryIsSeededByTheVersionThatPlays(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		r := &rivals{w, w.NewBot("fox", w.Org), w.NewBot("owl", w.NewUser("ada"))}
		good := r.fox.VersionID
		r.meet(5, true)
		bad := r.Second(r.fox, storetest.Toy).ID
		r.promote(bad)
		r.meet(5, false)
		r.promote(good)
		third := r.Second(r.fox, storetest.Toy).ID
		hen, cat := w.NewBot("hen", w.NewUser("bob")), w.NewBot("cat", w.NewUser("cy"))
		for _, row := range []struct{ plays, rated string }{{good, good}, {third, good}, {bad, bad}} {
			if r.fox = must.Get(w.Store.Bot(w.Ctx, r.fox.ID))(w.T); r.fox.VersionID != row.plays {
				r.promote(row.plays)
			}
			cup := w.Begin(w.Plan(func(x *tournament.Tournament) {
				x.Format, x.Options = tournament.Swiss, tournament.FormatOptions{Rounds: 5, LateEntries: true}
			}), r.owl, hen, cat)
			w.Did(w.Join(w.Ctx, cup.ID, r.fox.ID, r.fox.OwnerID))
			if got := w.number("SELECT seed_milli FROM entries WHERE tournament_id = '" + cup.ID + "' AND bot_id = '" + r.fox.ID + "'"); int64(got) != r.last(row.rated) {
				t.Errorf("a late entry is seeded with %d, want %d; the versions stand at %d and %d", got, r.last(row.rated), r.last(good), r.last(bad))
			}
		}
	})
}
