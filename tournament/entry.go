package tournament

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// CanJoin says why a bot may not enter: the tournament's state ([ErrState]) and window ([ErrWindow]), the bot's state
// ([ErrState]) and games ([ErrInvalid]), a second entry ([ErrTaken]), capacity ([ErrFull]), and more entries of one owner
// than the tournament allows one ([ErrLimit]). Where there is a waiting list, capacity is that of the list too. entries are all
// entries, including withdrawn ones; games are those of the bot's active version. This lets late entries into a running
// tournament that takes them; its format decides. A bot that has withdrawn from a running tournament cannot return
// ([ErrState]), nor one that an organiser has excluded.
func CanJoin(t Tournament, info game.Info, entries []Entry, b Bot, games []string, now time.Time) error {
	late := t.Status == Running && t.Options.LateEntries
	switch {
	case t.Status != Scheduled && !late:
		return fmt.Errorf("%w: the tournament is %s; entries are taken while it is %s", ErrState, t.Status, Scheduled)
	case now.Before(t.OpensAt):
		return fmt.Errorf("%w: registration opens at %s", ErrWindow, t.OpensAt.UTC().Format(time.RFC3339))
	case !now.Before(t.ClosesAt) && !late:
		return fmt.Errorf("%w: registration closed at %s", ErrWindow, t.ClosesAt.UTC().Format(time.RFC3339))
	case b.Status != BotActive:
		return fmt.Errorf("%w: bot %q is %s: %s", ErrState, b.Name, b.Status, b.Reason)
	case !slices.Contains(games, t.Game):
		return &FieldError{"/bot_id", fmt.Sprintf("bot %q does not play %s; it said %v in its hello", b.Name, t.Game, games)}
	}
	own, most := 0, t.perOwner(info)
	for _, e := range entries {
		// A bot that leaves after the start leaves no place to another, but one that plays on in its place has just that.
		goesOn := func(x Entry) bool { return x.Replaces == e.BotID && x.OwnerID == e.OwnerID }
		if e.OwnerID == b.OwnerID && (e.WithdrawnAt == nil || e.VersionID != "") && !slices.ContainsFunc(entries, goesOn) {
			own++
		}
		if e.WithdrawnAt != nil {
			switch {
			case e.BotID != b.ID:
			case late && e.VersionID != "":
				return fmt.Errorf("%w: bot %q withdrew after the start; that is permanent", ErrState, b.Name)
			case e.Excluded:
				return excluded(b)
			}
			continue
		}
		if e.BotID == b.ID {
			return fmt.Errorf("%w: bot %q is entered already", ErrTaken, b.Name)
		}
	}
	free, waiting := Places(t, entries)
	switch {
	case free > 0:
	case !t.WaitingList || late:
		return fmt.Errorf("%w: all %d places are taken", ErrFull, t.Capacity)
	case waiting >= t.Capacity:
		return fmt.Errorf("%w: all %d places are taken, and as many wait", ErrFull, t.Capacity)
	}
	unbounded := free <= 0 && most >= t.Capacity // the waiting list bounds those that wait
	if own >= most && !unbounded {
		return fmt.Errorf("%w: an owner has at most %s here, and you have %d", ErrLimit, game.Plural(most, "entry"), own)
	}
	return nil
}

func excluded(b Bot) error {
	return fmt.Errorf("%w: the organiser has excluded bot %q; ask the organiser to admit it again", ErrState, b.Name)
}

// CanAdmit says why an organiser may not admit the bot of an entry again: it is not excluded ([ErrState]). [CanJoin] goes on from there.
func CanAdmit(e Entry) error {
	if e.WithdrawnAt == nil || !e.Excluded {
		return fmt.Errorf("%w: bot %q is not excluded; its owner enters it", ErrState, e.BotName)
	}
	return nil
}

// Places returns how many places of a tournament are free, and how many entries wait for one. Two versions of a bot have a place each.
func Places(t Tournament, entries []Entry) (int, int) {
	free, waiting := t.Capacity, 0
	for _, e := range entries {
		switch {
		case e.WithdrawnAt != nil:
		case e.Waiting:
			waiting++
		case e.AgainstID != "":
			free -= 2
		default:
			free--
		}
	}
	return free, waiting
}

// Ends returns when an arena that has started makes no more matches, as it looks at a time: it lasts longer by as long as it is paused.
// Nil: the tournament ends by its results.
func (t *Tournament) Ends(now time.Time) *time.Time {
	if t.Format != Arena || t.StartedAt == nil {
		return nil
	}
	return new(t.StartedAt.Add(t.Options.Lasts() + t.PausedFor(now)))
}

// PausedFor returns how long a tournament has been paused now; 0 if it is not.
func (t *Tournament) PausedFor(now time.Time) time.Duration {
	if t.PausedAt == nil {
		return 0
	}
	return now.Sub(*t.PausedAt)
}

// ChecksIn reports whether check-in is open at a time before the start.
func (t *Tournament) ChecksIn(now time.Time) bool {
	opens := t.CheckInOpens()
	return opens != nil && !now.Before(*opens)
}

// CheckInOpens returns when check-in opens; nil where nobody is asked.
func (t *Tournament) CheckInOpens() *time.Time {
	if t.CheckIn == 0 {
		return nil
	}
	return new(t.StartsAt.Add(-t.CheckIn))
}

// CanCheckIn says why an entry may not be checked in: the tournament asks nobody to, has started, or the entry is out ([ErrState]),
// or check-in is not open yet ([ErrWindow]).
func CanCheckIn(t Tournament, e Entry, now time.Time) error {
	switch {
	case t.CheckIn == 0:
		return fmt.Errorf("%w: the tournament has no check-in", ErrState)
	case t.Status != Scheduled:
		return fmt.Errorf("%w: the tournament is %s; check-in ends at its start", ErrState, t.Status)
	case e.WithdrawnAt != nil:
		return fmt.Errorf("%w: bot %q has withdrawn, or another has taken its place", ErrState, e.BotName)
	case !t.ChecksIn(now):
		return fmt.Errorf("%w: check-in opens at %s", ErrWindow, t.CheckInOpens().UTC().Format(time.RFC3339))
	}
	return nil
}

// Field returns the entries as the start at a time has them, withdrawn ones left away: each is in, or LeftOut says why it is not. A retired
// bot is out, and so is one that did not check in, unless the start comes before check-in opens. Then those that wait take the places that
// are free, in the order of joining.
func Field(t Tournament, entries []Entry, retired func(Entry) bool, now time.Time) []Entry {
	in := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.WithdrawnAt != nil })
	for i, e := range in {
		switch {
		case retired(e):
			in[i].LeftOut = Retired
		case t.ChecksIn(now) && e.CheckedInAt == nil:
			in[i].LeftOut = NotCheckedIn
		}
	}
	free, _ := Places(t, slices.DeleteFunc(slices.Clone(in), func(e Entry) bool { return e.LeftOut != "" }))
	for i, e := range in {
		if !e.Waiting {
			continue
		}
		in[i].Waiting = false
		switch {
		case e.LeftOut != "":
		case free > 0:
			free--
		default:
			in[i].LeftOut = NoPlace
		}
	}
	return in
}

// CanWithdraw says why an entry may not be withdrawn: it must still be entered, and the tournament not over ([ErrState]).
func CanWithdraw(t Tournament, e Entry) error {
	switch {
	case t.Status != Scheduled && t.Status != Running:
		return fmt.Errorf("%w: the tournament is %s; an entry can be taken back before its end", ErrState, t.Status)
	case e.WithdrawnAt != nil:
		return fmt.Errorf("%w: bot %q has withdrawn already, or another has taken its place", ErrState, e.BotName)
	}
	return nil
}

// TakesSubstitutes says why no entry of a tournament may be replaced now ([ErrState]). An arena takes late entries, and an sprt compares
// two versions: there nobody is replaced after the start.
func TakesSubstitutes(t Tournament) error {
	switch {
	case t.Status != Scheduled && t.Status != Running:
		return fmt.Errorf("%w: the tournament is %s", ErrState, t.Status)
	case t.Status == Running && (t.Format == Arena || t.Format == SPRT):
		return fmt.Errorf("%w: an %s has no substitutes after its start", ErrState, t.Format)
	}
	return nil
}

// CanSubstitute says why a bot may not take the place of an entry: the entry is out, the bot was in the tournament after its start, is
// excluded or entered, is not active ([ErrState], [ErrTaken]), does not play the game, or its owner would have too many entries ([ErrLimit]). [TakesSubstitutes]
// goes before.
func CanSubstitute(t Tournament, info game.Info, entries []Entry, e Entry, b Bot, games []string) error {
	replaced := slices.IndexFunc(entries, func(x Entry) bool { return x.Replaces == e.BotID })
	if err := TakesSubstitutes(t); err != nil {
		return err
	}
	switch {
	case replaced >= 0:
		return fmt.Errorf("%w: bot %q plays for bot %q already; to replace it too, name it", ErrState, entries[replaced].BotName, e.BotName)
	case e.WithdrawnAt != nil:
		return fmt.Errorf("%w: bot %q has withdrawn, or another has taken its place", ErrState, e.BotName)
	case e.AgainstID != "":
		return fmt.Errorf("%w: bot %q has entered two versions; withdraw it, and enter the other", ErrState, e.BotName)
	case b.Status != BotActive:
		return fmt.Errorf("%w: bot %q is %s: %s", ErrState, b.Name, b.Status, b.Reason)
	case !slices.Contains(games, t.Game):
		return &FieldError{"/bot_id", fmt.Sprintf("bot %q does not play %s; it said %v in its hello", b.Name, t.Game, games)}
	}
	own := 0
	for _, x := range entries {
		switch {
		case x.BotID == b.ID && x.WithdrawnAt == nil:
			return fmt.Errorf("%w: bot %q is entered already", ErrTaken, b.Name)
		case x.BotID == b.ID && x.VersionID != "":
			return fmt.Errorf("%w: bot %q has left after the start; that is permanent", ErrState, b.Name)
		case x.BotID == b.ID && x.Excluded:
			return excluded(b)
		case x.OwnerID == b.OwnerID && x.BotID != e.BotID && x.WithdrawnAt == nil:
			own++
		}
	}
	if most := t.perOwner(info); own >= most && b.OwnerID != e.OwnerID {
		return fmt.Errorf("%w: an owner has at most %s here, and that of bot %q has %d", ErrLimit, game.Plural(most, "entry"), b.Name, own)
	}
	return nil
}

// CanStart says why a tournament may not start: it starts only once ([ErrState]).
func CanStart(t Tournament) error {
	if t.Status != Scheduled {
		return fmt.Errorf("%w: the tournament is %s; only one that is %s can start", ErrState, t.Status, Scheduled)
	}
	return nil
}

// CanSeed reports why a tournament may not be seeded by hand: its seeds are fixed at the start, and an sprt has none ([ErrState]).
func CanSeed(t Tournament) error {
	switch {
	case t.Status != Scheduled:
		return fmt.Errorf("%w: the tournament is %s; seeds are set while it is %s", ErrState, t.Status, Scheduled)
	case t.Format == SPRT:
		return fmt.Errorf("%w: an %s compares two and has no seeds", ErrState, SPRT)
	}
	return nil
}

// CanCancel says why a tournament may not be cancelled: it is already over ([ErrState]).
func CanCancel(t Tournament) error {
	if t.Status != Scheduled && t.Status != Running {
		return fmt.Errorf("%w: the tournament is %s already", ErrState, t.Status)
	}
	return nil
}

// CanWrite says why what is written about a tournament may not change: it is over ([ErrState]).
func CanWrite(t Tournament) error {
	if t.Status != Scheduled && t.Status != Running {
		return fmt.Errorf("%w: the tournament is %s; its texts stay as they are", ErrState, t.Status)
	}
	return nil
}

// CanRevise says why a tournament may not become next: it is not scheduled any more ([ErrState]), or its entries would not fit, which
// is said of all at once.
func CanRevise(t, next Tournament, info game.Info, entries []Entry) error {
	if t.Status != Scheduled {
		return fmt.Errorf("%w: the tournament is %s; from its start on only what is written about it changes", ErrState, t.Status)
	}
	var errs []error
	refuse := func(pointer, reason string, args ...any) {
		errs = append(errs, &FieldError{pointer, fmt.Sprintf(reason, args...)})
	}
	free, waiting := Places(next, entries)
	if free < 0 {
		refuse("/capacity", "%d is less than the %d entries that have a place", next.Capacity, next.Capacity-free)
	}
	if waiting > 0 && !next.WaitingList {
		refuse("/waiting_list", "entries wait for a place (%d)", waiting)
	}
	own, challengers, pairs := map[string]int{}, 0, 0
	for _, e := range entries {
		switch {
		case e.WithdrawnAt != nil:
			continue
		case e.Challenger:
			challengers++
		case e.AgainstID != "":
			pairs++
		}
		if own[e.OwnerID]++; own[e.OwnerID] == next.perOwner(info)+1 {
			refuse("/entries_per_owner", "an owner would have at most %s, and that of bot %q has more", game.Plural(next.perOwner(info), "entry"), e.BotName)
		}
	}
	if challengers > 0 && next.Format != Gauntlet {
		refuse("/format", "challengers have entered (%d), which only a %s has", challengers, Gauntlet)
	}
	if pairs > 0 && next.Format != SPRT {
		refuse("/format", "an entry brings two versions of its bot, which only an %s compares", SPRT)
	}
	if next.Unlisted && !t.Unlisted {
		refuse("/unlisted", "it was announced to everybody already")
	}
	return errors.Join(errs...)
}

// CanPause says why a tournament may not be paused: only a running one that is not paused can ([ErrState]).
func CanPause(t Tournament) error {
	switch {
	case t.Status != Running:
		return fmt.Errorf("%w: the tournament is %s; only one that is %s can be paused", ErrState, t.Status, Running)
	case t.PausedAt != nil:
		return fmt.Errorf("%w: the tournament is paused already", ErrState)
	}
	return nil
}

// CanResume says why a tournament may not be resumed: only a running one that is paused can ([ErrState]).
func CanResume(t Tournament) error {
	if t.Status != Running || t.PausedAt == nil {
		return fmt.Errorf("%w: the tournament is %s and not paused", ErrState, t.Status)
	}
	return nil
}

// CanRenew says why a tournament's code may not be renewed: it takes no code, or no entries any more ([ErrState]).
func CanRenew(t Tournament) error {
	switch {
	case !t.Invite.Needed():
		return fmt.Errorf("%w: the tournament is open to everybody and has no invite code", ErrState)
	case t.Status != Scheduled && t.Status != Running:
		return fmt.Errorf("%w: the tournament is %s; nobody enters it any more", ErrState, t.Status)
	}
	return nil
}

// Admits says why a tournament refuses a code at a time ([ErrInvite]).
func (t *Tournament) Admits(code string, now time.Time) error {
	if t.Invite.Needed() && t.InviteEndsAt != nil && !now.Before(*t.InviteEndsAt) {
		return fmt.Errorf("%w: the invite code has ended at %s; ask the organiser for a new one", ErrInvite, t.InviteEndsAt.UTC().Format(time.RFC3339))
	}
	return t.Invite.Admit(code)
}

// Invite is the SHA-256 of an invitation code; zero means that none is needed. The code itself is not stored.
type Invite [sha256.Size]byte

// inviteBytes of randomness are in a code: too many to guess, so that a plain hash is enough.
const inviteBytes = 20

// NewInvite draws a code, which begins with mi_, and returns it with its hash.
func NewInvite(random io.Reader) (string, Invite, error) {
	var invite Invite
	b := make([]byte, inviteBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", invite, fmt.Errorf("invite code: %w", err)
	}
	code := "mi_" + base32.StdEncoding.EncodeToString(b)
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
	return fmt.Errorf("%w: the invite_code is wrong; send it exactly as the organiser gave it to you", ErrInvite)
}
