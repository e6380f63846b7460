package store_test

import (
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

// points gives a version n points on a ladder.
func points(db *gorm.DB, version, ladder string, n int) error {
	return db.Exec(`WITH RECURSIVE s (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM s WHERE seq < ?)
		INSERT INTO fit_points (version_id, ladder_id, seq, milli, low_milli, high_milli) SELECT ?, ?, seq, 1500000, 1400000, 1600000 FROM s`, n, version, ladder).Error
}

// However long a version has played on one ladder, its bot's page has the versions before it, and its points on other ladders.
func TestACareerHasAllVersionsAndAllLadders(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		for _, id := range []string{storetest.Toy, storetest.ToyTeams} {
			w.Did(w.EnsureLadder(w.Ctx, id))
		}
		b := w.NewBot("b", w.NewUser("u"))
		second, third := w.Second(b, storetest.Toy), w.Second(b, storetest.Toy)
		w.Must(points(w.SQL(w.Ctx), third.ID, storetest.Toy, 2500))
		w.Must(points(w.SQL(w.Ctx), second.ID, storetest.ToyTeams, 3))
		w.Must(points(w.SQL(w.Ctx), b.VersionID, storetest.ToyTeams, 2))
		c := must.Get(w.Career(w.Ctx, b.ID))(w.T)
		if len(c.Versions) != 3 || c.Versions[0].ID != third.ID || c.Versions[2].ID != b.VersionID {
			t.Errorf("versions %+v, want three, the newest first", c.Versions)
		}
		on, first := map[string]int{}, map[string]int64{}
		for _, p := range c.Points {
			if on[p.LadderID]++; on[p.LadderID] == 1 {
				first[p.LadderID] = p.Seq
			}
		}
		if on[storetest.Toy] != 2000 || first[storetest.Toy] != 501 || on[storetest.ToyTeams] != 5 {
			t.Errorf("points by ladder %v from places %v; want the last 2000 of one and all 5 of the other", on, first)
		}
	})
}

// What runs and what is announced have places of their own on the first page.
func TestHomeShowsWhatIsAnnouncedBesideWhatRuns(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		for i := range 20 {
			w.Plan(func(x *tournament.Tournament) { x.Name = fmt.Sprint("running ", i) })
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET status = 'running', started_at = starts_at").Error)
		next := w.Plan(nil)
		_, list, _, err := w.Home(w.Ctx)
		w.Must(err)
		if n := len(list); n != 16 || list[n-1].ID != next.ID {
			t.Errorf("%d tournaments, the last %q; want 15 that run and the one that is announced", n, list[n-1].Name)
		}
	})
}

// Times of matches do not ascend with their places: who plays again keeps the place. A line is inactive by its own last match.
func TestALineIsInactiveByItsOwnLastMatch(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(4, nil)
		w.PlayAll(list)
		for name, old := range map[string][6]bool{
			"all old":                  {true, true, true, true, true, true},
			"a replay at place 2":      {true, false, true, true, true, true},
			"replays in the middle":    {true, true, false, false, true, true},
			"an old one among new":     {false, false, false, true, false, false},
			"the first alone is new":   {false, true, true, true, true, true},
			"old and new take turns":   {true, false, true, false, true, false},
			"the last alone is old":    {false, false, false, false, false, true},
			"nobody has been away yet": {},
		} {
			for i, is := range old {
				at := w.Clock.Now().Add(-time.Hour)
				if is {
					at = at.Add(-2 * tournament.InactiveAfter)
				}
				w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET created_at = ? WHERE ladder_seq = ?", at.UTC().Truncate(time.Microsecond), i+1).Error)
			}
			w.Must(w.Classify(w.Ctx))
			var rows []struct{ LastSeq, Class int }
			w.Must(w.SQL(w.Ctx).Raw("SELECT last_seq, class FROM ratings").Scan(&rows).Error)
			for _, r := range rows {
				if (r.Class == 2) != old[r.LastSeq-1] {
					t.Errorf("%s: the line whose last match is at place %d is of class %d", name, r.LastSeq, r.Class)
				}
			}
			must.Same(t, "lines", len(rows), 4)
		}
	})
}
