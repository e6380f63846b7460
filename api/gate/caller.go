package gate

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
)

const (
	keyRequestID = "request_id"
	keyCaller    = "caller"
	keySubject   = "subject"      // what the audit line is about, if the handler sets it
	keyBase      = "base"         // the request's context without the handler's time limit
	keyBroken    = "broken"       // set if the answer broke off after its first byte
	keySkip      = "skip_latency" // set if the answer's duration does not measure our speed
)

// Context returns the request's context, in which the functions of this package find the request's caller. Handlers get it in
// place of gin's own context, which gin uses again for another request.
func Context(c *gin.Context) context.Context {
	return context.WithValue(c.Request.Context(), requestKey{}, c)
}

// requestKey finds a request in its context.
type requestKey struct{}

// requestOf returns the request that ctx belongs to: gin's context itself, or one made by [Context].
func requestOf(ctx context.Context) *gin.Context {
	c, ok := ctx.Value(requestKey{}).(*gin.Context)
	if !ok {
		c, ok = ctx.Value(gin.ContextKey).(*gin.Context)
	}
	if !ok {
		panic("gate: the context is not that of a request; make it with gate.Context")
	}
	return c
}

// Request returns the request that ctx belongs to.
func Request(ctx context.Context) *http.Request { return requestOf(ctx).Request }

// RequestID returns the id that we gave the request; an id sent by the client is ignored.
func RequestID(c *gin.Context) string { return c.GetString(keyRequestID) }

// BaseContext returns the request's context without the handler's time limit.
func BaseContext(c *gin.Context) context.Context {
	if ctx, ok := c.Value(keyBase).(context.Context); ok {
		return ctx
	}
	return c.Request.Context()
}

// Caller is the user who sent the request, and the token that proved it.
type Caller struct {
	User  tournament.User
	Token tournament.Token
}

// scopes returns what the caller may do: what both the token and the user's role allow.
func (who *Caller) scopes() tournament.Scopes { return who.Token.Scopes.Of(who.User.Role) }

// Who returns the request's caller; nil without a token.
func Who(ctx context.Context) *Caller {
	who, _ := requestOf(ctx).Value(keyCaller).(*Caller)
	return who
}

// SetCaller makes the user of a browser's session the request's caller. The session grants what their role reaches, but for the
// scope of administrators: a browser acts on nothing of others.
func SetCaller(c *gin.Context, u tournament.User) {
	may := tournament.Scopes{tournament.ScopeRead, tournament.ScopeBot, tournament.ScopeEnter, tournament.ScopeAccount, tournament.ScopeOrganise}
	c.Set(keyCaller, &Caller{User: u, Token: tournament.Token{UserID: u.ID, Scopes: may}})
	httpx.SetCaller(c, httpx.Caller{"user:" + u.ID})
}

// UserID returns the caller's id; "" without a token.
func UserID(ctx context.Context) string {
	if who := Who(ctx); who != nil {
		return who.User.ID
	}
	return ""
}

// TokenID returns the id of the caller's token; "" without one.
func TokenID(ctx context.Context) string {
	if who := Who(ctx); who != nil {
		return who.Token.ID
	}
	return ""
}

// Owns reports whether the caller may act as this owner: it is the owner or an administrator, each as far as the token goes.
// A token for one bot owns nothing else; [OwnsBot] is for bots.
func Owns(ctx context.Context, ownerID string) bool {
	who := Who(ctx)
	return who != nil && who.Token.BotID == "" && (who.User.ID == ownerID || who.scopes().Has(tournament.ScopeAdmin))
}

// OwnsBot reports whether the caller may act for a bot of this owner.
func OwnsBot(ctx context.Context, ownerID, botID string) bool {
	who := Who(ctx)
	return Owns(ctx, ownerID) || who != nil && who.Token.BotID == botID && who.User.ID == ownerID
}

// MayOrganise reports whether the caller may organise at all, where the route itself asks for no scope to.
func MayOrganise(ctx context.Context) bool {
	who := Who(ctx)
	return who != nil && who.Token.BotID == "" && who.scopes().Has(tournament.ScopeOrganise)
}

// Unbound refuses a token that is for one bot.
func Unbound(ctx context.Context) error {
	if who := Who(ctx); who != nil && who.Token.BotID != "" {
		return fmt.Errorf("%w: this token is for one bot, which this is not about", tournament.ErrScope)
	}
	return nil
}

// NotYours returns why the caller may not act as an owner. A token for one bot may be the owner's, and still not act on what else they have.
func NotYours(ctx context.Context, ownerID string) error {
	if err := Unbound(ctx); err != nil && UserID(ctx) == ownerID {
		return err
	}
	return tournament.ErrNotYours
}

// RouteLabel returns the route of a request, for logs and metrics.
func RouteLabel(c *gin.Context) string {
	if path := c.FullPath(); path != "" {
		return path
	}
	return "none"
}

// SkipLatencyMetric keeps an answer out of the latency metric: its duration, such as that of a stream, does not measure our speed.
func SkipLatencyMetric(c *gin.Context) { c.Set(keySkip, true) }
