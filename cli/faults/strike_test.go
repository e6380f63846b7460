package faults_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/molerun/molerun/internal/clitest"
)

// errMissed is a cut that met no message within its time: everybody was away.
var errMissed = errors.New("it met nothing")

// strike does what a fault of the plan says, and mends it. It returns when all is as it was.
func (x *platform) strike(f Fault) error {
	i := int(f.Luck % workers)
	switch f.Kind {
	case KillWorker, FreezeWorker, StepClock, Twin:
		x.workerLocks[i].Lock()
		defer x.workerLocks[i].Unlock()
		return x.strikeWorker(f, i)
	case KillAPI, FreezeAPI:
		x.apiLock.Lock()
		defer x.apiLock.Unlock()
		if f.Kind == FreezeAPI {
			x.theAPI().freeze(f.For)
			return nil
		}
		x.theAPI().kill()
		x.startAPI()
		return nil
	case KillPostgres, FreezePostgres, FullDisk, Failover:
		x.postgresLock.Lock()
		defer x.postgresLock.Unlock()
		return x.strikePostgres(f)
	case CutDatabase, CutBeforeCommit, CutAfterCommit, SlowDatabase, StallDatabase:
		x.databaseLinkLock.Lock()
		defer x.databaseLinkLock.Unlock()
		return x.strikeDatabaseLink(f)
	case FreezeBots, CutBots, SlowBots, StallBots:
		x.botsLock.Lock()
		defer x.botsLock.Unlock()
		x.strikeBots(f)
		return nil
	case EndBackends:
		// Some of them, by luck. While Postgres is away there is nothing to end.
		_ = x.primary().on("postgres", fmt.Sprintf("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s' AND (pid + %d) %% 2 = 0", database, f.Luck%2))
		return nil
	case Storm:
		x.storm(f)
		return nil
	case Migrate:
		x.schemaLock.Lock()
		defer x.schemaLock.Unlock()
		return x.migrate(f)
	case RestartAll, StartAway:
		return x.restart(f)
	}
	return fmt.Errorf("fault %d: nobody knows how to do %q", f.Number, f.Kind)
}

func (x *platform) strikeWorker(f Fault, i int) error {
	p := x.worker(i)
	switch f.Kind {
	case FreezeWorker:
		from := time.Now()
		p.freeze(f.For)
		x.of(&x.frozen, from)
	case StepClock:
		step := time.Hour
		if f.Luck%2 == 0 {
			step = -step
		}
		p.kill()
		other := x.work("MOLERUN_FAULTS_CLOCK=" + step.String())
		x.setWorker(i, other)
		time.Sleep(f.For)
		other.kill()
		x.setWorker(i, x.work())
	case Twin:
		twin := x.work()
		time.Sleep(f.For)
		twin.kill()
	default:
		if f.Luck%4 == 0 { // as a supervisor does it
			if !p.stop() {
				x.mu.Lock()
				x.ended = append(x.ended, "a worker did not end within 30 s of SIGTERM:\n"+p.last())
				x.mu.Unlock()
			}
		} else {
			p.kill()
		}
		x.setWorker(i, x.work())
	}
	return nil
}

func (x *platform) strikePostgres(f Fault) error {
	switch f.Kind {
	case FreezePostgres:
		all := x.primary().all()
		for _, pid := range all {
			_ = syscall.Kill(pid, syscall.SIGSTOP)
		}
		time.Sleep(f.For)
		for _, pid := range all {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
		return nil
	case FullDisk:
		return x.fill(f)
	case Failover:
		return x.failOver()
	}
	x.primary().kill()
	return x.primary().start()
}

// failOver kills the primary as a power cut would, has its standby take over, and makes a new standby where the primary was.
func (x *platform) failOver() error {
	from := x.first.Load()
	old, next := x.nodes[from], x.nodes[1-from]
	old.kill()
	if err := next.ask("SELECT pg_promote()"); err != nil {
		return err
	}
	x.first.Store(1 - from)
	return old.follow(next)
}

// fill leaves no room for Postgres' log for a while. A server that gives up is started again, as a supervisor would.
func (x *platform) fill(f Fault) error {
	ballast := filepath.Join(x.primary().wal, "ballast")
	file, err := os.Create(ballast)
	if err != nil {
		return err
	}
	block := make([]byte, 256<<10)
	for err == nil {
		_, err = file.Write(block)
	}
	_ = file.Close()
	time.Sleep(f.For)
	if err := os.Remove(ballast); err != nil {
		return err
	}
	time.Sleep(time.Second)
	if x.primary().ask("SELECT 1") == nil {
		return nil
	}
	x.primary().kill()
	return x.primary().start()
}

func (x *platform) strikeDatabaseLink(f Fault) error {
	commit, link := func(u clitest.Unit) bool { return u.Commit }, x.link()
	switch f.Kind {
	case CutBeforeCommit:
		link.Arm(clitest.Before, commit)
	case CutAfterCommit:
		link.Arm(clitest.After, commit)
	case SlowDatabase:
		link.Slow(time.Duration(1+f.Luck%50) * time.Millisecond)
		time.Sleep(f.For)
		link.Slow(0)
		return nil
	case StallDatabase:
		link.Stall(f.For)
		time.Sleep(f.For)
		return nil
	default:
		left := int(f.Luck % 300) // messages from now
		link.Arm(clitest.Cut(f.Luck%3), func(clitest.Unit) bool { left--; return left < 0 })
	}
	before := link.Cuts()
	for began := time.Now(); before == link.Cuts(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			link.Arm(clitest.Before, nil)
			return errMissed
		}
	}
	return nil
}

func (x *platform) strikeBots(f Fault) {
	from := time.Now()
	switch f.Kind {
	case FreezeBots:
		x.bots.freeze(f.For)
	case SlowBots:
		x.toBots.Slow(time.Duration(5+f.Luck%300) * time.Millisecond)
		time.Sleep(f.For)
		x.toBots.Slow(0)
	case StallBots:
		x.toBots.Stall(f.For)
		time.Sleep(f.For)
	default:
		if f.Luck%4 == 0 {
			x.toBots.CutAll()
			break
		}
		left := int(f.Luck % 20)
		x.toBots.Arm(clitest.Cut(f.Luck%3), func(clitest.Unit) bool { left--; return left < 0 })
		for n := x.toBots.Cuts(); n == x.toBots.Cuts() && time.Since(from) < time.Second; {
			time.Sleep(5 * time.Millisecond)
		}
		x.toBots.Arm(clitest.Before, nil)
	}
	x.of(&x.ofBots, from)
}

// storm is many who ask for the same under one key, all at once, and again until they are answered.
func (x *platform) storm(f Fault) {
	key := fmt.Sprintf("storm-of-retries-%06d", f.Number)
	now := time.Now().UTC()
	body := map[string]any{
		"name": key, "game": "molehill", "table_size": 2, "format": "round_robin", "cycles": 1, "capacity": 2, "duplicate": false, "rated": false,
		"opens_at": now.Add(24 * time.Hour), "closes_at": now.Add(48 * time.Hour), "starts_at": now.Add(72 * time.Hour),
	}
	x.mu.Lock()
	x.keys[key] = false
	x.mu.Unlock()
	long := 3 * time.Minute
	if gate() {
		long = 15 * time.Second
	}
	for range 20 {
		x.storms.Go(func() {
			answered, err := x.post(key, body, long)
			if err != nil {
				x.t.Error(err)
			}
			if answered {
				x.mu.Lock()
				x.keys[key] = true
				x.mu.Unlock()
			}
		})
	}
}

// migrate is what an upgrade does to a running platform: it may only add.
func (x *platform) migrate(f Fault) error {
	for _, table := range []string{"matches", "decisions", "match_seats", "tournaments", "ratings", "events"} {
		sql := fmt.Sprintf("ALTER TABLE %s ADD COLUMN faults_%d TEXT", table, f.Number)
		for try := 0; x.primary().on(database, sql) != nil && try < 20; try++ { // Postgres may be away
			time.Sleep(500 * time.Millisecond)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_ = exec.CommandContext(ctx, x.binary, "migrate", "--database", x.direct).Run() // the same: Postgres may be away
	return nil
}

// restart ends everything at once. Then everything begins at once, or the processes begin while Postgres is away.
func (x *platform) restart(f Fault) error {
	for i := range workers {
		x.workerLocks[i].Lock()
		defer x.workerLocks[i].Unlock()
	}
	x.apiLock.Lock()
	defer x.apiLock.Unlock()
	x.postgresLock.Lock()
	defer x.postgresLock.Unlock()
	x.theAPI().kill()
	for i := range workers {
		x.worker(i).kill()
	}
	x.primary().kill()
	x.startAPI()
	for i := range workers {
		x.setWorker(i, x.work())
	}
	if f.Kind == StartAway {
		time.Sleep(min(f.For, 5*time.Second))
	}
	return x.primary().start()
}
