package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/connlimit"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
)

// loginOf returns at which issuer people log in. A public address alone asks for no login.
func loginOf(s settings.Settings) login.Settings {
	if s.Issuer+s.ClientID+s.ClientSecret == "" {
		return login.Settings{}
	}
	return login.Settings{Issuer: s.Issuer, ClientID: s.ClientID, ClientSecret: s.ClientSecret, PublicURL: s.PublicURL}
}

// CheckFace refuses settings with which the API cannot be served; what no process can run with is for [settings.Settings.Check].
func CheckFace(s settings.Settings) error {
	if s.PublicURL != "" && settings.CheckPublicURL("", s.PublicURL) != nil {
		s.PublicURL = "https://molerun.example.org" // Check has said what is wrong with it
	}
	return loginOf(s).CheckFor(login.Registration(s.Registration))
}

// Serve answers the API in group from now on, and returns its address. As long as the database is away it answers 503. It ends
// with ctx: /readyz says so before the listener closes.
func (p *Process) Serve(ctx context.Context, group *errgroup.Group, s settings.Settings, key []byte) (net.Addr, error) {
	p.serves = true
	limits := gate.DefaultLimits()
	limits.Default.Count, limits.Following.Count = s.Requests, s.Requests*gate.FollowingPerRequest
	limits.Guests = s.Guests
	proxies, err := s.TrustedNetworks()
	if err != nil {
		return nil, err
	}
	server, err := p.API(limits, func(c *api.Config) {
		c.PublicURL, c.CursorKey, c.Login, c.Registration = s.PublicURL, key, loginOf(s), login.Registration(s.Registration)
		c.TrustedProxies = proxies
	})
	if err != nil {
		return nil, err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { // /readyz reports it before the listener closes
		server.Drain()
		last := time.Duration(s.Drain) * time.Second
		if !p.awaited.Load() {
			last = 0 // nobody was sent here yet
		}
		time.AfterFunc(last, func() { server.Stop(); stop() })
	})
	group.Go(func() error { server.Run(ctx); return nil })
	tcp, err := command.Listen(ctx, s.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	if err := p.Deny(ctx, tcp.Addr().String()); err != nil {
		return nil, errors.Join(err, tcp.Close())
	}
	l := connlimit.Listen(tcp, connlimit.Limits{Total: p.files.API, PerAddress: p.files.Each, Proxies: proxies})
	if err := p.metrics.Register(connMetrics(l)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	group.Go(func() error { p.Store.MarkServing(serving); return nil })
	group.Go(func() error { return ServeOn(serving, l, server, p.log) })
	return l.Addr(), nil
}

// portsForMetrics is how many ports from the default one on are tried.
const portsForMetrics = 100

// ListenForMetrics opens the listener of /metrics. Where the default address is taken, as by another process on this machine, it takes the
// next port that is free: any number of processes may start without settings.
func ListenForMetrics(ctx context.Context, addr string) (net.Listener, error) {
	l, err := command.Listen(ctx, addr)
	if err == nil {
		return l, nil
	}
	err = fmt.Errorf("--metrics: %w", err)
	if addr != settings.DefaultMetrics {
		return nil, err
	}
	at := netip.MustParseAddrPort(addr)
	for port := at.Port() + 1; port < at.Port()+portsForMetrics; port++ {
		if l, err := command.Listen(ctx, netip.AddrPortFrom(at.Addr(), port).String()); err == nil {
			return l, nil
		}
	}
	return nil, err
}

// ServeMetrics answers /metrics on l in group from now on.
func (p *Process) ServeMetrics(ctx context.Context, group *errgroup.Group, l net.Listener) error {
	if err := p.metrics.Register(vitals(p.Store)); err != nil {
		return errors.Join(err, l.Close())
	}
	if err := p.Deny(ctx, l.Addr().String()); err != nil {
		return errors.Join(err, l.Close())
	}
	group.Go(func() error {
		return ServeOn(ctx, connlimit.Listen(l, connlimit.Limits{Total: settings.Scrapes}), api.MetricsHandler(p.metrics), p.log)
	})
	return nil
}

// parting is how long requests that are under way when a process stops may still take.
const parting = 10 * time.Second

// ServeOn serves h on l until ctx ends. Requests under way then get some seconds to end; what is not over by then is cut off, as a request
// that its caller never sent to the end.
func ServeOn(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
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
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
		defer cancel()
		err := server.Shutdown(last)
		if !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		log.Info("connections are cut off: their requests did not end", "after", parting.String())
		return server.Close()
	})
	return group.Wait()
}
