package gate

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
)

// maxAuthorization is the longest Authorization header that is read, in bytes.
const maxAuthorization = 512

// admit authenticates the caller, counts the request against their rate, and holds their role and their token's scopes
// against what the route needs.
func (g *Gate) admit(c *gin.Context, r Route) error {
	who, err := g.authenticate(c)
	if err != nil {
		return err
	}
	if who != nil {
		c.Set(keyCaller, who)
	} else if r.Session {
		if err := g.Session(c); err != nil {
			return err
		}
	}
	return g.permit(c, r)
}

// permit counts the request against the caller's rate, and holds their role and scopes against what the route needs.
func (g *Gate) permit(c *gin.Context, r Route) error {
	caller := callerAt(c)
	if who := Who(c); who != nil {
		caller = httpx.Caller{"user:" + who.User.ID}
	}
	httpx.SetCaller(c, caller)
	l := g.everything
	switch {
	case strings.HasPrefix(r.Path, "/v1/relays/"), r.Path == "/mcp":
		l = g.relays
	case r.Follows:
		l = g.following
	}
	if err := l.Spend(c, caller[0], g.Now()); err != nil {
		return err
	}
	return May(c, r.Need)
}

// May refuses a caller whose role or scopes do not reach what is needed.
func May(ctx context.Context, need tournament.Scope) error {
	who := Who(ctx)
	switch {
	case need == Anybody:
		return nil
	case who == nil:
		return httpx.ErrToken
	case !who.User.Role.Reaches(need.Role()):
		return fmt.Errorf("%w: you are %s here, and this needs the role %s; ask an administrator", tournament.ErrRole, who.User.Role, need.Role())
	case !who.Token.Scopes.Has(need):
		return fmt.Errorf("%w: this token may %s; this needs %s", tournament.ErrScope, who.scopes(), need)
	}
	return nil
}

// authenticate reads the bearer token; nil without one. Every way to be wrong looks the same from outside. An address that was
// wrong too often must wait, but a good token passes there all the same, whoever else is at the address: with 256
// random bits guessing is hopeless at any speed, and a wrong token costs no more than a look by its id.
func (g *Gate) authenticate(c *gin.Context) (*Caller, error) {
	fields := c.Request.Header.Values("Authorization")
	if len(fields) == 0 {
		return nil, nil
	}
	scheme, text, _ := strings.Cut(fields[0], " ")
	if len(fields) > 1 || len(fields[0]) > maxAuthorization || !strings.EqualFold(scheme, "Bearer") {
		text = ""
	}
	return g.Prove(c, text)
}

// Prove returns the caller whom the text of a token proves. A wrong one is [httpx.ErrToken], and counted against the address.
func (g *Gate) Prove(c *gin.Context, text string) (*Caller, error) {
	who, err := g.lookup(c, text)
	if errors.Is(err, httpx.ErrToken) {
		return nil, cmp.Or(g.failedAuth.Count(c.Request.Context(), callerAt(c)[0]), err)
	}
	return who, err
}

func (g *Gate) lookup(c *gin.Context, text string) (*Caller, error) {
	id, hash, ok := tournament.ParseToken(text)
	if !ok {
		return nil, httpx.ErrToken
	}
	token, user, err := g.Store.TokenByID(c.Request.Context(), id)
	if err != nil && !errors.Is(err, tournament.ErrNotFound) {
		return nil, err
	}
	known := err == nil // an unknown id is compared too, with nothing: it takes as long
	same := subtle.ConstantTimeCompare(hash[:], token.Hash[:]) == 1
	live := token.RevokedAt == nil && (token.ExpiresAt == nil || g.Now().Before(*token.ExpiresAt))
	if !known || !same || !live || token.Kind != tournament.TokenAccess {
		return nil, httpx.ErrToken
	}
	if user.DisabledAt != nil {
		return nil, fmt.Errorf("%w: %s", tournament.ErrDisabled, user.DisabledReason)
	}
	if err := g.Store.UseToken(c.Request.Context(), token); err != nil { // it is for people to read: nothing hangs on it
		g.Log.Warn("the use of a token was not noted", "request_id", RequestID(c), "err", err)
	}
	return &Caller{User: user, Token: token}, nil
}

// Register counts a new account against its address.
func (g *Gate) Register(ctx context.Context) error {
	c := requestOf(ctx)
	return g.register.Spend(c, callerAt(c)[0])
}

// Login counts a login that begins against its address.
func (g *Gate) Login(c *gin.Context) error { return g.logins.Spend(c, callerAt(c)[0]) }

// WrongCode counts a wrong code, of a link or for recovery, against its address like a bad token. It returns err or, when the rate
// is used up, a [httpx.WaitError].
func (g *Gate) WrongCode(ctx context.Context, err error) error {
	return cmp.Or(g.failedAuth.Count(ctx, callerAt(requestOf(ctx))[0]), err)
}

// WrongInvite counts a wrong invitation code against its caller. It returns err or, when the rate is used up, a
// [httpx.WaitError].
func (g *Gate) WrongInvite(ctx context.Context, err error) error {
	return cmp.Or(g.badInvites.Count(ctx, "user:"+UserID(ctx)), err)
}
