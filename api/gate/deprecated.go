package gate

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// Deprecation says of a route that its callers should leave it, and by when.
type Deprecation struct {
	Since  time.Time
	Sunset time.Time // from then on it may be gone
}

// tell puts the deprecation into the headers of an answer (RFC 9745, RFC 8594). nil tells nothing.
func (d *Deprecation) tell(c *gin.Context) {
	if d == nil {
		return
	}
	c.Header("Deprecation", fmt.Sprintf("@%d", d.Since.Unix()))
	c.Header("Sunset", d.Sunset.UTC().Format(http.TimeFormat))
}
