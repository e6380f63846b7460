package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
)

// The operations of logins.
var (
	// @Summary	Begin a login on another device
	// @Description	For command lines: somebody opens verification_url in any browser and types user_code there. Ask at
	// @Description	/v1/login/device/look how far they are. 404 where the platform has no login.
	StartDevice = op.Create[op.None, DeviceLogin]("/v1/login/device", "").Refusing(404, 503)

	// @Summary	Look how far a login is
	// @Description	pending until the person has agreed at the issuer: look again after interval_ms; who looks sooner is not heard. name
	// @Description	if they are new here: look again with a name. done with the account and a token that lives for 90 days, once.
	LookDevice = op.Post[DeviceLook, DeviceLooked]("/v1/login/device/look", "").Refusing(403, 404, 503)
)

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
