package gate

import (
	"context"
	"fmt"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
)

const (
	keyRequestID = "request_id"
	keyCaller    = "caller"
	keyMade      = "made"    // what the request is about, if its handler says so
	keyWhole     = "whole"   // the request's context without the handler's time limit
	keyBroken    = "broken"  // set if the answer broke off after its first byte
	keyLasting   = "lasting" // set if the answer's duration does not measure our speed
)

// RequestID is the id that we gave the request; one sent by the client is ignored.
func RequestID(c *gin.Context) string { return c.GetString(keyRequestID) }

// Whole is the request's context without the handler's time limit.
func Whole(c *gin.Context) context.Context {
	if ctx, ok := c.Value(keyWhole).(context.Context); ok {
		return ctx
	}
	return c.Request.Context()
}

// Caller is who sent the request, as proved by a token.
type Caller struct {
	User  tournament.User
	Token tournament.Token
}

// scopes are what the caller may do: what both the token and the user's role allow.
func (who *Caller) scopes() tournament.Scopes { return who.Token.Scopes.Of(who.User.Role) }

// Who is the request's caller; nil is anonymous.
func Who(c *gin.Context) *Caller {
	who, _ := c.Value(keyCaller).(*Caller)
	return who
}

// ComesAs makes a user the request's caller, whom the session of their browser proves. Like a token of theirs it may do what is
// theirs: neither what administrators nor what organisers do.
func ComesAs(c *gin.Context, u tournament.User) {
	may := tournament.Scopes{tournament.ScopeRead, tournament.ScopeBot, tournament.ScopeEnter, tournament.ScopeAccount}
	c.Set(keyCaller, &Caller{User: u, Token: tournament.Token{UserID: u.ID, Scopes: may}})
	httpx.SetCaller(c, httpx.Caller{"user:" + u.ID})
}

// UserID is the caller's id; "" is anonymous.
func UserID(c *gin.Context) string {
	if who := Who(c); who != nil {
		return who.User.ID
	}
	return ""
}

// TokenID is the id of the caller's token; "" is anonymous.
func TokenID(c *gin.Context) string {
	if who := Who(c); who != nil {
		return who.Token.ID
	}
	return ""
}

// Owns reports whether the caller may act as this owner: it is the owner or an administrator, each as far as the token goes.
// A token for one bot owns nothing else; [OwnsBot] is for bots.
func Owns(c *gin.Context, ownerID string) bool {
	who := Who(c)
	return who != nil && who.Token.BotID == "" && (who.User.ID == ownerID || who.scopes().Has(tournament.ScopeAdmin))
}

// OwnsBot reports whether the caller may act for a bot of this owner.
func OwnsBot(c *gin.Context, ownerID, botID string) bool {
	who := Who(c)
	return Owns(c, ownerID) || who != nil && who.Token.BotID == botID && who.User.ID == ownerID
}

// Organises reports whether the caller may act for this organiser where the route itself asks for no scope to organise.
func Organises(c *gin.Context, organiserID string) bool {
	return Owns(c, organiserID) && Who(c).scopes().Has(tournament.ScopeOrganise)
}

// Unbound refuses a token that is for one bot.
func Unbound(c *gin.Context) error {
	if who := Who(c); who != nil && who.Token.BotID != "" {
		return fmt.Errorf("%w: this token is for one bot, which this is not about", tournament.ErrScope)
	}
	return nil
}

// RouteLabel is the route of a request, for logs and metrics.
func RouteLabel(c *gin.Context) string {
	if path := c.FullPath(); path != "" {
		return path
	}
	return "none"
}

// Lasts marks an answer whose duration does not measure our speed, such as a stream.
func Lasts(c *gin.Context) { c.Set(keyLasting, true) }
