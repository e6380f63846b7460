package gate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// newKind returns a kind by its parts, for the table.
func newKind(err error, status int, title, advice string) httpx.Kind {
	return httpx.Kind{
		Err:    err,
		Status: status,
		Title:  title,
		Advice: advice,
	}
}

// Kinds lists every problem the API answers with, in the order the documents show them.
func Kinds() []httpx.Kind {
	return []httpx.Kind{
		newKind(httpx.ErrBody, http.StatusBadRequest, "Malformed body", "send exactly one JSON object with the documented keys"),
		newKind(httpx.ErrQuery, http.StatusBadRequest, "Bad query", "see the documented query parameters"),
		newKind(httpx.ErrKey, http.StatusBadRequest, "Bad idempotency key", "send one Idempotency-Key of 16 to 64 printable characters"),
		newKind(httpx.ErrToken, http.StatusUnauthorized, "Not signed in", "send a live token as Authorization: Bearer mr_…"),
		newKind(tournament.ErrRole, http.StatusForbidden, "Role too low", "this needs a higher role; ask an administrator"),
		newKind(tournament.ErrScope, http.StatusForbidden, "Scope missing", "this token may not do this; use or make one with the scope"),
		newKind(tournament.ErrNotYours, http.StatusForbidden, "Not yours", "this belongs to someone else"),
		newKind(tournament.ErrDisabled, http.StatusForbidden, "Account disabled", "an administrator has disabled this account"),
		newKind(tournament.ErrInvite, http.StatusForbidden, "Invitation needed", "send the invite_code that the organiser gave you"),
		newKind(httpx.ErrLogin, http.StatusForbidden, "Login refused", "nobody was logged in; begin the login again"),
		newKind(httpx.ErrRegistration, http.StatusForbidden, "Registration closed", "this platform makes no new accounts this way"),
		newKind(tournament.ErrNotFound, http.StatusNotFound, "Not found", "it does not exist, or you may not see it"),
		newKind(httpx.ErrNoRoute, http.StatusNotFound, "No such route", "see /api for all routes"),
		newKind(httpx.ErrMethod, http.StatusMethodNotAllowed, "Method not allowed", "see the Allow header and /api"),
		newKind(tournament.ErrTaken, http.StatusConflict, "Taken", "the name or the entry already exists"),
		newKind(tournament.ErrState, http.StatusConflict, "Wrong state", "not possible in the present state"),
		newKind(tournament.ErrFull, http.StatusConflict, "Full", "the capacity is reached"),
		newKind(tournament.ErrWindow, http.StatusConflict, "Outside the window", "registration is not open now"),
		newKind(tournament.ErrFenced, http.StatusConflict, "Fenced", "another worker has taken this over"),
		newKind(tournament.ErrLimit, http.StatusConflict, "Limit reached", "your quota is used up"),
		newKind(tournament.ErrBusy, http.StatusConflict, "In progress", "the first request with this Idempotency-Key is under way; try again soon"),
		newKind(tournament.ErrAnswer, http.StatusConflict, "Answer lost", "the request was carried out; look for what it made"),
		newKind(tournament.ErrChanged, http.StatusPreconditionFailed, "Changed meanwhile", "read it again, then decide"),
		newKind(httpx.ErrTooLarge, http.StatusRequestEntityTooLarge, "Body too large", "a body may have at most 1 MiB"),
		newKind(httpx.ErrMediaType, http.StatusUnsupportedMediaType, "Unsupported media type", "send Content-Type: application/json, uncompressed"),
		newKind(tournament.ErrInvalid, http.StatusUnprocessableEntity, "Value refused", "see errors for the place"),
		newKind(tournament.ErrKeyUsed, http.StatusUnprocessableEntity, "Idempotency key reused", "use a new Idempotency-Key for a new request"),
		newKind(game.ErrConfig, http.StatusUnprocessableEntity, "Configuration refused", "the game does not take this configuration any more; see its config schema (of a new one, `invalid` names the place)"),
		newKind(tournament.ErrBot, http.StatusUnprocessableEntity, "Bot refused", "the bot's address or its answer to hello is refused"),
		newKind(httpx.ErrSlowDown, http.StatusTooManyRequests, "Too many requests", "wait as long as Retry-After says"),
		newKind(httpx.ErrInternal, http.StatusInternalServerError, "Internal error", "the fault is ours and has been logged; quote request_id when you report it"),
		newKind(httpx.ErrIssuer, http.StatusServiceUnavailable, "Login unavailable", "the issuer of logins does not answer; whoever is logged in stays so, and tokens go on working; try again soon"),
		newKind(httpx.ErrNotReady, http.StatusServiceUnavailable, "Not ready", "the service is starting, stopping or overloaded, or its database is away or has no room; try again soon"),
	}
}

// KindOf finds the problem for an error; an unknown error is internal.
func KindOf(err error) httpx.Kind {
	for _, k := range Kinds() {
		if errors.Is(err, k.Err) {
			return k
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || database.Away(err) {
		return KindOf(httpx.ErrNotReady)
	}
	return KindOf(httpx.ErrInternal)
}

// fail answers with the problem that err means, or for a browser with a page of it. This is the only place that turns errors
// into answers.
func (g *Gate) fail(c *gin.Context, r Route, err error) {
	if errors.Is(c.Request.Context().Err(), context.Canceled) {
		c.AbortWithStatus(httpx.StatusGone) // nobody is there to read it
		return
	}
	k := KindOf(err)
	id := RequestID(c)
	if c.Writer.Written() { // a reader must not take what they got for the whole
		g.logFailure(c, "answer broke off", err)
		c.Set(keyBroken, true)
		panic(http.ErrAbortHandler)
	}
	if k.Status >= http.StatusInternalServerError {
		g.logFailure(c, "request failed", err)
	}
	var wait *httpx.WaitError
	switch {
	case errors.As(err, &wait):
		c.Header("Retry-After", strconv.Itoa(wait.Seconds()))
	case errors.Is(err, tournament.ErrBusy):
		c.Header("Retry-After", "1")
	}
	if forBrowser(c, r) {
		c.Header("Cache-Control", "no-store")
		if g.Page(c, k, Detail(k, err)) == nil {
			c.Abort()
			return
		}
	}
	httpx.SendProblem(c, k, Detail(k, err), id, Places(err))
}

// forBrowser reports whether a person waits for the answer in a browser. Programs that call the API, some of which accept HTML too, get
// JSON: only where a browser says that it opens a page is that a person's.
func forBrowser(c *gin.Context, r Route) bool {
	api := r.Probe || strings.HasPrefix(c.Request.URL.Path, "/v1/")
	return strings.Contains(c.GetHeader("Accept"), "text/html") && (!api || c.GetHeader("Sec-Fetch-Mode") == "navigate")
}

// ErrStopping means that the server stops as it was asked to, which is no fault.
var ErrStopping = errors.New("the server is stopping")

func (g *Gate) logFailure(c *gin.Context, what string, err error) {
	level := slog.LevelError
	if errors.Is(err, ErrStopping) {
		level = slog.LevelInfo
	}
	g.Log.LogAttrs(context.WithoutCancel(c.Request.Context()), level, what,
		slog.String("request_id", RequestID(c)), slog.String("route", c.FullPath()), slog.String("err", err.Error()))
}

// Unready says which checks failed.
type Unready struct {
	Said   string // for everybody
	Reason error  // for the log, because it may name hosts
}

func (u *Unready) Error() string   { return u.Reason.Error() }
func (u *Unready) Unwrap() []error { return []error{httpx.ErrNotReady, u.Reason} }

// Detail returns the text wrapped around the code, and how long to wait where that helps; that of an internal error goes only to the log.
func Detail(k httpx.Kind, err error) string {
	var wait *httpx.WaitError
	if errors.As(err, &wait) {
		text := fmt.Sprintf("try again in %d s", wait.Seconds())
		if facts, ok := strings.CutPrefix(err.Error(), k.Err.Error()+": "); ok {
			text = facts + "; " + text
		}
		return text
	}
	var bad *Unready
	if errors.As(err, &bad) {
		return bad.Said
	}
	if k.Status >= http.StatusInternalServerError {
		return k.Advice
	}
	if all := refused(err); len(all) > 0 {
		said := make([]string, len(all))
		for i, r := range all {
			said[i] = r.err.Error()
		}
		return strings.Join(said, "; ")
	}
	if facts, ok := strings.CutPrefix(err.Error(), k.Err.Error()+": "); ok {
		return facts
	}
	return k.Advice
}

// Places points at what is refused.
func Places(err error) []wire.Place {
	var out []wire.Place
	for _, r := range refused(err) {
		out = append(out, r.place)
	}
	return out
}

// refusal is one thing that an error refuses, with its place.
type refusal struct {
	err   error
	place wire.Place
}

// refused returns what err refuses by form or by value: one thing, or all that were joined. A form that is refused hides values. What a
// bot answered is no place of the request.
func refused(err error) []refusal {
	if KindOf(err).Err == tournament.ErrBot {
		return nil
	}
	var forms, values []refusal
	walk(err, func(one error) bool {
		switch x := one.(type) { //nolint:errorlint // walk unwraps
		case *strict.Error:
			forms = append(forms, refusal{x, wire.Place{Pointer: x.Pointer, Detail: x.Reason}})
		case *tournament.FieldError:
			values = append(values, refusal{x, wire.Place{Pointer: x.Pointer, Detail: x.Reason}})
		default:
			return true
		}
		return false
	})
	if len(forms) > 0 {
		return forms
	}
	return values
}

// walk calls visit with err and with all that it wraps, until visit returns false.
func walk(err error, visit func(error) bool) {
	if err == nil || !visit(err) {
		return
	}
	switch x := err.(type) { //nolint:errorlint // this unwraps
	case interface{ Unwrap() []error }:
		for _, e := range x.Unwrap() {
			walk(e, visit)
		}
	case interface{ Unwrap() error }:
		walk(x.Unwrap(), visit)
	}
}
