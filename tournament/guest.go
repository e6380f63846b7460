package tournament

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// A guest is a person who plays one match in the browser without an account. Their seat is that of a bot of its own, of which
// the platform is the owner and whose messages lie in a mailbox. Such a bot is retired from the start, so that nobody checks it,
// pairs it or lists it.

// GuestsID is the user who owns the guests' bots and asks for their matches. Nobody has a token of it.
const GuestsID = "00000000-0000-8000-8000-000000000001"

// GuestsName is its name, which no person can register.
const GuestsName = "(guests)"

// MaxGuests is how many people may be let play at once.
const MaxGuests = 100

// GuestAway is how long a seat is kept for a person whose page is not open any more. Then their match is void. A page without a
// script cannot say that it is open while its person thinks, so there the time for the decision comes on top.
const GuestAway = 2 * time.Minute

// GuestClock returns the time control of a guest's match. The bank is for the person; house bots think no longer than the limit.
func GuestClock() Clock {
	return Clock{Limit: 2 * time.Second, Bank: 5 * time.Minute, Increment: 15 * time.Second}
}

// guestTokenBytes is the length of the secret that proves who sits on a seat.
const guestTokenBytes = 32

// Guest is a person at a seat. It follows from the secret alone, and does not betray it.
type Guest struct {
	BotID string
	Name  string // of the bot, as others see it
}

// Box returns the address of the mailbox of the guest's bot.
func (g Guest) Box() string { return RelayAddress(GuestsID, g.BotID) }

// NewGuest draws a new guest, and returns their secret with them.
func NewGuest(rand io.Reader) (string, Guest, error) {
	b := make([]byte, guestTokenBytes)
	if _, err := io.ReadFull(rand, b); err != nil {
		return "", Guest{}, fmt.Errorf("no randomness: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b), guestOf(b), nil
}

// FindGuest returns the guest whom a secret proves. A text that is no such secret is [ErrNotFound].
func FindGuest(secret string) (Guest, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	if err != nil || len(b) != guestTokenBytes {
		return Guest{}, fmt.Errorf("%w: no seat has such a secret", ErrNotFound)
	}
	return guestOf(b), nil
}

func guestOf(secret []byte) Guest {
	sum := sha256.Sum256(secret)
	id := sum[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // a UUID of version 8: of our own making
	return Guest{
		BotID: fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:]),
		Name:  "guest-" + hex.EncodeToString(sum[16:22]),
	}
}
