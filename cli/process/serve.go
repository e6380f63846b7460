package process

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/door"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
)

// Serve answers the API in group from now on, and returns its address. As long as the database is away it answers 503. It ends
// with ctx: /readyz says so before the door is shut.
func (p *Process) Serve(ctx context.Context, group *errgroup.Group, s settings.Settings, key []byte) (net.Addr, error) {
	limits := gate.DefaultLimits()
	limits.Default.Count = s.Requests
	limits.Guests = s.Guests
	face := Face{
		Limits:       limits,
		Proxies:      s.Proxies,
		CursorKey:    key,
		Login:        login.Settings{Issuer: s.Issuer, ClientID: s.ClientID, ClientSecret: s.ClientSecret, PublicURL: s.PublicURL},
		Registration: login.Registration(s.Registration),
	}
	if s.Issuer+s.ClientID+s.ClientSecret == "" {
		face.Login = login.Settings{} // a public address alone asks for no login
	}
	if err := face.Login.Check(); err != nil {
		return nil, fmt.Errorf("%w: MOLERUN_OIDC_ISSUER, MOLERUN_OIDC_CLIENT_ID, MOLERUN_OIDC_CLIENT_SECRET, MOLERUN_PUBLIC_URL: %w", command.ErrUsage, err)
	}
	server, err := p.API(face)
	if err != nil {
		return nil, err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { // who asks /readyz hears of it before the door is shut
		server.Drain()
		last := time.Duration(s.Drain) * time.Second
		if !p.awaited.Load() {
			last = 0 // nobody was sent here yet
		}
		time.AfterFunc(last, stop)
	})
	group.Go(func() error { return server.Run(ctx) })
	proxies, err := s.TrustedNetworks()
	if err != nil {
		return nil, err
	}
	tcp, err := command.Listen(ctx, s.Listen)
	if err != nil {
		return nil, err
	}
	l := door.Listen(tcp, door.Limits{All: p.files.API, Each: p.files.Each, Proxies: proxies})
	if err := p.metrics.Register(doorMetrics{l}); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	group.Go(func() error { return ServeOn(serving, l, server) })
	return l.Addr(), nil
}

// ServeMetrics answers /metrics at addr in group from now on.
func (p *Process) ServeMetrics(ctx context.Context, group *errgroup.Group, addr string) error {
	if err := p.metrics.Register(newVitals(p.Store)); err != nil {
		return err
	}
	l, err := command.Listen(ctx, addr)
	if err != nil {
		return err
	}
	group.Go(func() error {
		return ServeOn(ctx, door.Listen(l, door.Limits{All: settings.Scrapes}), api.MetricsHandler(p.metrics))
	})
	return nil
}

// ServeOn serves h on l until ctx ends; requests under way then get some seconds to end.
func ServeOn(ctx context.Context, l net.Listener, h http.Handler) error {
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
