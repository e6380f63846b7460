package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
)

// atOnce is how many matches run side by side in the parallel measurements.
const atOnce = 64

// decisions measures whole matches over loopback HTTP against a bare client that sends the same bytes to the same bot.
func decisions(ctx context.Context, span time.Duration) ([]figure, error) {
	b, err := newLoopbackBot(ctx)
	if err != nil {
		return nil, err
	}
	defer b.close()
	many, err := b.compare(ctx, atOnce, span)
	if err != nil {
		return nil, err
	}
	// One match alone measures the hops between processors more than us, unless both run on one.
	before := runtime.GOMAXPROCS(1)
	one, err := b.compare(ctx, 1, span)
	runtime.GOMAXPROCS(before)
	if err != nil {
		return nil, err
	}
	memory, err := b.memory(ctx)
	if err != nil {
		return nil, err
	}
	bare := fmt.Sprintf("net/http + encoding/json, same %d bytes, same bot", len(b.body))
	return []figure{
		floor("decisions, 64 matches", "/s", many.ours, many.bare, bare, 1),
		floor("decisions, one match, one core", "/s", one.ours, one.bare, bare, 0.95),
		ceiling("CPU per decision, both ends", "µs", many.oursCPU*1e6, many.bareCPU*1e6, bare, 1.1),
		ceiling("memory per running match", "bytes", memory, 60_000, "60 kB", 1),
	}, nil
}

// benchSecret is that of bots that live for a measurement.
const benchSecret = "whsec_bW9sZXJ1biBiZW5jaG1hcmsgc2VjcmV0ISE="

// loopbackBot is a bot on loopback, and what both clients need to talk to it.
type loopbackBot struct {
	url    string
	server *http.Server
	client *httpbot.Client
	plain  *http.Client
	engine game.Engine
	turn   protocol.Turn // a turn from the middle of a match
	body   []byte
	hold   atomic.Pointer[sync.WaitGroup] // when set, the bot keeps everybody waiting on it
	held   atomic.Int64
}

func newLoopbackBot(ctx context.Context) (*loopbackBot, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &loopbackBot{
		url: "http://" + l.Addr().String(), engine: game.Wrap(molehill.Rules{}),
		client: httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback(), PerHost: 4 * atOnce}),
		plain:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}, Timeout: 10 * time.Second},
	}
	b.server = &http.Server{Handler: http.HandlerFunc(b.answer), ReadHeaderTimeout: time.Minute}
	go func() { _ = b.server.Serve(l) }() // ends with close
	keep := &keeper{at: 40}
	if _, _, err := b.match(ctx, "sample", keep); err != nil {
		b.close()
		return nil, err
	}
	b.turn = keep.turn
	b.body, err = json.Marshal(b.turn)
	return b, err
}

func (b *loopbackBot) close() {
	b.plain.CloseIdleConnections()
	b.client.Close()
	_ = b.server.Close()
}

// answer serves the trivial bot: it reads the turn and takes the first of the list. To hello it shows its card.
func (b *loopbackBot) answer(w http.ResponseWriter, r *http.Request) {
	var turn struct {
		Decision  string `json:"decision"`
		Challenge string `json:"challenge"`
	}
	if err := json.NewDecoder(r.Body).Decode(&turn); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if gate := b.hold.Load(); gate != nil && turn.Decision != "" {
		b.held.Add(1)
		gate.Wait()
	}
	answer := map[string]any{"decision": turn.Decision, "choose": 0}
	if turn.Challenge != "" {
		answer = map[string]any{"challenge": turn.Challenge, "games": []string{"molehill"}}
	}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		return // the client has gone
	}
}

// figures are the rates of one comparison, and the processor time of this process for one decision.
type figures struct{ ours, bare, oursCPU, bareCPU float64 }

// compare runs both three times in turn and takes the medians.
func (b *loopbackBot) compare(ctx context.Context, workers int, span time.Duration) (figures, error) {
	var err error
	var ours, bare, oursCPU, bareCPU [3]float64
	for i := range 3 {
		if bare[i], bareCPU[i], err = rate(ctx, workers, span, b.bare); err != nil {
			return figures{}, err
		}
		if ours[i], oursCPU[i], err = rate(ctx, workers, span, b.ours); err != nil {
			return figures{}, err
		}
	}
	return figures{
		ours:    middle(ours[:]),
		bare:    middle(bare[:]),
		oursCPU: middle(oursCPU[:]),
		bareCPU: middle(bareCPU[:]),
	}, nil
}

// rate lets workers repeat f, which makes some decisions a call, for span, and returns decisions by second and processor
// seconds by decision.
func rate(ctx context.Context, workers int, span time.Duration, f func(context.Context) (int, error)) (perSecond, cpuEach float64, err error) {
	var done atomic.Int64
	errs := make([]error, workers)
	var wg sync.WaitGroup
	begin, used := time.Now(), cpu()
	for w := range workers {
		wg.Go(func() {
			for time.Since(begin) < span && errs[w] == nil {
				var n int
				n, errs[w] = f(ctx)
				done.Add(int64(n))
			}
		})
	}
	wg.Wait()
	n := float64(done.Load())
	return n / time.Since(begin).Seconds(), (cpu() - used).Seconds() / n, errors.Join(errs...)
}

// bare returns one decision as one would write it by hand: connections kept, no signature, no guard, no clock.
func (b *loopbackBot) bare(ctx context.Context) (int, error) {
	out, err := json.Marshal(b.turn)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url, bytes.NewReader(out))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := b.plain.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	var answer protocol.Answer
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return 1, err
}

// ours returns a whole match: rules, views, offers, signatures, clocks, ledger, record.
func (b *loopbackBot) ours(ctx context.Context) (int, error) {
	o, _, err := b.match(ctx, "bench", discard{})
	return o.Steps, err
}

func (b *loopbackBot) match(ctx context.Context, id string, log runner.Log) (runner.Outcome, runner.Spec, error) {
	config, err := b.engine.Configure(nil, 2)
	if err != nil {
		return runner.Outcome{}, runner.Spec{}, err
	}
	info := b.engine.Info()
	spec := runner.SpecOf(tournament.Match{
		ID: id, Game: info.ID, RulesVersion: info.Version, Engine: "bench", Config: config, Seats: []tournament.MatchSeat{{Alias: "amber-fox"}, {Alias: "grey-owl"}},
		Seed: game.Seed{1}, Nonce: [16]byte{1}, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
	}, b.engine, nil)
	players := make([]runner.Player, 2)
	for i := range players {
		if players[i], err = httpbot.New(httpbot.Config{URL: b.url, Secrets: []string{benchSecret}, Client: b.client}); err != nil {
			return runner.Outcome{}, spec, err
		}
	}
	if k, ok := log.(*keeper); ok {
		players[0] = k.over(players[0])
	}
	o, err := runner.Play(ctx, spec, players, log)
	if err == nil && (o.Faults[0] > 0 || o.Faults[1] > 0) {
		err = fmt.Errorf("the bot of the benchmark made %v faults", o.Faults)
	}
	return o, spec, err
}

// memory returns what a match costs while it waits for a bot: heap and stacks of this process, the bot's side included.
func (b *loopbackBot) memory(ctx context.Context) (float64, error) {
	const matches = 2 * atOnce
	gate := new(sync.WaitGroup)
	gate.Add(1)
	before := inUse()
	b.held.Store(0)
	b.hold.Store(gate)
	errs := make([]error, matches)
	var wg sync.WaitGroup
	for i := range matches {
		wg.Go(func() { _, _, errs[i] = b.match(ctx, fmt.Sprint("memory", i), discard{}) })
	}
	for b.held.Load() < matches && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	after := inUse()
	b.hold.Store(nil)
	gate.Done()
	wg.Wait()
	return (after - before) / matches, errors.Join(errs...)
}

func inUse() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse + m.StackInuse)
}

// discard records nothing.
type discard struct{}

func (discard) Append(context.Context, runner.Step) error { return nil }

// keeper records nothing but one turn, as a sample.
type keeper struct {
	discard
	at   int
	turn protocol.Turn
}

// over looks over a player's shoulder.
func (k *keeper) over(p runner.Player) runner.Player { return &watched{p, k} }

type watched struct {
	runner.Player
	keeper *keeper
}

func (w *watched) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	if a.Step <= w.keeper.at {
		w.keeper.turn = protocol.Turn{
			Protocol: protocol.Version, Type: protocol.TypeTurn, Match: b.Match, Game: b.Info.ID, RulesVersion: b.Info.Version, Config: b.Config,
			Seat: b.Seat, Opponents: []protocol.Opponent{{Seat: 1 - b.Seat, Alias: b.Aliases[1-b.Seat]}}, Step: a.Step, Decision: a.Decision,
			Clock: protocol.Clock{LimitMS: b.Clock.Limit.Milliseconds(), BankMS: a.Bank.Milliseconds()}, Events: a.Events, View: a.View, Offer: a.Offer, Memo: a.Memo,
		}
	}
	return w.Player.Ask(ctx, b, a)
}
