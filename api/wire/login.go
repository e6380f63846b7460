package wire

import (
	"net/url"
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament"
)

// The operations of logins.
var (
	// @Summary	Begin a login on another device
	// @Description	For command lines: somebody opens verification_url in any browser and types user_code there. Ask at
	// @Description	/v1/login/device/token how far they are. 404 where the platform has no login.
	StartDevice = op.Create[op.None, DeviceLogin]("/v1/login/device", "", op.Refusing(404, 503))

	// @Summary	Look how far a login is
	// @Description	pending until the person has agreed at the issuer: look again after interval_ms; who looks sooner is not heard. name
	// @Description	if they are new here: look again with a name. done with the account and a token that lives for 90 days, once.
	LookDevice = op.Post[DeviceLook, DeviceLooked]("/v1/login/device/token", "", op.Refusing(403, 404, 503))

	// @Summary	Look how far a login is, by an old path
	// @Description	The same as POST /v1/login/device/token, for command lines of before; it goes with the next release.
	LookDeviceBefore = op.Post[DeviceLook, DeviceLooked]("/v1/login/device/look", "", op.Refusing(403, 404, 503))

	// @Summary	Make a link that logs me in
	// @Description	For a browser on a platform with or without an issuer: the link logs in once, after a click on its page. It needs a
	// @Description	token that may do all that you may and does not expire: the login would outlive it. What ends sessions ends the link.
	// @Description	The body may be left out.
	CreateMyLoginLink = op.Create[MyLoginLink, LoginLink]("/v1/me/login-links", "account")

	// @Summary	Make a link that logs a user in
	// @Description	For organisers, of who has an account by a class link of theirs; for administrators, of everybody. Links of organisers and
	// @Description	administrators are made by themselves or on the platform's machine. The link logs in once, after a click on its page.
	// @Description	The body may be left out.
	CreateLoginLink = op.Create[op.WithID[*LoginLinkCreate], LoginLink]("/v1/users/{id}/login-links", "organise", op.Refusing(409))
)

// The pages of links with a code. It is in the query: it is in no route, and so in no log of ours.
const (
	LoginLinkPath = "/login/once"
	ClassLinkPath = "/class"
)

// LinkAt returns the address of a link with a code, on a platform with an address.
func LinkAt(base, path string, code tournament.LoginSecret) string {
	return base + path + "?" + url.Values{"code": {string(code)}}.Encode()
}

// MyLoginLink asks for a link that logs the caller in.
type MyLoginLink struct {
	Body *LoginLinkCreate
}

// LoginLinkCreate says how long a link can be used.
type LoginLinkCreate struct {
	LastsMS int64 `json:"lasts_ms,omitempty" example:"900000"` // a minute to seven days; 15 minutes, if left out
} // @name LoginLinkCreate

// LoginLink logs a browser in, once. It is shown only now.
type LoginLink struct {
	Name      string    `json:"name" example:"ada"` // of the account
	URL       string    `json:"url" example:"https://molerun.example.org/login/once?code=…"`
	ExpiresAt time.Time `json:"expires_at" format:"date-time"`
} // @name LoginLink

// DeviceLogin is a login that a command line waits for.
type DeviceLogin struct {
	Handle     string    `json:"handle"`                                             // proves whose login it is; tell nobody
	UserCode   string    `json:"user_code" example:"WDJB-MJHT"`                      // what the person types at the issuer
	At         string    `json:"verification_url" example:"https://id.example/code"` // where
	AtWithCode string    `json:"verification_url_complete,omitempty"`                // the same, with the code in it
	IntervalMS int64     `json:"interval_ms" example:"5000"`                         // wait as long between two looks
	ExpiresAt  time.Time `json:"expires_at" format:"date-time"`
} // @name DeviceLogin

// DeviceLook asks how far a login is.
type DeviceLook struct {
	Handle string `json:"handle"`
	Name   string `json:"name,omitempty" maxLength:"32"` // of the new account, if the login is somebody new
} // @name DeviceLook

// DeviceLooked says how far a login is: pending until the person has agreed at the issuer; name if they are new here and a look with
// a name is wanted; done with the account and its token.
type DeviceLooked struct {
	State      string       `json:"state" enums:"pending,name,done"`
	IntervalMS int64        `json:"interval_ms,omitempty"` // pending: wait as long
	Made       *UserCreated `json:"made,omitempty"`        // done: the token is shown only now
} // @name DeviceLooked
