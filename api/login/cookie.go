package login

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
)

// The cookies hold a secret each, and nothing else: what it proves is in the database under its hash. __Host- makes browsers take
// such a cookie from this very host alone, over TLS; only on this machine, without TLS, it is left out.
const (
	loginCookie   = "molerun_login"
	sessionCookie = "molerun_session"
	hostPrefix    = "__Host-"
)

// cookies write and read the cookies of the platform's public address; without one, of the address by which each caller reached it.
type cookies struct{ public string }

func (k cookies) secure(c *gin.Context) bool {
	return strings.HasPrefix(httpx.BaseOf(k.public, c.Request), "https://")
}

func (k cookies) name(c *gin.Context, base string) string {
	if k.secure(c) {
		return hostPrefix + base
	}
	return base
}

// set gives a browser a secret for some time; none takes the cookie away. Lax, because the issuer leads back from its own site.
func (k cookies) set(c *gin.Context, base string, secret tournament.LoginSecret, long time.Duration) {
	cookie := http.Cookie{
		Name:     k.name(c, base),
		Value:    string(secret),
		Path:     "/",
		MaxAge:   int(long.Seconds()),
		HttpOnly: true,
		Secure:   k.secure(c),
		SameSite: http.SameSiteLaxMode,
	}
	if secret == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.Writer, &cookie)
}

// get returns the secret in the browser's cookie; "" without one, and if there are several.
func (k cookies) get(c *gin.Context, base string) tournament.LoginSecret {
	list := c.Request.CookiesNamed(k.name(c, base))
	if len(list) != 1 {
		return ""
	}
	return tournament.LoginSecret(list[0].Value)
}

// part derives what a login sends to the issuer from the browser's secret: nothing of it is stored, none follows from another, and
// whoever brings the state back without the cookie has nothing.
func part(secret tournament.LoginSecret, what string) string {
	sum := hmac.New(sha256.New, []byte(secret))
	sum.Write([]byte(what))
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}
