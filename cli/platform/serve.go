package platform

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
)

func serveCommand(c command.Console) *cobra.Command {
	s, envErr := settings.New()
	var migrate bool
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the API, and play matches beside it",
		Long: "Serves the REST API and plays matches in the same process. With --workers 0 it only serves; then start molerun work\n" +
			"as often as you like on one Postgres, on this machine too. Prints the address it serves at on stdout. Ends gracefully on SIGINT and SIGTERM:\n" +
			"matches in progress go on with another worker.",
		Example: "  molerun serve --migrate\n  molerun serve --database postgres://localhost/molerun --workers 0",
		RunE:    func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), c, s, true, migrate) },
	}
	s.ProcessFlags(cmd, envErr, func() error { return process.CheckFace(s) })
	cmd.Flags().StringVar(&s.Listen, "listen", s.Listen, "where the API listens (MOLERUN_LISTEN)")
	cmd.Flags().StringSliceVar(&s.Proxies, "trusted-proxies", s.Proxies, "networks whose X-Forwarded-For, -Proto and -Host are believed (MOLERUN_TRUSTED_PROXIES)")
	cmd.Flags().IntVar(&s.Guests, "guests", s.Guests, "people without an account who may play at once; 0: nobody may (MOLERUN_GUESTS)")
	cmd.Flags().BoolVar(&migrate, "migrate", false, "bring the database up to date first")
	return cmd
}

func workCommand(c command.Console) *cobra.Command {
	s, envErr := settings.New()
	cmd := &cobra.Command{
		Use: "work", Short: "Play matches, beside other workers on one Postgres",
		Long: "Plays matches until SIGINT or SIGTERM. A worker that dies loses nothing: another one takes its matches over within\n" +
			"fifteen seconds and goes on after the last recorded decision.",
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), c, s, false, false) },
	}
	s.ProcessFlags(cmd, envErr, func() error {
		if s.Workers == 0 {
			return errors.New("--workers: 0; a worker plays at least one match at a time")
		}
		return nil
	})
	return cmd
}

// run runs a server process: the API if serve is set, workers if there are any, metrics if they have an address.
func run(ctx context.Context, c command.Console, s settings.Settings, serve, migrate bool) (err error) {
	log, err := s.Logger(c.Err)
	if err != nil {
		return err
	}
	for _, name := range settings.Unknown() {
		log.Warn("unknown setting", "variable", name)
	}
	key, err := s.CursorKey()
	if err != nil {
		return err
	}
	var metrics net.Listener
	if s.Metrics != "" {
		if metrics, err = process.ListenForMetrics(ctx, s.Metrics); err != nil {
			return err
		}
		s.Metrics = metrics.Addr().String() // which no bot may be called at
	}
	p, err := process.Open(ctx, s, log, process.Options{Unasked: true, Makes: migrate})
	if err != nil {
		if metrics != nil {
			err = errors.Join(err, metrics.Close())
		}
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	group, ctx := errgroup.WithContext(ctx)
	if metrics != nil {
		if err := p.ServeMetrics(ctx, group, metrics); err != nil {
			return err
		}
	}
	var address net.Addr
	if serve {
		if address, err = p.Serve(ctx, group, s, key); err != nil {
			return err
		}
	}
	group.Go(func() error {
		there, err := p.Await(ctx, migrate)
		if err != nil || !there {
			return err
		}
		if serve {
			fmt.Fprintln(c.Out, command.URL(address))
		}
		log.Info("ready", "version", command.Version(), "serves", serve, "workers", s.Workers, "metrics", s.Metrics)
		if s.Workers == 0 {
			return nil
		}
		return p.Work(ctx, s.Workers)
	})
	return group.Wait()
}
