package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/bots/protocol"
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

// platform is the running parts of one process.
type platform struct {
	store    *store.Store
	director *director.Director
	files    files
	bots     *httpbot.Client
	guard    httpbot.Guard
	log      *slog.Logger
	metrics  *prometheus.Registry
	pack     time.Duration // decisions of matches over for so long are packed; 0: never
	refit    time.Duration // least time between two fits of a ladder; 0 is the workers' own
}

// newPlatform opens the database, which must be migrated, and the way out to the bots.
func newPlatform(ctx context.Context, s settings, log *slog.Logger, o storeOptions) (*platform, error) {
	guard, err := s.guard()
	if err != nil {
		return nil, err
	}
	o.keep = time.Duration(s.KeepDays) * 24 * time.Hour
	rounds := counter("tournament_rounds_total", "Rounds of tournaments that this process has made.", "format")
	o.rounded = func(f tournament.Format) { rounds.WithLabelValues(string(f)).Inc() }
	db, err := openStore(ctx, s.Database, log, o)
	if err != nil {
		return nil, err
	}
	files, err := s.shareFiles(db.Connections().Max)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	p := &platform{
		store:    db,
		director: director.New(db),
		files:    files,
		guard:    guard,
		pack:     time.Duration(s.PackDays) * 24 * time.Hour,
		log:      log,
		metrics:  prometheus.NewRegistry(),
		bots: httpbot.NewClient(httpbot.Options{
			Guard:   guard,
			Mailbox: db,
			PerHost: max(64, 10*s.Workers),
			Asks:    files.asks,
			Calls:   files.calls,
			Sockets: files.sockets,
		}),
	}
	p.metrics.MustRegister(rounds, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return p, nil
}

func (p *platform) close() error {
	p.bots.Close()
	return p.store.Close()
}

// api builds the REST API. An empty cursorKey is drawn anew.
func (p *platform) api(limits api.Limits, proxies []string, cursorKey []byte) (*api.Server, error) {
	return api.New(api.Config{
		Store: p.store, Engines: catalog.All(), Greet: p.greet, Prove: p.prove,
		CheckURL: func(raw string) error { return httpbot.CheckURL(raw, p.guard) },
		Now:      time.Now, Rand: rand.Reader, Logger: p.log, Version: version, Metrics: p.metrics, Docs: docs.Files(),
		Limits: limits, TrustedProxies: proxies, CursorKey: cursorKey,
	})
}

func (p *platform) greet(ctx context.Context, url string, secrets []string) (protocol.HelloAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return httpbot.Greet(ctx, httpbot.Config{URL: url, Secrets: secrets, Client: p.bots}, rand.Reader)
}

// work plays matches until ctx ends.
func (p *platform) work(ctx context.Context, slots int) error {
	observe, err := observer(p.metrics, slots)
	if err != nil {
		return err
	}
	engines, err := timed(p.metrics, catalog.Find)
	if err != nil {
		return err
	}
	return jobs.Run(ctx, jobs.Config{Store: p.store, Engines: engines, Players: p.player, Check: p.check, Deliver: p.deliver, Slots: slots, Logger: p.log, Refit: p.refit, Pack: p.pack, Observe: observe})
}

// check greets a bot as the health check does, and returns the build it says.
func (p *platform) check(ctx context.Context, v tournament.Version) (string, error) {
	hello, err := p.greet(ctx, v.URL, v.Secrets)
	return hello.Build, err
}

// prove asks the receiver at a webhook's URL whether it wants to be called.
func (p *platform) prove(ctx context.Context, url string, secret string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return httpbot.Prove(ctx, httpbot.Config{URL: url, Secrets: []string{secret}, Client: p.bots}, rand.Reader)
}

// deliver sends an event to a webhook.
func (p *platform) deliver(ctx context.Context, w tournament.Webhook, d tournament.Delivery) (tournament.Attempt, error) {
	return httpbot.Deliver(ctx, httpbot.Config{URL: w.URL, Secrets: w.Secrets(time.Now()), Client: p.bots}, d.ID, d.Payload)
}

// player reaches the bot of a seat with the secrets that are live now.
func (p *platform) player(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
	v, err := p.store.Version(ctx, m.Seats[seat].VersionID)
	if err != nil {
		return nil, err
	}
	return httpbot.New(httpbot.Config{URL: v.URL, Secrets: v.Secrets, Text: v.WantsText, Client: p.bots})
}

// serveOn serves h on l until ctx ends; requests under way then get some seconds to end.
func serveOn(ctx context.Context, l net.Listener, h http.Handler) error {
	server := api.NewHTTPServer("", h)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return server.Shutdown(last)
	})
	return group.Wait()
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address with --listen or --metrics", err)
	}
	return l, nil
}
