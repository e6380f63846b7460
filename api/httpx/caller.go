package httpx

import "github.com/gin-gonic/gin"

// Caller names who asks, from the narrowest name to the widest: a user, or an address and the network that it belongs to.
type Caller []string

const keyCaller = "asker"

// SetCaller says who asks, for [CallerOf].
func SetCaller(c *gin.Context, who Caller) { c.Set(keyCaller, who) }

// CallerOf returns the keys of the request's caller.
func CallerOf(c *gin.Context) Caller {
	who, _ := c.Value(keyCaller).(Caller)
	return who
}
