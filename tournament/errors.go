package tournament

import (
	"errors"
	"fmt"
	"strings"
)

// The sentinels of the platform. The text of each is its stable code; details are wrapped around it.
var (
	ErrNotFound = errors.New("not_found")      // it does not exist, or you may not know that it does
	ErrNotYours = errors.New("not_yours")      // it exists, but belongs to someone else
	ErrRole     = errors.New("role_too_low")   // the user's role does not allow this
	ErrScope    = errors.New("scope_missing")  // the token has not the scope for this
	ErrInvalid  = errors.New("invalid")        // a value is refused; wrap it with *FieldError to name the field
	ErrTaken    = errors.New("name_taken")     // the name or the entry exists already
	ErrState    = errors.New("wrong_state")    // not possible in its present state
	ErrFull     = errors.New("full")           // capacity is reached
	ErrInvite   = errors.New("invite_needed")  // the tournament is by invitation, and the code is missing or wrong
	ErrWindow   = errors.New("outside_window") // registration is not open now
	ErrFenced   = errors.New("fenced")         // another worker has taken over the match
	ErrBot      = errors.New("bot_refused")    // the bot's URL or its answer to hello is refused
	ErrLimit    = errors.New("limit_reached")  // a quota is used up
	ErrDisabled = errors.New("account_disabled")
	ErrChanged  = errors.New("changed_meanwhile") // it has changed since the caller last saw it
	ErrBusy     = errors.New("in_progress")       // the same request is under way
	ErrKeyUsed  = errors.New("key_reused")        // the idempotency key belongs to another request
	ErrAnswer   = errors.New("answer_lost")       // the request was carried out, but its answer is lost
)

// Facts returns what an error says to people: all but the codes that it begins with, in this order.
func Facts(err error, codes ...error) string {
	said := err.Error()
	for _, code := range codes {
		said = strings.TrimPrefix(said, code.Error()+": ")
	}
	return said
}

// FieldError names a refused value by a JSON Pointer into the request.
type FieldError struct {
	Pointer string
	Reason  string
}

// Error gives the place and the reason.
func (e *FieldError) Error() string { return e.Pointer + ": " + e.Reason }

// Unwrap makes every FieldError an [ErrInvalid].
func (e *FieldError) Unwrap() error { return ErrInvalid }

// Listed writes what may be chosen, with commas, for a refusal.
func Listed[T any](choices []T) string {
	words := make([]string, len(choices))
	for i, choice := range choices {
		words[i] = fmt.Sprint(choice)
	}
	return strings.Join(words, ", ")
}
