package tournament

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"io"
)

// Invite is the SHA-256 of an invitation code; zero means that none is needed. The code itself is not stored.
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

// Admit says why a code is refused ([ErrInvite]); if none is needed, any is accepted. Its duration reveals nothing about the
// code.
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
