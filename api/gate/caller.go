package gate

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
)

const (
	keyRequestID = "request_id"
	keyCaller    = "caller"
	keyWhole     = "whole"   // the request's context without the limit of a handler
	keyLasting   = "lasting" // set once how long the answer takes is not how slow we are
)

// RequestID is the id of the request, made by us; one sent by the client is not believed.
func RequestID(c *gin.Context) string { return c.GetString(keyRequestID) }

// Whole is the context of a request that ends with it alone.
func Whole(c *gin.Context) context.Context {
	if ctx, ok := c.Value(keyWhole).(context.Context); ok {
		return ctx
	}
	return c.Request.Context()
}

// Caller is who asks, proved by a token.
type Caller struct {
	User    tournament.User
	TokenID string
}

// Who is the caller of the request; nil is anonymous.
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

// Owns reports whether the caller is that owner or an administrator.
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

// Lasts says that how long an answer takes is not how slow we are.
func Lasts(c *gin.Context) { c.Set(keyLasting, true) }
