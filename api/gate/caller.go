package gate

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
)

const (
	keyRequestID = "request_id"
	keyCaller    = "caller"
	keyWhole     = "whole"   // the request's context without the handler's time limit
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
	User    tournament.User
	TokenID string
}

// Who is the request's caller; nil is anonymous.
func Who(c *gin.Context) *Caller {
	who, _ := c.Value(keyCaller).(*Caller)
	return who
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
		return who.TokenID
	}
	return ""
}

// Owns reports whether the caller is this owner or an administrator.
func Owns(c *gin.Context, ownerID string) bool {
	who := Who(c)
	return who != nil && (who.User.ID == ownerID || who.User.Role == tournament.RoleAdmin)
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
