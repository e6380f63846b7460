package tournament

import "time"

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
}
