package login

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/tournament"
)

// What a cookie proves is in the database under the hash of its secret.
const (
	loginCookie   = "molerun_login"
	sessionCookie = "molerun_session"
)

// cookies keeps the secrets of a login in a browser: Lax, because the issuer leads back from its own site.
type cookies struct{ web.Cookies }

// get returns the secret in the browser's cookie; "" without one, and if there are several.
func (k cookies) get(c *gin.Context, base string) tournament.LoginSecret {
	list := c.Request.CookiesNamed(k.Name(c, base))
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
