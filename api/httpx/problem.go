package httpx

import (
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/wire"
)

// The sentinels of HTTP itself. The text of each is its problem's stable code; details are wrapped around it.
var (
	ErrBody      = errors.New("bad_json")
	ErrQuery     = errors.New("bad_query")
	ErrTooLarge  = errors.New("too_large")
	ErrMediaType = errors.New("unsupported_media_type")
	ErrNoRoute   = errors.New("no_such_route")
	ErrMethod    = errors.New("method_not_allowed")
	ErrToken     = errors.New("unauthorized")
	ErrSlowDown  = errors.New("rate_limited")
	ErrKey       = errors.New("bad_idempotency_key")
	ErrNotReady  = errors.New("not_ready")
	ErrInternal  = errors.New("internal")

	ErrLogin        = errors.New("login_refused")       // what an issuer of logins says does not hold, or there is no such login
	ErrIssuer       = errors.New("login_away")          // the issuer of logins cannot be reached, or makes no sense
	ErrRegistration = errors.New("registration_closed") // new accounts are not made this way
)

// Kind is the fixed part of a problem: its code (the text of Err), status and title, and what it says without details.
type Kind struct {
	Err    error
	Status int
	Title  string
	Advice string
}

// StatusGone is the status in log and metrics when the client hung up (as in nginx).
const StatusGone = 499

// WaitError is [ErrSlowDown] with the time to wait.
type WaitError struct{ Wait time.Duration }

// Error returns the stable code.
func (e *WaitError) Error() string { return ErrSlowDown.Error() }

// Unwrap makes every WaitError an [ErrSlowDown].
func (e *WaitError) Unwrap() error { return ErrSlowDown }

// Seconds returns the time to wait in whole seconds, at least one.
func (e *WaitError) Seconds() int { return max(1, int(math.Ceil(e.Wait.Seconds()))) }

// SendProblem ends a request with a problem of kind k.
func SendProblem(c *gin.Context, k Kind, detail, requestID string, places []wire.Place) {
	if k.Status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", `Bearer realm="molerun"`)
	}
	code := k.Err.Error()
	c.Header("Cache-Control", "no-store")
	_ = SendBytes(c, k.Status, ProblemType, JSON(wire.Problem{
		Type:      "/docs#" + code,
		Title:     k.Title,
		Status:    k.Status,
		Detail:    detail,
		Instance:  c.Request.URL.EscapedPath(),
		Code:      code,
		RequestID: requestID,
		Errors:    places,
	}))
	c.Abort()
}
