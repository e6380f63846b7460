package tournament

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"io"
)

// Invite is SHA-256 of the code that lets bots enter; zero means that no code is needed. The code itself is kept nowhere.
type Invite [sha256.Size]byte

// inviteBytes of randomness are in a code: too many to guess, so that a plain hash is enough.
const inviteBytes = 20

// NewInvite draws a code, which begins with mi_, and returns it with its hash.
func NewInvite(random io.Reader) (code string, invite Invite, err error) {
	b := make([]byte, inviteBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", invite, fmt.Errorf("invite code: %w", err)
	}
	code = "mi_" + base32.StdEncoding.EncodeToString(b)
	return code, sha256.Sum256([]byte(code)), nil
}

// Needed reports whether a code is needed.
func (i Invite) Needed() bool { return i != Invite{} }

// Admit tells why a code does not let in ([ErrInvite]); where none is needed any is good. How long it takes says nothing
// about the code.
func (i Invite) Admit(code string) error {
	sum := sha256.Sum256([]byte(code))
	switch {
	case !i.Needed() || subtle.ConstantTimeCompare(sum[:], i[:]) == 1:
		return nil
	case code == "":
		return fmt.Errorf("%w: send the invite_code that the organiser gave you", ErrInvite)
	}
	return fmt.Errorf("%w: the invite_code is wrong; send it as the organiser gave it to you, capitals and all", ErrInvite)
}
