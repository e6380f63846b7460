package tournament

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// MaxChallenges is how many matches by challenge a bot has open at most.
const MaxChallenges = 5

// Seated is a bot at the table of a match by challenge.
type Seated struct {
	Bot
	Games []string // that its active version plays
	Open  int      // matches by challenge that it has open
}

// Asker is who asks for a match by challenge.
type Asker struct {
	UserID    string
	Admin     bool // all bots count as an administrator's
	Bystander bool // needs no bot at the table: an organiser who has a match played again
}

// CanChallenge tells why somebody may not have these bots, by seat, play an unrated match: one of them is the asker's, the
// others are too or take challenges ([ErrNotYours]); all are active ([ErrState]), different, play the game, and fill a table of
// it ([ErrInvalid]); and none has [MaxChallenges] of them open ([ErrLimit]).
func CanChallenge(info game.Info, table []Seated, asker Asker) error {
	if n := len(table); n < info.MinSeats || n > info.MaxSeats {
		return &FieldError{"/bots", fmt.Sprintf("%d bots; %s is played by %d to %d", n, info.ID, info.MinSeats, info.MaxSeats)}
	}
	mine := asker.Admin || asker.Bystander
	for i, b := range table {
		pointer := fmt.Sprintf("/bots/%d", i)
		switch {
		case slices.ContainsFunc(table[:i], func(o Seated) bool { return o.ID == b.ID }):
			return &FieldError{pointer, fmt.Sprintf("bot %q has a seat already", b.Name)}
		case b.OwnerID != asker.UserID && !asker.Admin && !b.TakesChallenges:
			return fmt.Errorf("%w: bot %q takes no challenges; its owner can change that", ErrNotYours, b.Name)
		case b.Status != BotActive:
			return fmt.Errorf("%w: bot %q is %s", ErrState, b.Name, b.Status)
		case !slices.Contains(b.Games, info.ID):
			return &FieldError{pointer, fmt.Sprintf("bot %q does not play %s; it said %v in its hello", b.Name, info.ID, b.Games)}
		case b.Open >= MaxChallenges:
			return fmt.Errorf("%w: bot %q has %d matches by challenge open; wait for one to end", ErrLimit, b.Name, b.Open)
		}
		mine = mine || b.OwnerID == asker.UserID
	}
	if !mine {
		return fmt.Errorf("%w: a challenge is for a bot of yours against others; none of these is", ErrNotYours)
	}
	return nil
}
