package login

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/gin-gonic/gin"
	"golang.org/x/oauth2"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// The device flow (RFC 8628). The platform talks to the issuer and the command line to the platform, so that the platform's secret
// stays with it.

const (
	deviceGrant   = "urn:ietf:params:oauth:grant-type:device_code"
	deviceEvery   = 5 * time.Second // between two looks, where the issuer does not say
	deviceSlower  = 5 * time.Second // more, each time that the issuer says slow_down
	maxDeviceTime = 30 * time.Minute
	maxUserCode   = 64 // printable ASCII characters
)

// StartDevice begins a login for a command line.
func (l *Login) StartDevice(c *gin.Context) error {
	if !l.cfg.Settings.On() {
		return tournament.ErrNotFound
	}
	if err := l.cfg.Gate.Login(c); err != nil {
		return err
	}
	ctx := c.Request.Context()
	e, err := l.issuer.ask(ctx)
	if err != nil {
		return err
	}
	if !e.hasDevice {
		return fmt.Errorf("%w: the issuer knows no login on devices; log in at %s/login in a browser", tournament.ErrState, l.cfg.Settings.PublicURL)
	}
	said, err := e.oauth.DeviceAuth(oidc.ClientContext(ctx, l.issuer.client), oauth2.SetAuthURLParam("client_secret", l.cfg.Settings.ClientSecret))
	if err == nil {
		err = checkDevice(said)
	}
	if err != nil {
		return away(err)
	}
	secret, err := tournament.NewLoginSecret(l.cfg.Rand)
	if err != nil {
		return err
	}
	x := l.deviceLogin(said)
	if err := l.cfg.Store.BeginLogin(ctx, secret, x); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusCreated, wire.DeviceLogin{
		Handle:     string(secret),
		UserCode:   said.UserCode,
		At:         said.VerificationURI,
		AtWithCode: said.VerificationURIComplete,
		IntervalMS: x.Every.Milliseconds(),
		ExpiresAt:  x.ExpiresAt,
	})
}

// checkDevice refuses an answer that a command line should not print.
func checkDevice(said *oauth2.DeviceAuthResponse) error {
	code := said.UserCode
	if code == "" || len(code) > maxUserCode || strings.ContainsFunc(code, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the issuer's user code cannot be typed")
	}
	err := checkAddress("verification_uri", said.VerificationURI)
	if said.VerificationURIComplete != "" {
		err = errors.Join(err, checkAddress("verification_uri_complete", said.VerificationURIComplete))
	}
	return err
}

func (l *Login) deviceLogin(said *oauth2.DeviceAuthResponse) tournament.Login {
	every := time.Duration(min(said.Interval, int64(tournament.LoginTime.Seconds()))) * time.Second
	if every <= 0 {
		every = deviceEvery
	}
	long := tournament.LoginTime
	if !said.Expiry.IsZero() {
		long = min(time.Until(said.Expiry), maxDeviceTime)
	}
	return tournament.Login{
		State:      tournament.LoginDevice,
		DeviceCode: said.DeviceCode,
		Every:      every,
		ExpiresAt:  l.cfg.Now().Add(long),
	}
}

// LookDevice says how far a login of a command line is, and hands out its token once.
func (l *Login) LookDevice(c *gin.Context, in wire.DeviceLook) error {
	if in.Name != "" {
		if err := tournament.CheckName("/name", in.Name); err != nil {
			return err
		}
	}
	if !l.cfg.Settings.On() {
		return tournament.ErrNotFound
	}
	out, err := l.look(c, tournament.LoginSecret(in.Handle), in.Name)
	if err != nil {
		l.note(c, err)
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

// look takes one step of a device's login.
func (l *Login) look(c *gin.Context, secret tournament.LoginSecret, name string) (wire.DeviceLooked, error) {
	ctx := c.Request.Context()
	turn, x, err := l.cfg.Store.LoginTurn(ctx, secret)
	switch {
	case err != nil:
		return wire.DeviceLooked{}, err
	case x.State == tournament.LoginProved && x.DeviceCode != "":
		return l.join(c, secret, x.Identity, name)
	case x.State != tournament.LoginDevice: // a browser's
		return wire.DeviceLooked{}, tournament.ErrNotFound
	case !turn:
		return pending(x.Every), nil
	}
	e, err := l.issuer.ask(ctx)
	if err != nil {
		return wire.DeviceLooked{}, err
	}
	who, err := l.issuer.exchange(ctx, e, "", "", oauth2.SetAuthURLParam("grant_type", deviceGrant), oauth2.SetAuthURLParam("device_code", x.DeviceCode))
	if err != nil {
		return l.notYet(ctx, secret, x, err)
	}
	u, err := l.cfg.Store.Identified(ctx, who)
	if errors.Is(err, tournament.ErrNotFound) {
		if err := l.cfg.Store.ProveLogin(ctx, secret, who); err != nil {
			return wire.DeviceLooked{}, err
		}
		return l.join(c, secret, who, name)
	}
	if err != nil {
		return wire.DeviceLooked{}, err
	}
	if _, err := l.cfg.Store.TakeLogin(ctx, secret, tournament.LoginDevice); err != nil {
		return wire.DeviceLooked{}, err
	}
	return l.handOut(c, who, u)
}

// notYet returns the issuer's answer in place of an ID token: wait, or give up.
func (l *Login) notYet(ctx context.Context, secret tournament.LoginSecret, x tournament.Login, err error) (wire.DeviceLooked, error) {
	var said *oauth2.RetrieveError
	if errors.As(err, &said) {
		switch said.ErrorCode {
		case "authorization_pending":
			return pending(x.Every), nil
		case "slow_down":
			return pending(x.Every + deviceSlower), l.cfg.Store.SlowLogin(ctx, secret, x.Every+deviceSlower)
		}
	}
	if !errors.Is(err, httpx.ErrLogin) {
		return wire.DeviceLooked{}, err
	}
	if _, failed := l.cfg.Store.TakeLogin(ctx, secret, tournament.LoginDevice); failed != nil {
		return wire.DeviceLooked{}, failed
	}
	if said != nil {
		err = denied(said.ErrorCode)
	}
	return wire.DeviceLooked{}, err
}

func pending(every time.Duration) wire.DeviceLooked {
	return wire.DeviceLooked{State: "pending", IntervalMS: every.Milliseconds()}
}

// join makes the account of somebody new, once they say its name.
func (l *Login) join(c *gin.Context, secret tournament.LoginSecret, who tournament.Identity, name string) (wire.DeviceLooked, error) {
	if err := l.MayRegister(true); err != nil {
		return wire.DeviceLooked{}, err
	}
	if name == "" {
		return wire.DeviceLooked{State: "name"}, nil
	}
	u, err := l.enrol(c, secret, name)
	if err != nil {
		return wire.DeviceLooked{}, err
	}
	return l.handOut(c, who, u)
}

// handOut gives a user, whose identity was proved, a token of ours.
func (l *Login) handOut(c *gin.Context, who tournament.Identity, u tournament.User) (wire.DeviceLooked, error) {
	if err := enabled(u); err != nil {
		return wire.DeviceLooked{}, err
	}
	ends := l.cfg.Now().Add(tournament.DefaultTokenLife)
	db := l.cfg.Store.WithQuota(u.ID, store.Tokens, l.cfg.Tokens).WithIdentity(who, u.ID)
	token, text, err := db.AddToken(c.Request.Context(), l.cfg.Rand, tournament.Token{
		UserID:    u.ID,
		Note:      "molerun login",
		Scopes:    tournament.AllScopes(),
		ExpiresAt: &ends,
	})
	if err != nil {
		return wire.DeviceLooked{}, err
	}
	gate.SetCaller(c, u) // for the audit line
	gate.SetAuditSubject(c, token.ID)
	made := l.cfg.Made(u, token, text)
	return wire.DeviceLooked{State: "done", Made: &made}, nil
}
