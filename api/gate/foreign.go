package gate

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// readByOthers lets pages of other sites read what the API tells everybody, and reports whether it has answered a browser that
// asks beforehand. It never allows a token or a cookie to come along, nor a request that writes.
func readByOthers(c *gin.Context) bool {
	h := c.Writer.Header()
	if !strings.HasPrefix(c.Request.URL.Path, "/v1/") {
		return false
	}
	switch c.Request.Method {
	case http.MethodGet:
		if c.GetHeader("Authorization") == "" {
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Expose-Headers", "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id")
		}
	case http.MethodOptions:
		wanted := c.GetHeader("Access-Control-Request-Method")
		if wanted != http.MethodGet && wanted != http.MethodHead {
			return false
		}
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", "GET, HEAD")
		h.Set("Access-Control-Allow-Headers", "If-None-Match, Last-Event-ID")
		h.Set("Access-Control-Max-Age", "86400")
		c.AbortWithStatus(http.StatusNoContent)
		return true
	}
	return false
}
