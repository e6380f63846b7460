package tournament

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

const (
	// MaxChallenges is how many challenge matches a bot may have open.
	MaxChallenges = 5
	// MaxByOne is how many of them one user may have asked for with a bot of others, so that nobody keeps all others from it.
	MaxByOne = 3
)

// Seated is a bot at the table of a challenge match.
type Seated struct {
	Bot
	Games []string // ids of the games that its active version plays
	Open  int      // its open challenge matches
	Asked int      // those of them that the asker asked for
}

// Asker names the user behind a request for a challenge match.
type Asker struct {
	UserID    string
	BotID     string // the only bot they act for; "": all of theirs
	Admin     bool   // may seat any bot, as an administrator
	Bystander bool   // needs no bot at the table: an organiser who repeats a match
}

// owns reports whether the asker acts for a bot.
func (a Asker) owns(b Bot) bool { return b.OwnerID == a.UserID && (a.BotID == "" || a.BotID == b.ID) }

// insteadOf says what to do where a bot that is not active was to play.
func (a Asker) insteadOf(b Bot) string {
	switch {
	case b.Status == BotRetired:
		return "take another bot"
	case a.owns(b) && b.BannedAt == nil:
		return "resume it first"
	}
	return "take another bot, or wait until it plays again"
}

// CanChallenge says why a user may not make these bots, by seat, play an unrated match. One bot must be the asker's, and the
// others too unless they take challenges ([ErrNotYours]). All must be active ([ErrState]), different, play the game, and fill
// a table of it ([ErrInvalid]). None may have [MaxChallenges] open already, nor a bot of others [MaxByOne] of the
// asker's ([ErrLimit]).
func CanChallenge(info game.Info, table []Seated, asker Asker) error {
	if n := len(table); n < info.MinSeats || n > info.MaxSeats {
		return &FieldError{"/bots", fmt.Sprintf("%s; %s is played by %s", game.Plural(n, "bot"), info.ID, info.Sizes())}
	}
	mine := asker.Admin || asker.Bystander
	for i, b := range table {
		pointer := fmt.Sprintf("/bots/%d", i)
		switch {
		case slices.ContainsFunc(table[:i], func(o Seated) bool { return o.ID == b.ID }):
			return &FieldError{pointer, fmt.Sprintf("bot %q has a seat already", b.Name)}
		case !asker.owns(b.Bot) && !asker.Admin && !b.TakesChallenges:
			return fmt.Errorf("%w: bot %q takes no challenges; its owner can change that", ErrNotYours, b.Name)
		case b.Status != BotActive:
			return fmt.Errorf("%w: bot %q is %s; %s", ErrState, b.Name, b.Status, asker.insteadOf(b.Bot))
		case !slices.Contains(b.Games, info.ID):
			return &FieldError{pointer, fmt.Sprintf("bot %q does not play %s; it said %v in its hello", b.Name, info.ID, b.Games)}
		case b.Open >= MaxChallenges:
			return fmt.Errorf("%w: bot %q has %s by challenge open, which is the most; take another bot, or wait for one of them to end", ErrLimit, b.Name, game.Plural(b.Open, "match"))
		case b.Asked >= MaxByOne && !asker.owns(b.Bot) && !asker.Admin && asker.UserID != GuestsID:
			return fmt.Errorf("%w: you have %s by challenge open with bot %q, and may have %d; take another bot, or wait for one of them to end",
				ErrLimit, game.Plural(b.Asked, "match"), b.Name, MaxByOne)
		}
		mine = mine || asker.owns(b.Bot)
	}
	if !mine {
		return fmt.Errorf("%w: a challenge is for a bot of yours against others; none of these is yours", ErrNotYours)
	}
	return nil
}
