package login

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Registration says how new accounts are made.
type Registration string

// The ways to register.
const (
	RegistrationOpen   Registration = "open"   // everybody, by name alone
	RegistrationLogin  Registration = "login"  // everybody who logs in
	RegistrationClosed Registration = "closed" // nobody
)

const callbackPath = "/login/callback"

// Config holds what a login is made of. Every field is needed but Public; zero Settings: people log in by links.
type Config struct {
	Settings     Settings
	Public       string // where browsers reach the platform; "": as each caller does
	Registration Registration
	Store        *store.Store
	Gate         *gate.Gate
	Site         *pages.Site
	Now          func() time.Time
	Rand         io.Reader // safe for concurrent use
	Log          *slog.Logger
	Tokens       int // live tokens per user
	// Made is how the API shows an account with a fresh token, of which text is shown only now.
	Made func(u tournament.User, t tournament.Token, text string) wire.UserCreated
}

// Login logs people in.
type Login struct {
	cfg     Config
	issuer  *issuer
	cookies cookies
}

// New makes a login; the issuer is not asked yet.
func New(cfg Config) (*Login, error) {
	if err := cfg.Settings.CheckFor(cfg.Registration); err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	return &Login{
		cfg:     cfg,
		issuer:  newIssuer(cfg.Settings, cfg.Now),
		cookies: cookies{web.Cookies{Public: cfg.Public, Site: http.SameSiteLaxMode}},
	}, nil
}

// On returns the login with the store of one request.
func (l *Login) On(db *store.Store) *Login {
	bound := *l
	bound.cfg.Store = db
	return &bound
}

// MayRegister refuses a new account, by name alone or by a login, where the platform takes none that way.
func (l *Login) MayRegister(byLogin bool) error {
	switch l.cfg.Registration {
	case RegistrationClosed:
		return fmt.Errorf("%w: this platform takes no new accounts", httpx.ErrRegistration)
	case RegistrationLogin:
		if !byLogin {
			return fmt.Errorf("%w: new accounts begin with a login: molerun login %s --device, or %s/login in a browser",
				httpx.ErrRegistration, l.cfg.Settings.PublicURL, l.cfg.Settings.PublicURL)
		}
	case RegistrationOpen, "":
	}
	return nil
}

// refusal says of a refused login what its person reads, and why, for the log alone.
type refusal struct {
	say string
	why error
}

func (r *refusal) Error() string   { return httpx.ErrLogin.Error() + ": " + r.say }
func (r *refusal) Unwrap() []error { return []error{httpx.ErrLogin, r.why} }

// doubt refuses what an issuer said, or what looks as if it came from there.
func doubt(format string, args ...any) error {
	return &refusal{say: "what came back from the issuer does not hold, so nobody was logged in; begin again", why: fmt.Errorf(format, args...)}
}

// orStale returns err or, where a login was not found, its refusal: this browser or device did not begin it, or it is over.
func orStale(err error) error {
	if !errors.Is(err, tournament.ErrNotFound) {
		return err
	}
	return &refusal{
		say: "this browser began no such login, or it is over: a login takes ten minutes at most and is used once; begin again",
		why: errors.New("no such login"),
	}
}

// Answer carries out a request of a browser. A refused login is a page for a browser that asks for one; whoever is logged in, and
// whatever else is refused, gets the page of every refusal, as another login would not help.
func (l *Login) Answer(c *gin.Context, do func(*Login, *gin.Context) error) error {
	c.Header("Cache-Control", "no-store")
	err := unrepeated(c)
	if err == nil {
		err = do(l, c)
	}
	if err == nil {
		return nil
	}
	l.note(c, err)
	if !errors.Is(err, httpx.ErrLogin) && !errors.Is(err, httpx.ErrIssuer) || !strings.Contains(c.GetHeader("Accept"), "text/html") {
		return err
	}
	if _, failed := l.user(c); failed == nil {
		return err
	}
	k := gate.KindOf(err)
	return l.page(c, k.Status, pages.Login{Page: pages.Page{Title: k.Title}, Problem: gate.Detail(k, err)})
}

// AtIssuer carries out a step of a login at the issuer, as [Login.Answer] does; without an issuer there is none.
func (l *Login) AtIssuer(c *gin.Context, do func(*Login, *gin.Context) error) error {
	return l.Answer(c, func(l *Login, c *gin.Context) error {
		if !l.cfg.Settings.On() {
			return tournament.ErrNotFound
		}
		return do(l, c)
	})
}

// unrepeated refuses an idempotency key: an answer that is for one browser, once, must not be kept for a caller who repeats its request.
func unrepeated(c *gin.Context) error {
	key, err := httpx.IdempotencyKey(c.Request)
	if err == nil && key != "" {
		err = fmt.Errorf("%w: pages take none", httpx.ErrKey)
	}
	return err
}

// note logs why a login is refused; the person refused does not learn it.
func (l *Login) note(c *gin.Context, err error) {
	var r *refusal
	why := err
	if errors.As(err, &r) {
		why = r.why
	}
	if errors.Is(err, httpx.ErrLogin) || errors.Is(err, httpx.ErrIssuer) {
		l.cfg.Log.WarnContext(context.WithoutCancel(c.Request.Context()), "login refused", "request_id", gate.RequestID(c), "why", why.Error())
	}
}

func (l *Login) page(c *gin.Context, status int, p pages.Login) error {
	body, err := l.cfg.Site.Page("login", p)
	return web.Send(c, status, body, err)
}

// user returns who the browser of a request is logged in as. Nobody, and whose session has ended, is [tournament.ErrNotFound]; a
// disabled user is [tournament.ErrDisabled].
func (l *Login) user(c *gin.Context) (tournament.User, error) {
	id, err := l.cfg.Store.SessionOf(c.Request.Context(), l.cookies.get(c, sessionCookie))
	if err != nil {
		return tournament.User{}, err
	}
	u, err := l.cfg.Store.User(c.Request.Context(), id)
	if err == nil {
		err = enabled(u)
	}
	return u, err
}

func enabled(u tournament.User) error {
	if u.DisabledAt != nil {
		return fmt.Errorf("%w: %s", tournament.ErrDisabled, u.DisabledReason)
	}
	return nil
}

// What a cookie proves is in the database under the hash of its secret.
const (
	loginCookie   = "molerun_login"
	sessionCookie = "molerun_session"
)

// cookies keeps the secrets of a login in a browser: Lax, because the issuer leads back from its own site.
type cookies struct{ web.Cookies }

// get returns the secret in the browser's cookie; "" without one, and if there are several.
func (k cookies) get(c *gin.Context, base string) tournament.LoginSecret {
	list := c.Request.CookiesNamed(k.Name(c, base))
	if len(list) != 1 {
		return ""
	}
	return tournament.LoginSecret(list[0].Value)
}

// part derives what a login sends to the issuer from the browser's secret: nothing of it is stored, none follows from another, and
// whoever brings the state back without the cookie has nothing.
func part(secret tournament.LoginSecret, what string) string {
	sum := hmac.New(sha256.New, []byte(secret))
	sum.Write([]byte(what))
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}
