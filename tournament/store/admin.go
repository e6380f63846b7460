package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/molerun/molerun/tournament"
)

// ownerDisabled is why the bots of a disabled user are banned; enabling the user lifts these bans alone.
const ownerDisabled = "its owner's account is disabled"

// Users is a page of users and the cursor of the next, "" after the last.
func (s *Store) Users(ctx context.Context, p Page) ([]tournament.User, string, error) {
	db, limit, err := p.byID(s.with(ctx), "id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := fetch(db, limit, func(r userRow) string { return cursor(r.ID) })
	return each(rows, userRow.user), next, err
}

// DisableUser shuts an account for a reason, bans its bots and takes them from what is open ([Store.Evict]; what fails of
// that is done by the next sweep). Its tokens stay, and are refused by whoever looks at [tournament.User]. An account that is
// shut already is [tournament.ErrState].
func (s *Store) DisableUser(ctx context.Context, id, reason string) (tournament.User, error) {
	u, err := s.changeUser(ctx, id, func(tx *Tx, r *userRow) error {
		if r.DisabledAt != nil {
			return fmt.Errorf("%w: user %q is disabled already: %s", tournament.ErrState, r.Name, r.DisabledReason)
		}
		r.DisabledAt, r.DisabledReason = new(s.now()), reason
		return tx.db.Model(&botRow{}).Where("owner_id = ? AND status <> ? AND banned_at IS NULL", id, tournament.BotRetired).Updates(map[string]any{
			"banned_at": s.now(), "status": tournament.BotPaused, "reason": banned(ownerDisabled), "passes": 0,
		}).Error
	})
	if err == nil {
		err = s.Evict(apart(ctx))
	}
	return u, err
}

// EnableUser opens an account again, and lifts the bans that came with its shutting. What was void stays void, and who was taken
// from a tournament stays out. An open account is [tournament.ErrState].
func (s *Store) EnableUser(ctx context.Context, id string) (tournament.User, error) {
	return s.changeUser(ctx, id, func(tx *Tx, r *userRow) error {
		if r.DisabledAt == nil {
			return fmt.Errorf("%w: user %q is not disabled", tournament.ErrState, r.Name)
		}
		r.DisabledAt, r.DisabledReason = nil, ""
		return tx.db.Model(&botRow{}).Where("owner_id = ? AND status <> ? AND reason = ?", id, tournament.BotRetired, banned(ownerDisabled)).
			Updates(map[string]any{"banned_at": nil, "reason": unbanned}).Error
	})
}

func (s *Store) changeUser(ctx context.Context, id string, change func(*Tx, *userRow) error) (tournament.User, error) {
	var r userRow
	err := s.InTx(ctx, func(tx *Tx) error {
		if err := locked(tx.db).Where("id = ?", id).Take(&r).Error; err != nil {
			return found(err, "user", id)
		}
		if err := change(tx, &r); err != nil {
			return err
		}
		return tx.db.Model(&userRow{}).Where("id = ?", id).Updates(map[string]any{"disabled_at": r.DisabledAt, "disabled_reason": r.DisabledReason}).Error
	})
	return r.user(), err
}

// unbanned is why a bot is still paused after its ban: it must pass its checks like any other.
const unbanned = "the ban was lifted; two health checks must pass"

func banned(reason string) string { return "banned: " + reason }

// BanBot pauses a bot for a reason until [Store.UnbanBot]: neither its owner nor a health check wakes it. What it has begun it
// plays to the end. A bot that is banned or retired already is [tournament.ErrState].
func (s *Store) BanBot(ctx context.Context, id, reason string) (tournament.Bot, error) {
	return s.changeBan(ctx, id, func(r *botRow) error {
		if r.BannedAt != nil {
			return fmt.Errorf("%w: bot %q is %s", tournament.ErrState, r.Name, r.Reason)
		}
		r.BannedAt, r.Status, r.Reason = new(s.now()), string(tournament.BotPaused), banned(reason)
		return nil
	})
}

// UnbanBot lifts a ban, also one for its conduct: what has ended before counts no more. The bot stays paused until two health checks in a row pass, or its owner's check does. A bot that
// is not banned is [tournament.ErrState].
func (s *Store) UnbanBot(ctx context.Context, id string) (tournament.Bot, error) {
	return s.changeBan(ctx, id, func(r *botRow) error {
		if r.BannedAt == nil {
			return fmt.Errorf("%w: bot %q is not banned", tournament.ErrState, r.Name)
		}
		r.BannedAt, r.Reason = nil, unbanned
		r.Conduct, r.ConductFrom = "", new(s.now())
		return nil
	})
}

func (s *Store) changeBan(ctx context.Context, id string, change func(*botRow) error) (b tournament.Bot, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		r, err := tx.living(id)
		if err != nil {
			return err
		}
		before := r
		if err := change(&r); err != nil {
			return err
		}
		b = r.bot()
		tx.tellBot(before, tournament.Health{Status: b.Status, Reason: b.Reason})
		return tx.db.Model(&botRow{}).Where("id = ?", id).
			Updates(map[string]any{
				"banned_at": r.BannedAt, "status": r.Status, "reason": r.Reason, "passes": 0, "conduct": r.Conduct, "conduct_from": r.ConductFrom,
			}).Error
	})
	return b, err
}

// VoidMatch ends a match that is not over, for a reason, without a result: its worker is fenced, it takes its place in
// schedule order and rates nobody, and its tournament goes on as after [Store.Void]. A match that is over is
// [tournament.ErrState]: its result stands.
func (s *Store) VoidMatch(ctx context.Context, id, reason string) (m tournament.Match, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if m, err = takeMatch(tx.db, id); err != nil {
			return err
		}
		var cup *tournament.Tournament // locked before the match, as everywhere
		if m.TournamentID != "" {
			t, err := takeTournament(locked(tx.db), m.TournamentID)
			if err != nil {
				return err
			}
			cup = &t
		}
		r, err := tx.openMatch(id, "void")
		if err != nil {
			return err
		}
		r.Status, r.Reason = string(tournament.MatchVoid), reason
		if err := tx.tellVoid([]matchRow{r}); err != nil {
			return err
		}
		if err := tx.db.Model(&matchRow{}).Where("id = ?", id).Updates(map[string]any{
			"status": tournament.MatchVoid, "reason": reason, "ended_at": s.now(), "worker": "",
		}).Error; err != nil {
			return err
		}
		if m.LadderID != "" {
			if _, err := tx.applyRatings(m.LadderID); err != nil {
				return err
			}
		}
		if cup != nil {
			if err := tx.finishTournament(ctx, cup); err != nil {
				return err
			}
		}
		if m.AskerID != "" {
			if err := tx.nextChallenges(ctx, m.AskerID); err != nil {
				return err
			}
		}
		m, err = takeMatch(tx.db, id)
		return err
	})
	return m, err
}

// Requeue takes a match that is not over from whoever plays it and gives it a new job; what is recorded is not asked again.
// A match that is over is [tournament.ErrState].
func (s *Store) Requeue(ctx context.Context, id string) (m tournament.Match, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		r, err := tx.openMatch(id, "queued again")
		if err != nil {
			return err
		}
		if err := tx.requeue(ctx, r.ID, r.Epoch, tournament.MatchStatus(r.Status)); err != nil {
			return err
		}
		m, err = takeMatch(tx.db, id)
		return err
	})
	return m, err
}

// openMatch is the locked row of a match that is not over.
func (tx *Tx) openMatch(id, what string) (r matchRow, err error) {
	if err := locked(tx.db).Where("id = ?", id).Take(&r).Error; err != nil {
		return r, found(err, "match", id)
	}
	if tournament.MatchStatus(r.Status).Over() {
		return r, fmt.Errorf("%w: the match is %s; only one that is %s or %s can be %s", tournament.ErrState, r.Status,
			tournament.MatchQueued, tournament.MatchRunning, what)
	}
	return r, nil
}

// Job is a job of the queue.
type Job struct {
	ID          int64
	Kind, Queue string
	State       string // of [JobStates]
	Args        json.RawMessage
	Attempt     int
	MaxAttempts int
	LastError   string // of the attempt before; "" if none failed
	CreatedAt   time.Time
	ScheduledAt time.Time
	AttemptedAt *time.Time
	FinalizedAt *time.Time
}

// JobStates are the states of a job.
func JobStates() []string {
	return []string{"available", "cancelled", "completed", "discarded", "pending", "retryable", "running", "scheduled"}
}

// Jobs is a page of the queue's jobs, the last made first, and the cursor of the next, "" after the last. state is one of
// [JobStates], or "" for all.
func (s *Store) Jobs(ctx context.Context, state string, p Page) ([]Job, string, error) {
	limit, err := p.limit()
	if err != nil {
		return nil, "", err
	}
	params := river.NewJobListParams().First(limit+1).OrderBy(river.JobListOrderByID, river.SortOrderDesc)
	if state != "" {
		params = params.States(rivertype.JobState(state))
	}
	if p.After != "" {
		id, err := strconv.ParseInt(p.After, 10, 64)
		if err != nil {
			return nil, "", badCursor()
		}
		params = params.Where("id < @before", river.NamedArgs{"before": id})
	}
	var list *river.JobListResult
	if s.pool != nil {
		list, err = s.jobsPG.JobList(ctx, params)
	} else {
		list, err = s.jobsLT.JobList(ctx, params)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list jobs: %w", err)
	}
	rows, next := cut(list.Jobs, limit, func(r *rivertype.JobRow) string { return strconv.FormatInt(r.ID, 10) })
	return each(rows, jobOf), next, nil
}

func jobOf(r *rivertype.JobRow) Job {
	j := Job{
		ID: r.ID, Kind: r.Kind, Queue: r.Queue, State: string(r.State), Args: r.EncodedArgs, Attempt: r.Attempt, MaxAttempts: r.MaxAttempts,
		CreatedAt: utc(r.CreatedAt), ScheduledAt: utc(r.ScheduledAt), AttemptedAt: utcPtr(r.AttemptedAt), FinalizedAt: utcPtr(r.FinalizedAt),
	}
	if n := len(r.Errors); n > 0 {
		j.LastError = r.Errors[n-1].Error
	}
	return j
}
