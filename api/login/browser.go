package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/gin-gonic/gin"
	"golang.org/x/oauth2"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// Start sends the browser to the issuer; without one the page says how to get a link. It takes no address to come back to: a login
// always ends at /me.
func (l *Login) Start(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	if !l.cfg.Settings.On() {
		return l.page(c, http.StatusOK, pages.Login{Page: pages.Page{Title: "Log in"}, Base: httpx.BaseOf(l.cfg.Public, c.Request)})
	}
	if err := l.cfg.Gate.Login(c); err != nil {
		return err
	}
	e, err := l.issuer.ask(c.Request.Context())
	if err != nil {
		return err
	}
	secret, err := l.open(c, tournament.Login{State: tournament.LoginSent})
	if err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, e.oauth.AuthCodeURL(part(secret, "state"), oidc.Nonce(part(secret, "nonce")), oauth2.S256ChallengeOption(part(secret, "verifier"))))
	return nil
}

// open begins a login of this browser, which gets its secret.
func (l *Login) open(c *gin.Context, x tournament.Login) (tournament.LoginSecret, error) {
	secret, err := tournament.NewLoginSecret(l.cfg.Rand)
	if err != nil {
		return "", err
	}
	x.ExpiresAt = l.cfg.Now().Add(tournament.LoginTime)
	if err := l.cfg.Store.BeginLogin(c.Request.Context(), secret, x); err != nil {
		return "", err
	}
	l.cookies.Set(c, loginCookie, string(secret), tournament.LoginTime)
	return secret, nil
}

// Callback returns where the issuer leads the browser back to. Parameters that we do not know are passed over, as OAuth demands.
func (l *Login) Callback(c *gin.Context) error {
	q, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return doubt("%w", err)
	}
	secret := l.cookies.get(c, loginCookie)
	if secret == "" {
		return orStale(tournament.ErrNotFound)
	}
	if len(q["state"]) != 1 || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(part(secret, "state"))) != 1 {
		return doubt("another state than this browser's")
	}
	if _, err := l.cfg.Store.TakeLogin(c.Request.Context(), secret, tournament.LoginSent); err != nil {
		return orStale(err)
	}
	l.cookies.Set(c, loginCookie, "", 0)
	who, err := l.come(c, q, secret)
	if err != nil {
		return err
	}
	u, err := l.cfg.Store.Identified(c.Request.Context(), who)
	if errors.Is(err, tournament.ErrNotFound) {
		if _, err := l.open(c, tournament.Login{State: tournament.LoginProved, Identity: who}); err != nil {
			return err
		}
		c.Redirect(http.StatusSeeOther, "/login/name")
		return nil
	}
	if err != nil {
		return err
	}
	return l.enter(c, who, u)
}

// come exchanges the code in the query for the identity of the person that the issuer sends back.
func (l *Login) come(c *gin.Context, q url.Values, secret tournament.LoginSecret) (tournament.Identity, error) {
	e, err := l.issuer.ask(c.Request.Context())
	if err != nil {
		return tournament.Identity{}, err
	}
	switch iss := q["iss"]; {
	case len(iss) > 1, len(iss) == 1 && iss[0] != l.cfg.Settings.Issuer:
		return tournament.Identity{}, doubt("the answer is of another issuer: %q", iss)
	case len(iss) == 0 && e.tellsIss:
		return tournament.Identity{}, doubt("the answer does not name its issuer, which says that it does")
	}
	if said := q.Get("error"); said != "" {
		return tournament.Identity{}, denied(said)
	}
	if len(q["code"]) != 1 || q.Get("code") == "" {
		return tournament.Identity{}, doubt("%d codes", len(q["code"]))
	}
	return l.issuer.exchange(c.Request.Context(), e, q.Get("code"), part(secret, "nonce"), oauth2.VerifierOption(part(secret, "verifier")))
}

// denied returns the issuer's error. It repeats only one of OAuth's codes, never the description.
func denied(word string) error {
	if word == "" || len(word) > 40 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_") != "" {
		word = "an error"
	}
	return &refusal{say: "the issuer did not log you in: " + word, why: fmt.Errorf("the issuer said %s", word)}
}

// enter logs the browser in by an identity, always under a new secret; a session that it had before ends.
func (l *Login) enter(c *gin.Context, who tournament.Identity, u tournament.User) error {
	if err := enabled(u); err != nil {
		return err
	}
	err := l.Begin(c, func(ctx context.Context, session tournament.LoginSecret) (tournament.User, error) {
		return u, l.cfg.Store.WithIdentity(who, u.ID).BeginSession(ctx, session, u.ID)
	})
	if err == nil {
		c.Redirect(http.StatusSeeOther, "/me")
	}
	return orStale(err)
}

// Begin logs the browser in as whom begin returns, which keeps the session under its fresh secret. A session that the browser had
// before ends.
func (l *Login) Begin(c *gin.Context, begin func(ctx context.Context, session tournament.LoginSecret) (tournament.User, error)) error {
	secret, err := tournament.NewLoginSecret(l.cfg.Rand)
	if err != nil {
		return err
	}
	u, err := begin(c.Request.Context(), secret)
	if err != nil {
		return err
	}
	if old := l.cookies.get(c, sessionCookie); old != "" {
		if err := l.cfg.Store.EndSession(c.Request.Context(), old); err != nil {
			return err
		}
	}
	gate.SetCaller(c, u) // for the audit line
	gate.SetAuditSubject(c, u.ID)
	l.cookies.Set(c, loginCookie, "", 0)
	l.cookies.Set(c, sessionCookie, string(secret), tournament.SessionTime)
	return nil
}

// Ask returns the page for a new person: a name for a new account, or a token of an existing one.
func (l *Login) Ask(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	if _, _, err := l.proved(c); err != nil {
		return err
	}
	return l.askPage(c, http.StatusOK, "", "")
}

// proved returns the secret of this browser's login, and the identity that the issuer has proved.
func (l *Login) proved(c *gin.Context) (tournament.LoginSecret, tournament.Identity, error) {
	secret := l.cookies.get(c, loginCookie)
	x, err := l.cfg.Store.Login(c.Request.Context(), secret)
	if err == nil && x.State != tournament.LoginProved {
		err = tournament.ErrNotFound
	}
	return secret, x.Identity, orStale(err)
}

func (l *Login) askPage(c *gin.Context, status int, name, problem string) error {
	return l.page(c, status, pages.Login{
		Page:    pages.Page{Title: "Your account"},
		Problem: problem,
		Asks:    true,
		May:     l.MayRegister(true) == nil,
		Name:    name,
	})
}

// again returns the page with the reason of a refusal; what is not the person's fault is an error.
func (l *Login) again(c *gin.Context, name string, err error) error {
	k := gate.KindOf(err)
	if errors.Is(err, httpx.ErrLogin) || k.Status >= http.StatusInternalServerError {
		return err
	}
	return l.askPage(c, k.Status, name, said(err, name))
}

// said returns why an account of a name is not made, in words for a page.
func said(err error, name string) string {
	var field *tournament.FieldError
	switch {
	case errors.Is(err, tournament.ErrTaken):
		return "The name " + name + " is taken. Choose another."
	case errors.As(err, &field):
		return "A name " + field.Reason + "."
	case errors.Is(err, httpx.ErrToken):
		return "This is no token that is live."
	}
	return gate.Detail(gate.KindOf(err), err)
}

// Register makes the account of somebody new.
func (l *Login) Register(c *gin.Context) error {
	in, err := web.ReadForm(c, "name")
	if err != nil {
		return err
	}
	secret, identity, err := l.proved(c)
	if err != nil {
		return err
	}
	name := in.Get("name")
	u, err := l.enrol(c, secret, name)
	if err != nil {
		return l.again(c, name, err)
	}
	return l.enter(c, identity, u)
}

// enrol makes a user of a person who has proved an identity.
func (l *Login) enrol(c *gin.Context, secret tournament.LoginSecret, name string) (tournament.User, error) {
	if err := l.MayRegister(true); err != nil {
		return tournament.User{}, err
	}
	if err := tournament.CheckName("/name", name); err != nil {
		return tournament.User{}, err
	}
	if err := l.cfg.Gate.Register(c); err != nil {
		return tournament.User{}, err
	}
	u, err := l.cfg.Store.Enrol(c.Request.Context(), secret, tournament.User{Name: name, Role: tournament.RoleOwner})
	return u, orStale(err)
}

// Link gives an account that exists the identity of this browser's login. Its token proves whose it is.
func (l *Login) Link(c *gin.Context) error {
	in, err := web.ReadForm(c, "token")
	if err != nil {
		return err
	}
	secret, identity, err := l.proved(c)
	if err != nil {
		return err
	}
	who, err := l.cfg.Gate.Prove(c, text.Word(in.Get("token")))
	if err == nil {
		err = whole(who)
	}
	if err != nil {
		return l.again(c, "", err)
	}
	switch err := l.cfg.Store.WithToken(who.Token).Link(c.Request.Context(), secret, who.User.ID); {
	case errors.Is(err, tournament.ErrLimit):
		return l.again(c, "", err)
	case err != nil:
		return orStale(err)
	}
	return l.enter(c, identity, who.User)
}

// Behind carries out what only a person who is logged in may do, as them, and leads others to the login. A form that is sent after the
// session has ended is kept in a page, from which it can be sent again.
func (l *Login) Behind(c *gin.Context, do func() error) error {
	u, err := l.user(c)
	if errors.Is(err, tournament.ErrNotFound) {
		if c.Request.Method == http.MethodPost {
			in, err := web.ReadFields(c)
			if err != nil {
				return err
			}
			return l.page(c, http.StatusForbidden, pages.Login{Page: pages.Page{Title: "Not logged in"}, Path: c.Request.URL.Path, Kept: in})
		}
		c.Redirect(http.StatusSeeOther, "/login")
		return nil
	}
	if err != nil {
		return err
	}
	gate.SetCaller(c, u)
	return do()
}

// Known makes whoever the browser is logged in as the request's caller, if it is; else it stays a stranger's.
func (l *Login) Known(c *gin.Context) error {
	u, err := l.user(c)
	if errors.Is(err, tournament.ErrNotFound) {
		return nil
	}
	if err == nil {
		gate.SetCaller(c, u)
	}
	return err
}

// whole refuses a token that may do less than its user, who may do everything once they are logged in, and one that expires: the
// login would outlive it.
func whole(who *gate.Caller) error {
	if at := who.Token.ExpiresAt; at != nil {
		return fmt.Errorf("%w: this token expires on %s, and the login would outlive it; use a token that does not expire, such as that of your registration",
			tournament.ErrScope, at.UTC().Format(time.DateOnly))
	}
	all := tournament.AllScopes().Of(who.User.Role)
	if has := who.Token.Scopes.Of(who.User.Role); who.Token.BotID != "" || len(has) != len(all) {
		return fmt.Errorf("%w: only a token that may do all that its user may makes a login: %s, for all bots", tournament.ErrScope, all)
	}
	return nil
}

// Logout ends the session of the browser.
func (l *Login) Logout(c *gin.Context) error {
	if _, err := web.ReadForm(c); err != nil {
		return err
	}
	if secret := l.cookies.get(c, sessionCookie); secret != "" {
		if err := l.cfg.Store.EndSession(c.Request.Context(), secret); err != nil {
			return err
		}
	}
	l.cookies.Set(c, sessionCookie, "", 0)
	c.Redirect(http.StatusSeeOther, "/")
	return nil
}
