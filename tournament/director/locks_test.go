package director_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// log is what a store logs, from many goroutines.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), what)
}

// Every pair of operations on the same users, bots, matches, tournaments and ladders is carried out at once. After each lock a
// transaction rests, so that the other has the time to take what the first will want next: no two ever wait for each other.
func TestNoTwoOperationsWaitForEachOther(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		seen := &log{}
		w := newWorld(t, open)
		s := open(store.Options{
			Now:    w.Clock.Now,
			Logger: slog.New(slog.NewTextHandler(seen, nil)),
			Query: func(sql string) {
				if strings.Contains(sql, " FOR ") {
					time.Sleep(2 * time.Millisecond)
				}
			},
			MaxConns: 8,
		})
		w.Use(s)
		ops := w.operations()
		for i, a := range ops {
			for _, b := range ops[i:] {
				before := seen.count(database.DeadlockDetected)
				var both sync.WaitGroup
				both.Go(func() { a.do(0) })
				both.Go(func() { b.do(1) })
				both.Wait()
				if n := seen.count(database.DeadlockDetected); n > before {
					t.Errorf("%s beside %s: waited for each other %d times", a.name, b.name, n-before)
				}
			}
		}
	})
}

// operation is something that changes the platform; the two that are at work at once have a side each. What it is refused does not
// matter: it has locked rows.
type operation struct {
	name string
	do   func(side int)
}

// operations returns operations on two users with two bots each, two tournaments of their bots, of which one is an sprt, and a ladder.
func (w *world) operations() []operation {
	var users [2]tournament.User
	var bots [2][]string
	for i := range users {
		users[i] = w.NewUser(fmt.Sprint("user", i))
		bots[i] = w.NewBots(users[i], 2)
	}
	l := must.Get(w.EnsureLadder(w.Ctx, storetest.Toy))(w.T)
	for i := range users {
		w.Did(w.JoinLadder(w.Ctx, l.ID, bots[i][0], users[i].ID, 600))
	}
	running := func(change func(*tournament.Tournament)) tournament.Tournament {
		tour := w.Plan(change)
		for i := range users {
			w.Did(w.Join(w.Ctx, tour.ID, bots[i][0], users[i].ID))
		}
		return must.Get(w.Start(w.Ctx, tour.ID))(w.T)
	}
	tour := running(func(t *tournament.Tournament) { t.Cycles = 40 })
	trial := running(func(t *tournament.Tournament) {
		t.Format, t.Duplicate, t.Options.Test = tournament.SPRT, true, tournament.Test{Elo1: 50, MaxPairs: 200}
	})
	next := w.Plan(nil)
	weekly, err := w.CreateSchedule(w.Ctx, schedule.Schedule{
		OrganiserID: w.Org.ID,
		When:        schedule.Once(w.Clock.Now().Add(time.Hour)),
		Opens:       2 * time.Hour,
		Closes:      time.Minute,
		Template:    next,
	})
	w.Must(err)
	season := must.Get(w.CreateSeries(w.Ctx, series.Series{Name: "season", OrganiserID: w.Org.ID, By: series.Points, Tournaments: []string{tour.ID, trial.ID}}))(w.T)
	queued := w.notBegun(tour.ID, trial.ID)
	return []operation{
		{"challenge", func(side int) { _, _ = w.Ask(users[side], bots[1][1], bots[0][1]) }},
		{"challenge the other way", func(side int) { _, _ = w.Ask(users[1-side], bots[0][1], bots[1][1]) }},
		{"disable and enable", func(side int) {
			_, _ = w.DisableUser(w.Ctx, users[side].ID, "test")
			_, _ = w.EnableUser(w.Ctx, users[side].ID)
			_, _ = w.UnbanBot(w.Ctx, bots[side][0])
			for _, id := range bots[side] {
				_, _ = w.Greet(id, "")
			}
		}},
		{"new bot", func(side int) { w.newBot(users[side]) }},
		{"new version, promoted", func(side int) { w.promote(bots[side][1]) }},
		{"pause a bot", func(side int) {
			_, _ = w.Greet(bots[side][1], "test")
			_, _ = w.Greet(bots[side][1], "")
		}},
		{"judge", func(side int) { _, _ = w.JudgeBot(w.Ctx, bots[side][0]) }},
		{"checks", func(int) { _, _ = w.DueChecks(w.Ctx, 4, 4, nil) }},
		{"join and withdraw", func(side int) {
			_, _ = w.Join(w.Ctx, next.ID, bots[side][1], users[side].ID)
			_, _ = w.Withdraw(w.Ctx, next.ID, bots[side][1], users[side].ID)
		}},
		{"join the ladder", func(side int) { _, _ = w.JoinLadder(w.Ctx, l.ID, bots[side][0], users[side].ID, 600) }},
		{"matchmaking", func(int) { _, _ = w.MakeLadder(w.Ctx, l.ID, 1000) }},
		{"play a match", func(int) { w.playNext(queued) }},
		{"void a match", func(int) { w.voidNext(queued) }},
		{"pause and resume", func(int) {
			_, _ = w.PauseTournament(w.Ctx, tour.ID)
			_, _ = w.ResumeTournament(w.Ctx, tour.ID)
		}},
		{"advance", func(int) { _ = w.Advance(w.Ctx, trial.ID) }},
		{"sweep", func(int) { _, _ = w.Sweep(w.Ctx, directortest.Lease) }},
		{"reorder", func(int) {
			_, _ = w.PauseTournament(w.Ctx, tour.ID)
			_ = w.ReorderLadder(w.Ctx, l.ID)
			_, _ = w.ResumeTournament(w.Ctx, tour.ID)
		}},
		{"rate", func(int) { _, _ = w.ApplyRatings(w.Ctx, l.ID) }},
		{"save a fit", func(int) { _ = w.SaveFit(w.Ctx, tournament.LadderFit{LadderID: l.ID}, 0) }},
		{"classify", func(int) { _ = w.Classify(w.Ctx) }},
		{"make what is due", func(int) { _, _ = w.MakeDue(w.Ctx, weekly.ID) }},
		{"change the series", func(int) {
			_, _ = w.ChangeSeries(w.Ctx, season.ID, func(x series.Series) (series.Series, error) { return x, nil })
		}},
		{"start and cancel", func(int) {
			x := w.Plan(nil)
			_, _ = w.Start(w.Ctx, x.ID)
			_, _ = w.Cancel(w.Ctx, x.ID, "test")
		}},
	}
}

// notBegun returns the matches of tournaments that nobody has claimed.
func (w *world) notBegun(tournaments ...string) chan string {
	var ids []string
	for _, id := range tournaments {
		for _, m := range w.All(store.MatchFilter{TournamentID: id}) {
			ids = append(ids, m.ID)
		}
	}
	out := make(chan string, len(ids))
	for _, id := range ids {
		out <- id
	}
	return out
}

func (w *world) playNext(queued chan string) {
	select {
	case id := <-queued:
		if m, err := w.Match(w.Ctx, id); err == nil {
			_ = w.Played(m, 0)
		}
	default:
	}
}

func (w *world) voidNext(queued chan string) {
	select {
	case id := <-queued:
		_, _ = w.VoidMatch(w.Ctx, id, "test")
	default:
	}
}

func (w *world) newBot(owner tournament.User) {
	id := must.Get(w.NewID())(w.T)
	_, _, _ = w.CreateBot(w.Ctx, tournament.Bot{Name: id, OwnerID: owner.ID},
		tournament.Version{URL: "http://x", Secrets: tournament.Secrets{"whsec_1"}, Games: []string{storetest.Toy}}, 1000)
}

func (w *world) promote(botID string) {
	v, err := w.AddVersion(w.Ctx, tournament.Version{BotID: botID, URL: "http://x", Secrets: tournament.Secrets{"whsec_1"}, Games: []string{storetest.Toy}}, 10_000)
	if err == nil {
		_, _ = w.Promote(w.Ctx, botID, v.ID)
	}
}

func TestALockOutOfOrderIsAnError(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour, list := w.Running(3, nil)
		bots := w.NewBots(w.Org, 2)
		lock := func(tx *store.Tx, what string) error {
			var err error
			switch what {
			case "user":
				_, err = tx.LockUser(w.Org.ID)
			case "tournament":
				_, err = tx.LockTournament(tour.ID)
			case "match 0":
				_, err = tx.LockMatch(list[0].ID)
			case "match 1":
				_, err = tx.LockMatch(list[1].ID)
			case "ladder":
				_, err = tx.LockLadder(tour.LadderID)
			case "bot":
				_, err = tx.LockBotState(bots[0])
			case "all":
				err = tx.Lock(store.Rows{store.Bots: {bots[1], bots[0]}, store.Users: {w.Org.ID}, store.Ladders: {tour.LadderID}})
			case "lost":
				_, err = tx.LockLost(directortest.Lease, nil)
			case "nowhere":
				err = tx.Lock(store.Rows{"calibrations": {"x"}})
			}
			return err
		}
		for order, right := range map[string]bool{
			"user,tournament,match 0,match 1,ladder,bot": true,
			"all,bot,user":      true, // what is held may be locked again
			"ladder,tournament": false,
			"ladder,match 0":    false,
			"bot,user":          false,
			"match 1,match 0":   false,
			"all,tournament":    false,
			"ladder,lost":       true, // waits for nobody
			"lost,tournament":   false,
			"nowhere":           false,
		} {
			err := w.InTx(w.Ctx, func(tx *store.Tx) error {
				for what := range strings.SplitSeq(order, ",") {
					if err := lock(tx, what); err != nil {
						return err
					}
				}
				return nil
			})
			if right && err != nil || !right && !errors.Is(err, database.ErrLockOrder) {
				t.Errorf("%s: got %v", order, err)
			}
		}
	})
}

// Whoever enters while another version is promoted enters with a version that plays the game, or not at all: the bot's row is locked by
// who promotes, and each of these waits for it. SQLite has one writer: there the two never meet.
func TestNobodyEntersWithAVersionThatDoesNotPlay(t *testing.T) {
	on(t, storetest.Postgres, func(t *testing.T, w *world) {
		l := must.Get(w.EnsureLadder(w.Ctx, storetest.Toy))(w.T)
		for name, prepare := range map[string]func(u tournament.User, b tournament.Bot) func() error{
			"tournament": func(u tournament.User, b tournament.Bot) func() error {
				tour := w.Plan(nil)
				return func() error { _, err := w.Join(w.Ctx, tour.ID, b.ID, u.ID); return err }
			},
			"running arena": func(u tournament.User, b tournament.Bot) func() error {
				arena, _ := w.Running(2, func(x *tournament.Tournament) {
					x.Format, x.Cycles, x.Options.LastsMS, x.Options.LateEntries = tournament.Arena, 1, time.Hour.Milliseconds(), true
				})
				return func() error { _, err := w.Join(w.Ctx, arena.ID, b.ID, u.ID); return err }
			},
			"ladder": func(u tournament.User, b tournament.Bot) func() error {
				return func() error { _, err := w.JoinLadder(w.Ctx, l.ID, b.ID, u.ID, 60); return err }
			},
			"challenge": func(u tournament.User, b tournament.Bot) func() error {
				other := w.NewBot("other of "+u.Name, u)
				return func() error { _, err := w.Ask(u, b.ID, other.ID); return err }
			},
		} {
			u := w.NewUser("owner of " + name)
			b := w.NewBot("bot of "+name, u)
			other := w.Second(b, "demol")
			enter := prepare(u, b)
			held, free := make(chan struct{}), make(chan struct{})
			var hold sync.Once
			var both sync.WaitGroup
			var promoted, entered error
			both.Go(func() {
				promoted = w.InTx(w.Ctx, func(tx *store.Tx) error {
					if _, err := tx.LockBotState(b.ID); err != nil {
						return err
					}
					missing, err := tx.MissingGames(b.ID, other.Games)
					hold.Do(func() { close(held); <-free })
					if err != nil || len(missing) > 0 {
						return errors.Join(err, tournament.ErrState)
					}
					return tx.SetActive(other, b.VersionID)
				})
			})
			<-held
			both.Go(func() { entered = enter() })
			storetest.UntilBlocked(t, w.Store)
			close(free)
			both.Wait()
			if promoted != nil || entered == nil {
				t.Errorf("%s: promoting gave %v, entering %v", name, promoted, entered)
			}
		}
	})
}
