package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/door"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament/httpbot"
)

func serveCommand(c console) *cobra.Command {
	s, envErr := newSettings()
	var migrate bool
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the API, and play matches beside it", Args: usage(cobra.NoArgs),
		Long: "Serves the REST API and plays matches in the same process. With --workers 0 it only serves; then start molerun work\n" +
			"as often as you like on one Postgres. Prints the address it serves at on stdout. Ends gracefully on SIGINT and SIGTERM:\n" +
			"matches in progress go on with another worker.",
		Example: "  molerun serve --migrate\n  molerun serve --database postgres://localhost/molerun --workers 0",
		RunE:    func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), c, s, true, migrate) },
	}
	s.processFlags(cmd, envErr)
	cmd.Flags().StringVar(&s.Listen, "listen", s.Listen, "where the API listens (MOLERUN_LISTEN)")
	cmd.Flags().StringSliceVar(&s.Proxies, "trusted-proxies", s.Proxies, "networks whose X-Forwarded-For is believed (MOLERUN_TRUSTED_PROXIES)")
	cmd.Flags().BoolVar(&migrate, "migrate", false, "bring the database up to date first")
	return cmd
}

func workCommand(c console) *cobra.Command {
	s, envErr := newSettings()
	cmd := &cobra.Command{
		Use: "work", Short: "Play matches, beside other workers on one Postgres", Args: usage(cobra.NoArgs),
		Long: "Plays matches until SIGINT or SIGTERM. A worker that dies loses nothing: another one takes its matches over within\n" +
			"fifteen seconds and goes on after the last recorded decision.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.Workers < 1 {
				return fmt.Errorf("%w: --workers: %d; a worker plays at least one match at a time", errUsage, s.Workers)
			}
			return run(cmd.Context(), c, s, false, false)
		},
	}
	s.processFlags(cmd, envErr)
	return cmd
}

// run is a server process: the API if serve, workers if there are any, metrics if they have an address.
func run(ctx context.Context, c console, s settings, serve, migrate bool) (err error) {
	log, err := s.logger(c.err)
	if err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	key, err := s.cursorKey()
	if err != nil {
		return err
	}
	defer httpbot.RouteStdLog(log)()
	p, err := newPlatform(ctx, s, log, storeOptions{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if migrate {
		if err := p.store.Migrate(ctx); err != nil {
			return err
		}
	}
	if err := migrated(ctx, p.store); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	if s.Metrics != "" {
		if err := p.metrics.Register(newPulse(p.store)); err != nil {
			return err
		}
		l, err := listen(ctx, s.Metrics)
		if err != nil {
			return err
		}
		group.Go(func() error {
			return serveOn(ctx, door.Listen(l, door.Limits{All: scrapes}), api.MetricsHandler(p.metrics))
		})
	}
	if serve {
		if err := p.serve(ctx, group, s, key, c.out); err != nil {
			return err
		}
	}
	if s.Workers > 0 {
		group.Go(func() error { return p.work(ctx, s.Workers) })
	}
	return group.Wait()
}

// serve answers the API from now on, and tells where.
func (p *platform) serve(ctx context.Context, group *errgroup.Group, s settings, key []byte, out io.Writer) error {
	limits := api.DefaultLimits()
	limits.Default.Count = s.Requests
	server, err := p.api(limits, s.Proxies, key)
	if err != nil {
		return err
	}
	for _, game := range catalog.All() {
		if _, err := p.director.EnsureLadder(ctx, game.Info().ID); err != nil { // so that bots can join before anything was played
			return err
		}
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { // who asks /readyz hears of it before the door is shut
		server.Drain()
		time.AfterFunc(time.Duration(s.Drain)*time.Second, stop)
	})
	group.Go(func() error { return server.Run(ctx) })
	proxies, err := s.proxies()
	if err != nil {
		return err
	}
	tcp, err := listen(ctx, s.Listen)
	if err != nil {
		return err
	}
	l := door.Listen(tcp, door.Limits{All: p.files.api, Each: p.files.each, Proxies: proxies})
	if err := p.metrics.Register(doorMetrics{l}); err != nil {
		return errors.Join(err, l.Close())
	}
	fmt.Fprintf(out, "http://%s\n", l.Addr())
	group.Go(func() error { return serveOn(serving, l, server) })
	return nil
}
