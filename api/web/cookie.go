package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
)

// Cookies write the cookies of the platform's public address; without one, of the address by which each caller reached it. Each holds
// a secret, and nothing else. No script can read it.
type Cookies struct {
	Public string
	Site   http.SameSite // what other sites may have it sent
}

func (k Cookies) secure(c *gin.Context) bool {
	return strings.HasPrefix(httpx.BaseOf(k.Public, c.Request), "https://")
}

// Name returns what a cookie is called at this address. Over TLS, __Host- makes browsers take it from this very host alone; only on
// this machine, without TLS, it is left out.
func (k Cookies) Name(c *gin.Context, base string) string {
	if k.secure(c) {
		return "__Host-" + base
	}
	return base
}

// Set gives a browser a secret for some time; none takes the cookie away.
func (k Cookies) Set(c *gin.Context, base, secret string, long time.Duration) {
	cookie := http.Cookie{
		Name:     k.Name(c, base),
		Value:    secret,
		Path:     "/",
		MaxAge:   int(long.Seconds()),
		HttpOnly: true,
		Secure:   k.secure(c),
		SameSite: k.Site,
	}
	if secret == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.Writer, &cookie)
}
