package tournament

import (
	"errors"
	"fmt"
	"time"
)

// ClassLink lets people who have its code make accounts for some events. Of the code only the hash is stored.
type ClassLink struct {
	ID          string
	OrganiserID string
	Hash        string
	Note        string // its maker's name for it
	Most        int    `gorm:"column:most_accounts"`
	Made        int    `gorm:"column:made_accounts"`
	CreatedAt   time.Time
	ExpiresAt   time.Time
	EndedAt     *time.Time // by its maker
	Events      []string   `gorm:"-"` // ids of tournaments and schedules, which its accounts may enter without a code
}

// Bounds of a class link.
const (
	maxClass      = 200 // accounts
	maxClassNote  = 80  // characters
	maxClassParts = 20  // events
	maxClassLife  = 366 * 24 * time.Hour

	DefaultClassLife = 7 * 24 * time.Hour
)

// Check refuses a new link at a time, everything wrong with it at once.
func (l ClassLink) Check(now time.Time) error {
	var errs []error
	if l.Note != "" {
		errs = append(errs, CheckText("/note", l.Note, maxClassNote))
	}
	errs = append(errs, within("/accounts", l.Most, 1, maxClass))
	switch {
	case !l.ExpiresAt.After(now):
		errs = append(errs, &FieldError{"/expires_at", "lies in the past"})
	case l.ExpiresAt.After(now.Add(maxClassLife)):
		errs = append(errs, &FieldError{"/expires_at", "is more than a year ahead"})
	}
	if n := len(l.Events); n == 0 || n > maxClassParts {
		errs = append(errs, &FieldError{"/events", fmt.Sprintf("%d events: wants 1 to %d, by the ids of tournaments and schedules", n, maxClassParts)})
	}
	return errors.Join(errs...)
}

// CanClass says why no class link is made for a tournament: it is over ([ErrState]).
func CanClass(t Tournament) error {
	if t.Status != Scheduled && t.Status != Running {
		return fmt.Errorf("%w: tournament %q is %s: nobody enters it any more; name one that is to come", ErrState, t.Name, t.Status)
	}
	return nil
}

// Opens says why a link makes no account at a time: it has ended ([ErrNotFound], as if it never was), or made them all ([ErrFull]).
func (l ClassLink) Opens(now time.Time) error {
	switch {
	case l.EndedAt != nil || !now.Before(l.ExpiresAt):
		return fmt.Errorf("%w: the link has ended", ErrNotFound)
	case l.Made >= l.Most:
		return fmt.Errorf("%w: all %d accounts of this link are made; ask whoever gave it to you", ErrFull, l.Most)
	}
	return nil
}

// ClassAccount is an account that a class link has made.
type ClassAccount struct {
	UserID   string    `json:"user_id"`
	Name     string    `json:"name" gorm:"->" example:"ada"`
	JoinedAt time.Time `json:"joined_at" format:"date-time"`
} // @name ClassAccount
