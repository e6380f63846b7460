package api

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// The sentinels of the API itself; those of the domain are in package tournament.
var (
	errBody      = errors.New("bad_json")
	errQuery     = errors.New("bad_query")
	errTooLarge  = errors.New("too_large")
	errMediaType = errors.New("unsupported_media_type")
	errNoRoute   = errors.New("no_such_route")
	errMethod    = errors.New("method_not_allowed")
	errToken     = errors.New("unauthorized")
	errSlowDown  = errors.New("rate_limited")
	errKey       = errors.New("bad_idempotency_key")
	errNotReady  = errors.New("not_ready")
	errInternal  = errors.New("internal")
)

// kind is all that is fixed about a problem: its code, status and title, and what is said when no facts are known.
type kind struct {
	err    error
	status int
	title  string
	advice string
}

// kinds lists every problem the API answers with, in the order the documents show them.
func kinds() []kind {
	return []kind{
		{errBody, http.StatusBadRequest, "Malformed body", "send exactly one JSON object with the documented keys"},
		{errQuery, http.StatusBadRequest, "Bad query", "see the documented query parameters"},
		{errKey, http.StatusBadRequest, "Bad idempotency key", "send one Idempotency-Key of 16 to 64 printable characters"},
		{errToken, http.StatusUnauthorized, "Not signed in", "send a live token as Authorization: Bearer mr_…"},
		{tournament.ErrRole, http.StatusForbidden, "Role too low", "this needs a higher role; ask an administrator"},
		{tournament.ErrNotYours, http.StatusForbidden, "Not yours", "this belongs to somebody else"},
		{tournament.ErrDisabled, http.StatusForbidden, "Account disabled", "an administrator has disabled this account"},
		{tournament.ErrInvite, http.StatusForbidden, "Invitation needed", "send the invite_code that the organiser gave you"},
		{tournament.ErrNotFound, http.StatusNotFound, "Not found", "there is no such thing, or it is not yours to know of"},
		{errNoRoute, http.StatusNotFound, "No such route", "see /docs for the routes there are"},
		{errMethod, http.StatusMethodNotAllowed, "Method not allowed", "see the Allow header and /docs"},
		{tournament.ErrTaken, http.StatusConflict, "Taken", "the name or the entry exists already"},
		{tournament.ErrState, http.StatusConflict, "Wrong state", "not possible in the present state"},
		{tournament.ErrFull, http.StatusConflict, "Full", "the capacity is reached"},
		{tournament.ErrWindow, http.StatusConflict, "Outside the window", "registration is not open now"},
		{tournament.ErrFenced, http.StatusConflict, "Fenced", "another worker has taken this over"},
		{tournament.ErrLimit, http.StatusConflict, "Limit reached", "your quota is used up"},
		{tournament.ErrBusy, http.StatusConflict, "In progress", "the first request with this Idempotency-Key is under way; ask again soon"},
		{tournament.ErrAnswer, http.StatusConflict, "Answer lost", "the request was carried out; look for what it made"},
		{tournament.ErrChanged, http.StatusPreconditionFailed, "Changed meanwhile", "read it again and decide anew"},
		{errTooLarge, http.StatusRequestEntityTooLarge, "Body too large", "a body may have at most 1 MiB"},
		{errMediaType, http.StatusUnsupportedMediaType, "Unsupported media type", "send Content-Type: application/json, uncompressed"},
		{tournament.ErrInvalid, http.StatusUnprocessableEntity, "Value refused", "see errors for the place"},
		{tournament.ErrKeyUsed, http.StatusUnprocessableEntity, "Idempotency key reused", "take a new Idempotency-Key for a new request"},
		{game.ErrConfig, http.StatusUnprocessableEntity, "Configuration refused", "see the game's config schema"},
		{tournament.ErrBot, http.StatusUnprocessableEntity, "Bot refused", "the bot's address or its answer to hello is refused"},
		{errSlowDown, http.StatusTooManyRequests, "Too many requests", "wait as long as Retry-After says"},
		{errInternal, http.StatusInternalServerError, "Internal error", "the fault is ours and has been logged; quote request_id when you report it"},
		{errNotReady, http.StatusServiceUnavailable, "Not ready", "the service is starting, stopping or has no database; try again soon"},
	}
}

// kindOf finds the problem an error stands for; whatever is unknown is internal.
func kindOf(err error) kind {
	for _, k := range kinds() {
		if errors.Is(err, k.err) {
			return k
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || store.Away(err) {
		return kindOf(errNotReady)
	}
	return kindOf(errInternal)
}

// statusGone is what the log and the metrics show when the client hung up (as nginx does).
const statusGone = 499

// waitError is errSlowDown with the time to wait.
type waitError struct{ wait time.Duration }

func (e *waitError) Error() string { return errSlowDown.Error() }
func (e *waitError) Unwrap() error { return errSlowDown }

// fail answers with the problem that err stands for. This is the only place that turns errors into answers.
func (s *Server) fail(c *gin.Context, err error) {
	if c.Writer.Written() || errors.Is(c.Request.Context().Err(), context.Canceled) {
		c.AbortWithStatus(statusGone) // nobody is there to read it
		return
	}
	k := kindOf(err)
	id := requestID(c)
	if k.status >= http.StatusInternalServerError {
		s.log.LogAttrs(context.WithoutCancel(c.Request.Context()), slog.LevelError, "request failed",
			slog.String("request_id", id), slog.String("route", c.FullPath()), slog.String("err", err.Error()))
	}
	var wait *waitError
	if errors.As(err, &wait) {
		c.Header("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.wait.Seconds())))))
	} else if errors.Is(err, tournament.ErrBusy) {
		c.Header("Retry-After", "1")
	}
	if k.status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", `Bearer realm="molerun"`)
	}
	code := k.err.Error()
	c.Header("Cache-Control", "no-store")
	s.write(c, k.status, "application/problem+json", wire.Problem{
		Type: "/docs#" + code, Title: k.title, Status: k.status, Detail: detail(k, err), Instance: c.Request.URL.EscapedPath(),
		Code: code, RequestID: id, Errors: places(err),
	})
	c.Abort()
}

// detail is the facts wrapped around the code; an error of ours keeps its facts to the log.
func detail(k kind, err error) string {
	var bad *unready
	if errors.As(err, &bad) {
		return bad.check + ": " + k.advice
	}
	if k.status >= http.StatusInternalServerError {
		return k.advice
	}
	var form *strict.Error
	if errors.As(err, &form) {
		return form.Error()
	}
	if values := refused(err); len(values) > 0 {
		all := make([]string, len(values))
		for i, v := range values {
			all[i] = v.Error()
		}
		return strings.Join(all, "; ")
	}
	if facts, ok := strings.CutPrefix(err.Error(), k.err.Error()+": "); ok {
		return facts
	}
	return k.advice
}

// places points at what is refused.
func places(err error) []wire.Place {
	var form *strict.Error
	if errors.As(err, &form) {
		return []wire.Place{{Pointer: form.Pointer, Detail: form.Reason}}
	}
	var out []wire.Place
	for _, v := range refused(err) {
		out = append(out, wire.Place{Pointer: v.Pointer, Detail: v.Reason})
	}
	return out
}

// refused are the values that err refuses: one, or all that were joined.
func refused(err error) []*tournament.FieldError {
	var value *tournament.FieldError
	var many interface{ Unwrap() []error }
	var out []*tournament.FieldError
	if errors.As(err, &many) {
		for _, e := range many.Unwrap() {
			out = append(out, refused(e)...)
		}
	} else if errors.As(err, &value) {
		out = append(out, value)
	}
	return out
}
