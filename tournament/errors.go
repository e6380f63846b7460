package tournament

import "errors"

// The sentinels of the platform. The text of each is its stable code; facts are wrapped around it for people.
var (
	ErrNotFound = errors.New("not_found")      // no such thing, or not yours to know of
	ErrNotYours = errors.New("not_yours")      // it exists, but belongs to somebody else
	ErrRole     = errors.New("role_too_low")   // the token's role does not allow this
	ErrInvalid  = errors.New("invalid")        // a value is refused; wrap with *FieldError to name it
	ErrTaken    = errors.New("name_taken")     // the name or the entry exists already
	ErrState    = errors.New("wrong_state")    // not possible in the present state of the thing
	ErrFull     = errors.New("full")           // capacity is reached
	ErrInvite   = errors.New("invite_needed")  // the tournament takes entries by invitation, and the code is wrong
	ErrWindow   = errors.New("outside_window") // registration is not open now
	ErrFenced   = errors.New("fenced")         // another worker has taken the match over
	ErrBot      = errors.New("bot_refused")    // the bot's URL or its answer to hello is refused
	ErrLimit    = errors.New("limit_reached")  // a quota is used up
	ErrDisabled = errors.New("account_disabled")
	ErrChanged  = errors.New("changed_meanwhile") // the thing is not as the caller saw it last
	ErrBusy     = errors.New("in_progress")       // the same request is being carried out
	ErrKeyUsed  = errors.New("key_reused")        // the idempotency key belongs to another request
	ErrAnswer   = errors.New("answer_lost")       // the request was carried out, but its answer was not kept
)

// FieldError names the value that is refused by a JSON Pointer into the request.
type FieldError struct {
	Pointer string
	Reason  string
}

// Error tells the place and the reason.
func (e *FieldError) Error() string { return e.Pointer + ": " + e.Reason }

// Unwrap makes every FieldError an [ErrInvalid].
func (e *FieldError) Unwrap() error { return ErrInvalid }
