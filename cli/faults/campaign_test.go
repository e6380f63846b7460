package faults_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

var (
	number  = flag.Int("faults", 0, "how many faults; 0 is a few in the gate, a thousand in nightly")
	seed    = flag.Uint64("seed", 1, "of the plan of faults")
	longest = flag.Duration("longest", 0, "the longest freeze; 0 is 2s in the gate, 30s otherwise")
	abreast = flag.Int("abreast", 3, "faults at a time; more make a campaign shorter, and harder")
	slow    = flag.Duration("slow", time.Minute, "tell of each fault that takes longer")
	failing = flag.Int("failovers", 0, "instead of a plan, so many failovers of Postgres")
	least   = flag.Int("decisions", 0, "make the faults wait until so many decisions are recorded at the last")
	small   = flag.Bool("small-disk", false, "put Postgres' log on a disk of 48 MiB, and fill it")
)

// enough open matches keep every slot of the workers busy.
const enough = workers * slots

// short are configurations of games whose matches between bots that play at random take long.
var short = map[string]string{
	"mole":         `{"points":3,"lead":1,"max_rounds":6,"mole_turns":8}`,
	"molemajority": `{"max_turns":60}`,
}

func nightly() bool { return os.Getenv("MOLERUN_NIGHTLY") != "" }

// gate reports whether this is the short campaign of every run of the tests.
func gate() bool { return *number == 0 && *failing == 0 && !nightly() }

// stillness is how long after the last fault something may stand. The machine of the gate has other things to do.
func stillness() time.Duration {
	if gate() {
		return time.Minute
	}
	return 15 * time.Second
}

// thinking is the bots' clock. Where the machine is slow, two milliseconds may become more than a second without any fault.
func thinking() tournament.Clock {
	c := tournament.DefaultClock()
	if gate() {
		c.Limit = 10 * time.Second
	}
	return c
}

// TestNoFaultBreaksTheLaw strikes a platform that plays, and has the judge look at what is left.
func TestNoFaultBreaksTheLaw(t *testing.T) {
	n, most := *number, *longest
	if n == 0 {
		n = 24
		if nightly() {
			n = 1000
		}
	}
	if most == 0 {
		most = 30 * time.Second
		if gate() {
			most = 2 * time.Second
		}
	}
	disk := 0
	if *small {
		disk = 48
	}
	x := newPlatform(t, disk)
	db := x.open()
	f := feeder{x: x, db: db, director: newDirector(db), bots: x.enrol(db, 6)}
	x.start()
	watching, unwatch := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	beside.Go(func() { x.watch(watching) })
	feeding, sated := context.WithCancel(t.Context())
	fed := make(chan []Tournament, 1)
	go func() { fed <- f.feed(feeding) }()
	plan := Plan(*seed, n, most, *small)
	if *failing > 0 {
		plan = Failovers(*failing)
	}
	counts := x.campaign(plan, &f)
	still := x.settle(&f)
	sated()
	x.storms.Wait()
	list := <-fed
	f.finish(list)
	x.drain(db)
	e := x.evidence(list, f.bots[0].OwnerID)
	e.Still = still
	unwatch()
	beside.Wait()
	x.report(*seed, counts, e)
}

// campaign carries a plan out and returns how often each kind struck.
func (x *platform) campaign(plan []Fault, f *feeder) map[Kind]int {
	x.t.Helper()
	counts := map[Kind]int{}
	var mu sync.Mutex
	next := make(chan Fault)
	var lanes sync.WaitGroup
	began := time.Now()
	for range *abreast {
		lanes.Go(func() {
			for fault := range next {
				from := time.Now()
				err := x.strike(fault)
				mu.Lock()
				if errors.Is(err, errMissed) {
					counts[fault.Kind+" (met nothing)"]++
					err = nil
				} else {
					counts[fault.Kind]++
				}
				mu.Unlock()
				if took := time.Since(from); took > *slow {
					x.t.Logf("fault %d, %s, took %.1f s", fault.Number, fault.Kind, took.Seconds())
				}
				if err != nil {
					x.t.Errorf("fault %d, %s: %v", fault.Number, fault.Kind, err)
				}
			}
		})
	}
	for _, fault := range plan {
		time.Sleep(fault.After)
		for *least*fault.Number/len(plan) > f.decisions() {
			time.Sleep(100 * time.Millisecond)
		}
		next <- fault
		if fault.Number%25 == 0 || fault.Kind == Failover {
			x.t.Logf("%4.0f s: %d of %d faults, %s", time.Since(began).Seconds(), fault.Number, len(plan), f.progress())
		}
	}
	close(next)
	lanes.Wait()
	return counts
}

// settle returns how long it takes from now, when nothing is at fault any more, until every match that was being played has
// gone on or ended, and the API answers.
func (x *platform) settle(f *feeder) time.Duration {
	x.t.Helper()
	began := time.Now()
	stood, err := f.standing()
	for err != nil && time.Since(began) < stillness() {
		stood, err = f.standing()
	}
	for ; time.Since(began) < 2*stillness(); time.Sleep(100 * time.Millisecond) {
		now, err := f.standing()
		if err != nil {
			continue
		}
		maps.DeleteFunc(stood, func(id string, steps int) bool { later, there := now[id]; return !there || later > steps })
		if len(stood) == 0 && x.ready() {
			break
		}
	}
	return time.Since(began)
}

// drain waits until the queue has nothing left that runs, and all webhooks are told.
func (x *platform) drain(db *store.Store) {
	x.t.Helper()
	for range 600 {
		var left, told int64
		err := db.SQL(x.t.Context()).Raw("SELECT (SELECT COUNT(*) FROM river_job WHERE state = 'running') + (SELECT COUNT(*) FROM deliveries WHERE status = 'pending')").Scan(&left).Error
		if err == nil {
			err = db.SQL(x.t.Context()).Raw("SELECT last_seq FROM feeds WHERE id = 'all'").Scan(&told).Error
		}
		x.mu.Lock()
		read := len(x.stream) > 0 && x.stream[len(x.stream)-1] == told
		x.mu.Unlock()
		if err == nil && left == 0 && read {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	var left []string
	must.OK(x.t, db.SQL(x.t.Context()).Raw("SELECT concat_ws(' ', 'delivery', id, 'tries', tries, 'next', next_at, reason) FROM deliveries WHERE status = 'pending'"+
		" UNION ALL SELECT concat_ws(' ', 'job', id, kind, state, 'attempt', attempt, 'at', attempted_at, 'next', scheduled_at, args) FROM river_job WHERE state <> 'completed' AND state <> 'cancelled'").Scan(&left).Error)
	x.t.Logf("left at %s:\n%s", time.Now().UTC(), strings.Join(left, "\n"))
}

// cuts is how many messages were cut on the way to Postgres.
func (x *platform) cuts() (n int) {
	for _, l := range x.toDatabase {
		if l != nil {
			n += l.Cuts()
		}
	}
	return n
}

// report tells what was done, and fails for each law that is broken.
func (x *platform) report(seed uint64, counts map[Kind]int, e Evidence) {
	x.t.Helper()
	total := 0
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		x.t.Logf("%5d %s", counts[kind], kind)
		if !strings.HasSuffix(string(kind), "(met nothing)") {
			total += counts[kind]
		}
	}
	repeats := map[string]int{}
	for _, a := range e.Asks {
		repeats[a.Decision]++
	}
	again := 0
	for _, n := range repeats {
		again += n - 1
	}
	x.t.Logf("seed %d: %d faults, %d matches, %d decisions recorded, %d asked more than once, %d messages cut on the way to Postgres, all moved after %.1f s",
		seed, total, len(e.Matches), len(e.Decisions), again, x.cuts(), e.Still.Seconds())
	broken := map[Law]int{}
	for _, b := range Judge(e) {
		if broken[b.Law]++; broken[b.Law] <= 5 {
			x.t.Errorf("%s: %s", b.Law, b.What)
		}
	}
	for _, law := range slices.Sorted(maps.Keys(broken)) {
		x.t.Errorf("broken %d times: %s", broken[law], law)
	}
}

// feeder keeps the platform busy with tournaments of all games.
type feeder struct {
	x        *platform
	db       *store.Store
	director *director.Director
	bots     []tournament.Bot
}

// feed makes a tournament when there is little left to play, until ctx ends.
func (f *feeder) feed(ctx context.Context) (list []Tournament) {
	games := catalog.All()
	for n := 0; ctx.Err() == nil; {
		open, err := f.open()
		if err == nil && open < enough {
			var t Tournament
			f.wake(ctx)
			info := games[n%len(games)].Info()
			if t, err = f.make(ctx, n, info.ID, max(2, info.MinSeats)); err == nil {
				list = append(list, t)
				n++
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	return list
}

// make makes a round robin of all bots and starts it. It goes on until that is done: what was made and not started would never end.
func (f *feeder) make(ctx context.Context, n int, id string, seats int) (Tournament, error) {
	engine, _ := catalog.Find(id)
	config, err := engine.Configure([]byte(short[id]), seats)
	if err != nil {
		return Tournament{}, err
	}
	now := time.Now()
	ladder, err := f.director.EnsureLadder(ctx, id)
	if err != nil {
		return Tournament{}, err
	}
	t, err := f.director.CreateTournament(ctx, tournament.Tournament{
		Name: fmt.Sprintf("cup %d", n), OrganiserID: f.bots[0].OwnerID, Game: id, Config: config, Format: tournament.RoundRobin, Table: seats, Cycles: 1,
		Rated: true, LadderID: ladder.ID, Capacity: len(f.bots), Clock: thinking(), Limits: tournament.FaultLimits{InRow: 10, Total: 100},
		OpensAt: now.Add(-time.Minute), ClosesAt: now.Add(time.Hour), StartsAt: now.Add(2 * time.Hour), Status: tournament.Scheduled,
	})
	if err != nil {
		return Tournament{}, err // one that was made all the same never starts
	}
	for _, b := range f.bots {
		f.insist(func() error { _, err := f.director.Join(context.WithoutCancel(ctx), t.ID, b.ID, b.OwnerID); return err })
	}
	var refused error
	f.insist(func() error { _, refused = f.director.Start(context.WithoutCancel(ctx), t.ID); return refused })
	// A commit that was on its way to the standby when its server died is seen after the restart, and gone if the standby takes over. It
	// is safe once a commit after it is answered.
	f.insist(func() error {
		return f.db.SQL(context.WithoutCancel(ctx)).Exec("UPDATE tournaments SET name = name WHERE id = ?", t.ID).Error
	})
	var begun tournament.Tournament
	f.insist(func() (err error) { begun, err = f.db.Tournament(context.WithoutCancel(ctx), t.ID); return err })
	if begun.Status == tournament.Scheduled {
		f.x.t.Logf("%s was not started: %v", t.Name, refused)
		return Tournament{}, fmt.Errorf("it never starts: %w", refused) // too few of its bots were there
	}
	return Tournament{ID: t.ID}, nil
}

// wake brings bots back that checks have paused or their conduct has banned, as their owners and an administrator would: without
// bots there is nothing to strike at.
func (f *feeder) wake(ctx context.Context) {
	for _, b := range f.bots {
		now, err := f.db.Bot(ctx, b.ID)
		if err != nil || now.Status == tournament.BotActive {
			continue
		}
		f.x.t.Logf("%s was %s by %s: %s", b.Name, now.Status, now.Pause, now.Reason)
		if now.BannedAt != nil {
			f.insist(func() error { _, err := f.director.UnbanBot(context.WithoutCancel(ctx), b.ID); return err })
		}
		f.insist(func() error {
			_, err := directortest.Greet(context.WithoutCancel(ctx), f.db, f.director, b.ID, "")
			return err
		})
	}
}

// insist does something until it is done: who hears of no answer finds it done the next time.
func (f *feeder) insist(do func() error) {
	for range 600 {
		err := do()
		if err == nil || errors.Is(err, tournament.ErrState) || errors.Is(err, tournament.ErrTaken) {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func (f *feeder) open() (n int, err error) {
	err = f.db.SQL(f.x.t.Context()).Raw("SELECT COUNT(*) FROM matches WHERE status IN ('queued', 'running')").Scan(&n).Error
	return n, err
}

// standing are the matches under way, each with how many decisions it has.
func (f *feeder) standing() (map[string]int, error) {
	var rows []struct {
		ID string
		N  int
	}
	err := f.db.SQL(f.x.t.Context()).Raw("SELECT m.id, (SELECT COUNT(*) FROM decisions d WHERE d.match_id = m.id) AS n FROM matches m WHERE m.status = 'running'").Scan(&rows).Error
	out := map[string]int{}
	for _, r := range rows {
		out[r.ID] = r.N
	}
	return out, err
}

// decisions is how many are recorded; 0 while Postgres is away.
func (f *feeder) decisions() (n int) {
	_ = f.db.SQL(f.x.t.Context()).Raw("SELECT COUNT(*) FROM decisions").Scan(&n)
	return n
}

func (f *feeder) progress() string {
	var n struct{ Done, Open, Decisions int }
	if err := f.db.SQL(f.x.t.Context()).Raw(`SELECT (SELECT COUNT(*) FROM matches WHERE status = 'done') AS done,
		(SELECT COUNT(*) FROM matches WHERE status IN ('queued', 'running')) AS open, (SELECT COUNT(*) FROM decisions) AS decisions`).Scan(&n).Error; err != nil {
		return "Postgres is away"
	}
	return fmt.Sprintf("%d matches done, %d open, %d decisions", n.Done, n.Open, n.Decisions)
}

// finish waits until the tournaments are over, and notes which are.
func (f *feeder) finish(list []Tournament) {
	for i := range list {
		for range 3000 {
			t, err := f.db.Tournament(f.x.t.Context(), list[i].ID)
			if list[i].Status = t.Status; err != nil {
				list[i].Status = tournament.Status(err.Error())
			}
			if list[i].Status == tournament.Finished {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if list[i].Status != tournament.Finished {
			return // the judge names all that are not
		}
	}
}
