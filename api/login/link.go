package login

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// MyLink makes a link that logs a browser in as the caller. Like a login, it would outlive a token that expires.
func (l *Login) MyLink(ctx context.Context, in *wire.LoginLinkCreate) (wire.LoginLink, error) {
	who := gate.Who(ctx)
	if err := whole(who); err != nil {
		return wire.LoginLink{}, err
	}
	out, err := l.On(l.cfg.Store.WithToken(who.Token)).LinkFor(ctx, who.User, in)
	if errors.Is(err, tournament.ErrNotFound) {
		err = httpx.ErrToken
	}
	return out, err
}

// LinkFor makes a link that logs a browser in as a user. Who may do so is the caller's to see to.
func (l *Login) LinkFor(ctx context.Context, u tournament.User, in *wire.LoginLinkCreate) (wire.LoginLink, error) {
	var asked time.Duration
	if in != nil {
		asked = time.Duration(in.LastsMS) * time.Millisecond
	}
	life, err := tournament.LinkLife("/lasts_ms", asked)
	if err != nil {
		return wire.LoginLink{}, err
	}
	code, err := tournament.NewLoginSecret(l.cfg.Rand)
	if err != nil {
		return wire.LoginLink{}, err
	}
	ends := l.cfg.Now().Add(life)
	if err := l.cfg.Store.AddLoginLink(ctx, code, u.ID, ends); err != nil {
		return wire.LoginLink{}, err
	}
	gate.SetAuditSubject(ctx, u.ID)
	return wire.LoginLink{Name: u.Name, URL: wire.LinkAt(httpx.BaseOf(l.cfg.Public, gate.Request(ctx)), wire.LoginLinkPath, code), ExpiresAt: ends}, nil
}

// Once returns the page of a link. Its button alone uses the link up: a program that looks at what is behind links does not.
func (l *Login) Once(c *gin.Context) error {
	q, err := httpx.Query(c, "code")
	if err != nil {
		return err
	}
	code := tournament.LoginSecret(q["code"])
	id, err := l.cfg.Store.LinkOf(c.Request.Context(), code)
	if err != nil {
		return l.wrongLink(c, err)
	}
	u, err := l.cfg.Store.User(c.Request.Context(), id)
	if err == nil {
		err = enabled(u)
	}
	if err != nil {
		return err
	}
	return l.page(c, http.StatusOK, pages.Login{Page: pages.Page{Title: "Log in as " + u.Name}, Name: u.Name, Code: string(code)})
}

// Enter logs the browser in by a link, which is used up.
func (l *Login) Enter(c *gin.Context) error {
	in, err := web.ReadForm(c, "code")
	if err != nil {
		return err
	}
	code := tournament.LoginSecret(text.Word(in.Get("code")))
	err = l.Begin(c, func(ctx context.Context, session tournament.LoginSecret) (tournament.User, error) {
		return l.cfg.Store.Enter(ctx, code, session)
	})
	if err != nil {
		return l.wrongLink(c, err)
	}
	c.Redirect(http.StatusSeeOther, "/me")
	return nil
}

// Class returns the page of a class link: a form for the name of a new account.
func (l *Login) Class(c *gin.Context) error {
	q, err := httpx.Query(c, "code")
	if err != nil {
		return err
	}
	return l.classPage(c, http.StatusOK, pages.Class{Code: q["code"]})
}

// AgainClass returns the page of a class link with the reason why no account of a name was made.
func (l *Login) AgainClass(c *gin.Context, status int, code tournament.LoginSecret, name string, refused error) error {
	why := said(refused, name)
	if errors.Is(refused, tournament.ErrTaken) { // without a script, a second click sends the form twice
		why += " If you have clicked twice, the account " + name + " may be yours: ask whoever sent the link for one that logs you in."
	}
	return l.classPage(c, status, pages.Class{Code: string(code), Name: name, Problem: why})
}

func (l *Login) classPage(c *gin.Context, status int, p pages.Class) error {
	ctx := c.Request.Context()
	link, err := l.cfg.Store.ClassLinkOf(ctx, tournament.LoginSecret(p.Code))
	if err != nil {
		return l.wrongLink(c, err)
	}
	events, schedules, err := l.cfg.Store.ClassEvents(ctx, link)
	if err != nil {
		return err
	}
	switch u, err := l.user(c); {
	case err == nil:
		p.LoggedIn = u.Name
	case !errors.Is(err, tournament.ErrNotFound) && !errors.Is(err, tournament.ErrDisabled):
		return err
	}
	for _, t := range events {
		p.Events = append(p.Events, pages.ClassEvent{Path: "/tournaments/" + t.ID, Name: t.Name, StartsAt: t.StartsAt, Status: t.Status, Over: tournament.CanClass(t) != nil})
	}
	for _, x := range schedules {
		p.Events = append(p.Events, pages.ClassEvent{Path: "/schedules", Name: x.Template.Name, Again: true})
	}
	p.Page, p.Note = pages.Page{Title: "Join the class"}, link.Note
	body, err := l.cfg.Site.Page("class", p)
	return web.Send(c, status, body, err)
}

// wrongLink refuses a link that does not exist any more, or never did, in the same words, and counts it against the address.
func (l *Login) wrongLink(c *gin.Context, err error) error {
	if !errors.Is(err, tournament.ErrNotFound) {
		return err
	}
	return l.cfg.Gate.WrongCode(c, &refusal{
		say: "this link was used, has ended, or was never made; ask for another where you got it",
		why: errors.New("no such link"),
	})
}
