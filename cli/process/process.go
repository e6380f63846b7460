package process

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// Process is the running parts of one server process.
type Process struct {
	Store    *store.Store
	Director *director.Director
	Bots     *httpbot.Client // the way out to the bots
	files    settings.Files
	guard    httpbot.Guard
	log      *slog.Logger
	metrics  *prometheus.Registry
	pack     time.Duration // decisions of matches over for so long are packed; 0: never
	refit    time.Duration // least time between two fits of a ladder; 0 is the workers' own
	ballast  []byte        // see [Ballast]
	awaited  atomic.Bool   // the database was there, with all its tables
	private  string        // see [settings.Settings.PrivateBots]
	serves   bool          // it serves the API
}

// Options are what differs between a platform and the demo.
type Options struct {
	Rand     io.Reader     // seeds, nonces, aliases; nil is the system's
	FastSync bool          // SQLite may lose the last commits in a power cut
	Unasked  bool          // Postgres may be away when it is opened: Await waits for it
	Makes    bool          // a file of SQLite that is not there is made
	Refit    time.Duration // least time between two fits of a ladder; 0 is the workers' own
}

// Open opens the database, which need not be migrated yet, and the way out to the bots. Close ends what it opened.
func Open(ctx context.Context, s settings.Settings, log *slog.Logger, o Options) (*Process, error) {
	guard, err := s.Guard()
	if err != nil {
		return nil, err
	}
	guard.Own = &httpbot.Own{}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(buildInfo(), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	rounds := counter(metrics, "tournament_rounds_total", "Rounds of tournaments that this process has made.", "format")
	db, err := openStore(ctx, s.Database, o.Makes, store.Options{
		Logger:     log,
		FastSync:   o.FastSync,
		Unasked:    o.Unasked,
		MaxConns:   s.DatabaseConns(),
		Direct:     s.Direct,
		Public:     s.PublicURL,
		KeepEvents: time.Duration(s.KeepDays) * 24 * time.Hour,
	})
	if err != nil {
		return nil, err
	}
	files, err := s.ShareFiles(db.Connections().Max)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	p := &Process{
		Store: db,
		Director: director.New(db, director.Options{
			Engines: catalog.Find,
			Rand:    cmp.Or[io.Reader](o.Rand, rand.Reader),
			Greets:  true,
			Rounded: func(f tournament.Format) { rounds.WithLabelValues(string(f)).Inc() },
		}),
		files:   files,
		guard:   guard,
		private: s.PrivateBots(),
		pack:    time.Duration(s.PackDays) * 24 * time.Hour,
		log:     log,
		refit:   o.Refit,
		ballast: Ballast(),
		metrics: metrics,
		Bots: httpbot.NewClient(httpbot.Options{
			Guard:   guard,
			Mailbox: db,
			PerHost: max(64, 10*s.Workers),
			Asks:    files.Asks,
			Calls:   files.Calls,
			Sockets: files.Sockets,
		}),
	}
	if err := p.denyDatabase(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	for _, listener := range []string{s.Listen, s.Metrics} { // of another process, too: serve's API is not for a worker's bots
		if err := p.Deny(ctx, listener); listener != "" && err != nil {
			return nil, errors.Join(fmt.Errorf("%w: --listen, --metrics: %w", command.ErrUsage, err), p.Close())
		}
	}
	return p, nil
}

// Close ends what Open opened.
func (p *Process) Close() error {
	p.Bots.Close()
	return p.Store.Close()
}

// API builds the REST API. Nobody logs in at an issuer there, and no proxy is believed, unless more says so.
func (p *Process) API(limits gate.Limits, more ...func(*api.Config)) (*api.Server, error) {
	files, err := api.ReadFiles(docs.Files(), catalog.All())
	if err != nil {
		return nil, err
	}
	c := api.Config{
		Store:    p.Store,
		Director: p.Director,
		Engines:  catalog.All(),
		Greet:    p.greet,
		Try:      p.try,
		Prove:    p.prove,
		CheckURL: func(raw string) error { return httpbot.CheckURL(raw, p.guard) },
		Now:      now,
		Rand:     rand.Reader,
		Logger:   p.log,
		Version:  command.Version(),
		Metrics:  p.metrics,
		Files:    files,
		Limits:   limits,
	}
	for _, set := range more {
		set(&c)
	}
	return api.New(c)
}

func (p *Process) greet(ctx context.Context, url string, secrets []string) (protocol.HelloAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return httpbot.Greet(ctx, httpbot.Config{URL: url, Secrets: secrets, Client: p.Bots}, rand.Reader)
}

// lateBound is how late a process may get to run, in the mean of some seconds, and still take matches as they come.
const lateBound = 100 * time.Millisecond

// Work plays matches until ctx ends.
func (p *Process) Work(ctx context.Context, slots int) error {
	p.metrics.MustRegister(lateness(p.Bots))
	return jobs.Run(ctx, jobs.Config{
		Store:    p.Store,
		Director: p.Director,
		Engines:  timed(p.metrics, catalog.Find),
		Players:  p.player,
		Check:    p.check,
		Deliver:  p.deliver,
		Review:   reviewed,
		Card:     checkedCard,
		Slots:    slots,
		Logger:   p.log,
		Refit:    p.refit,
		Pack:     p.pack,
		Observe:  observer(p.metrics, slots),
		Late: func() bool {
			late, _ := p.Bots.Late()
			return late > lateBound
		},
	})
}

// check greets a bot as the health check does, and returns the build it says.
func (p *Process) check(ctx context.Context, d store.DueCheck) (string, error) {
	hello, err := p.greet(ctx, d.URL, d.Secrets)
	if err == nil && d.Trial {
		err = p.try(ctx, d.Version)
	}
	return hello.Build, err
}

// try asks a bot for a decision in the first of its games. An agent is not asked, nor a bot that is entered where it may think for longer
// than a try lasts: its hello says that it is there.
func (p *Process) try(ctx context.Context, v tournament.Version) error {
	if _, is := tournament.AgentName(v.URL); is {
		return nil
	}
	longest, err := p.Store.MayThink(ctx, v.BotID)
	if err != nil || longest > runner.TrialTime() {
		return err
	}
	for _, id := range v.Games {
		engine, ok := catalog.Find(id)
		if !ok {
			continue
		}
		var seed game.Seed
		if _, err := rand.Read(seed[:]); err != nil {
			return err
		}
		player, err := httpbot.New(httpbot.Config{URL: v.URL, Secrets: v.Secrets, Text: v.WantsText, Client: p.Bots})
		if err != nil {
			return err
		}
		return tried(runner.Trial(ctx, engine, seed, player), longest)
	}
	return nil
}

// tried returns what the error of a decision on trial says against a bot, by the longest that it may think where it is entered. Of a bot that is
// entered nowhere, taking long says nothing: it may yet enter where it has longer.
func tried(err error, longest time.Duration) error {
	if longest == 0 && errors.Is(err, runner.ErrLate) {
		return nil
	}
	return err
}

// prove asks the receiver at a webhook's URL whether it wants to be called. A channel of Discord cannot answer: it is sent a word.
func (p *Process) prove(ctx context.Context, w tournament.Webhook) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	c := httpbot.Config{URL: w.URL, Secrets: []string{w.Secret}, Client: p.Bots}
	if w.Format != tournament.FormatDiscord {
		return httpbot.Prove(ctx, c, rand.Reader)
	}
	hello, err := tournament.Notice{Subject: "Events of your bots and tournaments arrive here from now on"}.Discord()
	if err != nil {
		return err
	}
	a, err := httpbot.Deliver(ctx, c, "hello", hello)
	if err == nil && a.Reason != "" {
		err = fmt.Errorf("%w: %s", tournament.ErrBot, a.Reason)
	}
	return err
}

// deliver sends an event to a webhook.
func (p *Process) deliver(ctx context.Context, w tournament.Webhook, d tournament.Delivery) (tournament.Attempt, error) {
	return httpbot.Deliver(ctx, httpbot.Config{URL: w.URL, Secrets: w.Secrets(time.Now()), Client: p.Bots}, d.ID, d.Payload)
}

// player reaches the bot of a seat with the secrets that are live now.
func (p *Process) player(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
	v, err := p.Store.VersionToAsk(ctx, m.Seats[seat].VersionID)
	if err != nil {
		return nil, err
	}
	return p.reach(v)
}

// reach makes the player of a version. Its address was allowed when it was registered: where it is refused here, the match is void, and the log
// says who mends that.
func (p *Process) reach(v tournament.Version) (runner.Player, error) {
	bot, err := httpbot.New(httpbot.Config{URL: v.URL, Secrets: v.Secrets, Text: v.WantsText, Client: p.Bots})
	if errors.Is(err, tournament.ErrBot) {
		p.log.Error("a bot that is registered may not be called from here: set MOLERUN_ALLOW_PRIVATE_BOTS alike for serve and work, or ban the bot",
			"bot", v.BotID, "error", err)
	}
	if err != nil {
		return nil, err
	}
	return bot, nil
}

// ballastBytes is how much a process may have allocated since the last collection, at least, before the next begins.
const ballastBytes = 64 << 20

// Ballast returns memory for a process to hold and never to read: the garbage collector counts it as in use, and the system never has to
// give it. Without it a platform, which keeps a few megabytes, would collect many times a second under load. It is nil where somebody has set a
// limit to the memory (GOMEMLIMIT), which would count it.
func Ballast() []byte {
	if debug.SetMemoryLimit(-1) < math.MaxInt64 {
		return nil
	}
	return make([]byte, ballastBytes)
}
