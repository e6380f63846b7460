package director

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// free returns a bot that is neither retired nor banned, its row locked.
func (tx *txn) free(botID string) (store.BotState, error) {
	b, err := tx.Living(botID)
	if err == nil && b.BannedAt != nil {
		err = fmt.Errorf("%w: bot %q is %s; ask an administrator", tournament.ErrState, b.Name, b.Reason)
	}
	return b, err
}

// saveHealth writes how a bot does, and tells its owner if that has changed.
func (tx *txn) saveHealth(b *store.BotState, h tournament.Health, cause tournament.PauseCause) error {
	before := b.Bot
	b.Status, b.Reason, b.Passes, b.CheckedAt, b.Pause = h.Status, h.Reason, h.Passes, tx.d.now(), ""
	switch h.Status {
	case tournament.BotPaused:
		b.Pause = cause
	case tournament.BotActive:
		b.UnprovenAt, b.TrialDue = nil, false
	case tournament.BotRetired:
	}
	tx.EmitBot(before, b.Bot)
	return tx.SaveBotState(*b)
}

// saveCheck writes what a check found that began at a time. What the bot has failed in since then stands.
func (tx *txn) saveCheck(b *store.BotState, began time.Time, h tournament.Health, cause tournament.PauseCause) error {
	since, trial, last := b.UnprovenAt, b.TrialDue, b.CheckedAt
	if err := tx.saveHealth(b, h, cause); err != nil || since == nil || !began.Before(*since) {
		return err
	}
	b.UnprovenAt, b.TrialDue, b.CheckedAt = since, trial, last
	return tx.SaveBotState(*b)
}

// Greeting is what came of greeting a bot for its owner, with a decision on trial.
type Greeting struct {
	BotID, VersionID string // the version that was greeted
	Began            time.Time
	Failure          string                // "" if it passed
	Ends             tournament.PauseCause // the pause that its owner ends, if it passes
}

// Greeted makes a bot active that has passed, which begins the count of its failures again, and pauses one that has not. One that is
// paused by its owner or for its faults stays as it is unless that pause is to end, and so does one that plays with another version by now. A retired or
// banned bot is [tournament.ErrState].
func (d *Director) Greeted(ctx context.Context, g Greeting) (tournament.Bot, error) {
	return d.changeBot(ctx, g.BotID, (*txn).free, func(tx *txn, b *store.BotState) error {
		stays := b.Pause == tournament.PausedByOwner || b.Pause == tournament.PausedByFaults
		if b.VersionID != g.VersionID || stays && b.Pause != g.Ends {
			return nil
		}
		h := tournament.Health{Status: tournament.BotPaused, Reason: g.Failure}
		if g.Failure == "" {
			h.Status = tournament.BotActive
			if b.UnprovenAt == nil || !g.Began.Before(*b.UnprovenAt) {
				b.Failures = 0
			}
		}
		return tx.saveCheck(b, g.Began, h, tournament.PausedByChecks)
	})
}

// PauseBot pauses a bot for its owner: no check brings it back. A retired or banned bot is [tournament.ErrState].
func (d *Director) PauseBot(ctx context.Context, id string) (tournament.Bot, error) {
	return d.changeBot(ctx, id, (*txn).free, func(tx *txn, b *store.BotState) error {
		return tx.saveHealth(b, tournament.Health{Status: tournament.BotPaused, Reason: byOwner}, tournament.PausedByOwner)
	})
}

// changeBot changes a bot in a transaction; lock returns it with its row locked, or refuses.
func (d *Director) changeBot(
	ctx context.Context, id string, lock func(*txn, string) (store.BotState, error), change func(*txn, *store.BotState) error,
) (tournament.Bot, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Bot, error) {
		b, err := lock(tx, id)
		if err == nil {
			err = change(tx, &b)
		}
		return b.Bot, err
	})
}

// RetireBot ends a bot permanently; its matches and ratings stay, and it leaves its tournaments ([Director.Evict]; what fails of that is done
// by the next sweep). Retiring again is [tournament.ErrState].
func (d *Director) RetireBot(ctx context.Context, id, reason string) (tournament.Bot, error) {
	b, err := d.changeBot(ctx, id, (*txn).Living, func(tx *txn, b *store.BotState) error {
		return tx.saveHealth(b, tournament.Health{Status: tournament.BotRetired, Reason: reason}, "")
	})
	if err == nil {
		err = d.On(d.store.WithoutHooks()).Evict(ctx)
	}
	return b, err
}

// TakeChallenges writes whether a bot takes challenges. A retired bot is [tournament.ErrState].
func (d *Director) TakeChallenges(ctx context.Context, botID string, takes bool) (tournament.Bot, error) {
	return d.changeBot(ctx, botID, (*txn).Living, func(tx *txn, b *store.BotState) error {
		b.TakesChallenges = takes
		return tx.TakeChallenges(botID, takes)
	})
}

// Checked records what a health check of a version found; failure is "" if it passed. A bot that has lost [tournament.FailuresInRow]
// matches by its own faults is paused whatever was found. A bot that meanwhile was retired, banned or paused by its owner or for its
// faults, or plays with another version, is [tournament.ErrState].
func (d *Director) Checked(ctx context.Context, botID, versionID, failure string) (tournament.Health, error) {
	return transact(ctx, d, func(tx *txn) (h tournament.Health, err error) {
		b, err := tx.free(botID)
		if err != nil {
			return h, err
		}
		if b.VersionID != versionID {
			return h, fmt.Errorf("%w: bot %q plays with another version by now", tournament.ErrState, b.Name)
		}
		if b.Pause == tournament.PausedByOwner || b.Pause == tournament.PausedByFaults {
			return h, fmt.Errorf("%w: bot %q is paused: %s", tournament.ErrState, b.Name, b.Reason)
		}
		h = tournament.Health{Status: b.Status, Reason: b.Reason, Passes: b.Passes}.After(failure)
		if b.Failures >= tournament.FailuresInRow {
			h = tournament.Health{Status: tournament.BotPaused, Reason: cmp.Or(failure, faulty)}
			return h, tx.saveHealth(&b, h, tournament.PausedByFaults)
		}
		return h, tx.saveCheck(&b, b.CheckedAt, h, tournament.PausedByChecks)
	})
}

// faulty is why a bot is paused that answers, and has lost too many matches all the same.
var faulty = fmt.Sprintf("it lost %d matches in a row by its own faults; see what its last matches say, then resume it", tournament.FailuresInRow)

// Promote makes a version of a bot, newer or older, the one that plays new matches; those made already keep theirs. A newer
// one that has no rated match has the version that it replaces for its parent: it begins with that one's rating. A bot
// that is paused and not banned is active then: whoever promotes has greeted the version. What plays already, and a version
// without a game the bot is entered in, is [tournament.ErrState]; so is a retired bot.
func (d *Director) Promote(ctx context.Context, botID, versionID string) (tournament.Bot, error) {
	return d.changeBot(ctx, botID, (*txn).Living, func(tx *txn, b *store.BotState) error {
		v, err := tx.Version(versionID)
		if err == nil && v.BotID != botID {
			err = fmt.Errorf("%w: version %q of bot %q", tournament.ErrNotFound, versionID, b.Name)
		}
		if err != nil {
			return err
		}
		if b.VersionID == v.ID {
			return fmt.Errorf("%w: version %d of bot %q plays already", tournament.ErrState, v.Number, b.Name)
		}
		missing, err := tx.MissingGames(botID, v.Games)
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			return fmt.Errorf("%w: version %d does not play %s, in which bot %q is entered; leave those ladders and tournaments first",
				tournament.ErrState, v.Number, strings.Join(missing, ", "), b.Name)
		}
		if err := tx.SetActive(v, b.VersionID); err != nil {
			return err
		}
		b.VersionID = v.ID
		before := b.Bot
		b.UnprovenAt, b.TrialDue, b.Failures = nil, false, 0 // the failures were the other version's
		if b.BannedAt == nil && b.Pause != tournament.PausedByOwner {
			b.Status, b.Reason, b.Pause, b.Passes, b.CheckedAt = tournament.BotActive, "", "", 0, d.now()
		}
		tx.EmitBot(before, b.Bot)
		return tx.SaveBotState(*b)
	})
}

// byOwner is why a bot is paused that its owner has paused; unbanned why one is still paused after its ban: it must pass its checks like
// any other.
const byOwner, unbanned = "paused by its owner", "the ban was lifted; two health checks must pass"

// ban pauses a bot until the ban is lifted, and tells its owner.
func (tx *txn) ban(b *store.BotState, cause tournament.PauseCause, reason string) error {
	before := b.Bot
	b.OwnerPaused = b.Pause == tournament.PausedByOwner
	b.BannedAt, b.Status, b.Pause = new(tx.d.now()), tournament.BotPaused, cause
	b.Reason, b.Passes = "banned: "+reason, 0
	tx.EmitBot(before, b.Bot)
	return tx.SaveBotState(*b)
}

// lift ends a ban; what was counted before counts no more. Its owner's pause stands.
func (tx *txn) lift(b *store.BotState) error {
	b.BannedAt, b.Pause, b.Reason, b.Passes, b.Failures = nil, tournament.PausedByChecks, unbanned, 0, 0
	if b.OwnerPaused {
		b.Pause, b.Reason, b.OwnerPaused = tournament.PausedByOwner, byOwner, false
	}
	return tx.SaveBotState(*b)
}

// BanBot pauses a bot for a reason until [Director.UnbanBot]: neither its owner nor a health check wakes it. What it has begun it
// plays to the end. A bot that is banned or retired already is [tournament.ErrState].
func (d *Director) BanBot(ctx context.Context, id, reason string) (tournament.Bot, error) {
	return d.changeBot(ctx, id, (*txn).Living, func(tx *txn, b *store.BotState) error {
		if b.BannedAt != nil {
			return fmt.Errorf("%w: bot %q is %s", tournament.ErrState, b.Name, b.Reason)
		}
		return tx.ban(b, tournament.BannedByAdmin, reason)
	})
}

// UnbanBot lifts a ban, also one for its conduct: what has ended before counts no more. The bot stays paused until two
// health checks in a row pass, or its owner's check does; one that its owner had paused, until its owner resumes it. A bot that is not banned is [tournament.ErrState],
// and so is one whose owner is disabled: it would be paired, and all its matches void.
func (d *Director) UnbanBot(ctx context.Context, id string) (tournament.Bot, error) {
	return d.changeBot(ctx, id, (*txn).Living, func(tx *txn, b *store.BotState) error {
		if b.BannedAt == nil {
			return fmt.Errorf("%w: bot %q is not banned", tournament.ErrState, b.Name)
		}
		owner, err := tx.User(b.OwnerID)
		if err != nil {
			return err
		}
		if owner.DisabledAt != nil {
			return fmt.Errorf("%w: the account %q of the bot's owner is disabled; enable that first", tournament.ErrState, owner.Name)
		}
		b.Conduct, b.ConductFrom = "", new(tx.d.now())
		return tx.lift(b)
	})
}

// JudgeBot bans a bot whose last matches are past a bound and returns which, "" for none. Matches that ended before its last
// ban was lifted, or more than seven days ago, do not count.
func (d *Director) JudgeBot(ctx context.Context, botID string) (tournament.Conduct, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Conduct, error) {
		b, err := tx.Living(botID)
		if err != nil || b.BannedAt != nil {
			return "", err
		}
		list, err := tx.EndedMatches(b, func(gameID string) bool {
			info, err := d.info(gameID)
			return err == nil && info.Teams
		})
		if err != nil {
			return "", err
		}
		conduct := tournament.Judge(list)
		if conduct == "" {
			return "", nil
		}
		b.Conduct = conduct
		return conduct, tx.ban(&b, tournament.BannedByRule, fmt.Sprintf("too many %s in its last %d matches; ask an administrator", conduct, len(list)))
	})
}
