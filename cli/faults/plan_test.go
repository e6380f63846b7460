package faults_test

import (
	"math"
	"math/rand/v2"
	"time"
)

// Kind is a kind of fault.
type Kind string

// The kinds. A freeze is a SIGSTOP and, later, a SIGCONT; links are the connections through a [Link].
const (
	KillWorker      Kind = "worker killed"
	KillAPI         Kind = "API killed"
	KillPostgres    Kind = "Postgres killed"
	EndBackends     Kind = "backends terminated"
	FreezeWorker    Kind = "worker frozen"
	FreezeAPI       Kind = "API frozen"
	FreezePostgres  Kind = "Postgres frozen"
	FreezeBots      Kind = "bots frozen"
	CutDatabase     Kind = "link to Postgres cut at a message"
	CutBeforeCommit Kind = "link to Postgres cut before a COMMIT arrived"
	CutAfterCommit  Kind = "link to Postgres cut after a COMMIT took"
	SlowDatabase    Kind = "link to Postgres slow"
	StallDatabase   Kind = "link to Postgres stalled"
	CutBots         Kind = "link to bots cut"
	SlowBots        Kind = "link to bots slow"
	StallBots       Kind = "link to bots stalled"
	StepClock       Kind = "worker's clock an hour off"
	Twin            Kind = "worker started twice"
	Storm           Kind = "storm of retries"
	Migrate         Kind = "migration under load"
	RestartAll      Kind = "everything restarted at once"
	StartAway       Kind = "processes started before Postgres"
	FullDisk        Kind = "disk under Postgres full"
	Failover        Kind = "primary Postgres killed and its standby promoted"
)

// weights are how often each kind comes, beside the others. FullDisk needs a disk of its own, so it is not among them, and Failover a
// standby, which does not have such a disk.
var weights = []struct {
	kind Kind
	n    int
}{
	{KillWorker, 12}, {KillAPI, 4}, {KillPostgres, 3}, {EndBackends, 8}, {FreezeWorker, 8}, {FreezeAPI, 3}, {FreezePostgres, 2}, {FreezeBots, 2},
	{CutDatabase, 16}, {CutBeforeCommit, 14}, {CutAfterCommit, 14}, {SlowDatabase, 2}, {StallDatabase, 2}, {CutBots, 8}, {SlowBots, 2}, {StallBots, 2},
	{StepClock, 2}, {Twin, 2}, {Storm, 2}, {Migrate, 2}, {RestartAll, 1}, {StartAway, 1},
}

// Kinds are all kinds that need nothing special, each once.
func Kinds() []Kind {
	out := make([]Kind, len(weights))
	for i, w := range weights {
		out[i] = w.kind
	}
	return out
}

// Fault is one fault of a plan.
type Fault struct {
	Number int // from 1
	Kind   Kind
	After  time.Duration // since the one before began
	For    time.Duration // how long it lasts, for those that last
	Luck   uint64        // which worker, which message
}

// The shortest freeze or stall.
const shortest = 200 * time.Millisecond

// Plan is the n faults of a seed: the same for the same seed. Each kind comes once before any other comes by its weight.
// Freezes and stalls last from 0.2 s to longest, short ones more often; fullDisk adds [FullDisk] to the kinds, and else there is
// [Failover].
func Plan(seed uint64, n int, longest time.Duration, fullDisk bool) []Fault {
	rng := rand.New(rand.NewPCG(seed, 0x6661756c7473)) // no secret: a seed reproduces the plan
	kinds := Kinds()
	var drawn []Kind
	for _, w := range weights {
		for range w.n {
			drawn = append(drawn, w.kind)
		}
	}
	more, weight := Failover, 3
	if fullDisk {
		more, weight = FullDisk, 10
	}
	kinds = append(kinds, more)
	for range weight {
		drawn = append(drawn, more)
	}
	rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	out := make([]Fault, n)
	for i := range out {
		kind := drawn[rng.IntN(len(drawn))]
		if i < len(kinds) {
			kind = kinds[i]
		}
		out[i] = Fault{
			Number: i + 1,
			Kind:   kind,
			After:  time.Duration(20+rng.IntN(280)) * time.Millisecond,
			For:    time.Duration(float64(shortest) * math.Pow(float64(longest)/float64(shortest), rng.Float64())),
			Luck:   rng.Uint64(),
		}
	}
	return out
}

// Failovers is a plan of nothing else.
func Failovers(n int) []Fault {
	out := make([]Fault, n)
	for i := range out {
		out[i] = Fault{Number: i + 1, Kind: Failover, After: time.Second}
	}
	return out
}
