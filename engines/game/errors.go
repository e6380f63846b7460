package game

import (
	"errors"
	"strings"
)

// The errors of this package. The text of each is its stable code; details are wrapped around it.
var (
	ErrIllegal     = errors.New("illegal_action") // the action is malformed or not allowed now
	ErrSeats       = errors.New("wrong_seats")    // not exactly the seats due, or no such seat
	ErrConfig      = errors.New("bad_config")     // the configuration or the number of seats is refused
	ErrSeed        = errors.New("bad_seed")       // not 64 hex digits
	ErrSnapshot    = errors.New("bad_snapshot")   // damaged, or of another game or rules version
	ErrView        = errors.New("bad_view")       // no match can show this view
	ErrSay         = errors.New("bad_say")        // words where the game forbids them, too long, or not allowed as text
	ErrUnsupported = errors.New("not_supported")  // the game lacks this optional ability
)

// Code returns the stable code of an error of this package, and its detail; for other errors the code is "internal".
func Code(err error) (code, detail string) {
	for _, known := range []error{ErrIllegal, ErrSeats, ErrConfig, ErrSeed, ErrSnapshot, ErrView, ErrSay, ErrUnsupported} {
		if errors.Is(err, known) {
			return known.Error(), strings.TrimPrefix(err.Error(), known.Error()+": ")
		}
	}
	return "internal", err.Error()
}
