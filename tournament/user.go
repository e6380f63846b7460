package tournament

import (
	"regexp"
	"time"
)

// Role is what a user may do. Each role includes those before it.
type Role string

// The roles.
const (
	RoleOwner     Role = "owner"     // registers bots and enters tournaments
	RoleOrganiser Role = "organiser" // creates tournaments
	RoleAdmin     Role = "admin"     // everything
)

// Reaches reports whether r includes need.
func (r Role) Reaches(need Role) bool {
	rank := map[Role]int{RoleOwner: 1, RoleOrganiser: 2, RoleAdmin: 3}
	return rank[r] > 0 && rank[r] >= rank[need]
}

// User owns bots. Names are unique.
type User struct {
	ID        string
	Name      string
	Role      Role
	CreatedAt time.Time

	DisabledAt     *time.Time // since when an administrator has disabled it; nil: enabled
	DisabledReason string
	DeletedAt      *time.Time // since when nobody is behind it, permanently; such a user is disabled, too
}

// namePattern is what names of users and bots look like.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{1,31}$`)

// CheckName refuses what cannot be the name of a user or a bot: 2 to 32 ASCII letters, digits, - and _, the first a letter or
// digit. pointer is the name's place in the request.
func CheckName(pointer, name string) error {
	if !namePattern.MatchString(name) {
		return &FieldError{pointer, "wants 2 to 32 letters (a-z), digits, - or _, the first a letter or digit"}
	}
	return nil
}
