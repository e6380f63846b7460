package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Start makes a tournament's whole schedule in one transaction: entries fixed to their bots' active versions (those of
// retired bots withdrawn), all matches with their seats, seeds and ladder places, and a job for each. The rule is
// [tournament.CanStart]; an organiser may start early. With entries that make no schedule it is [tournament.ErrState]
// before the start time; after it the tournament is cancelled with the reason, which is no error. A second start is
// [tournament.ErrState].
func (s *Store) Start(ctx context.Context, id string) (t tournament.Tournament, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if t, err = takeTournament(locked(tx.db), id); err != nil {
			return err
		}
		if err := tournament.CanStart(t); err != nil {
			return err
		}
		info, err := s.info(t.Game)
		if err != nil {
			return err
		}
		field, err := tx.field(t.ID)
		if err != nil {
			return err
		}
		plan, err := s.plan(t, info, field)
		if errors.Is(err, pairing.ErrOptions) || errors.Is(err, pairing.ErrImpossible) {
			if s.now().Before(t.StartsAt) {
				return fmt.Errorf("%w: cannot start yet: %w", tournament.ErrState, err)
			}
			return tx.end(&t, tournament.Cancelled, err.Error())
		}
		if err != nil {
			return err
		}
		now := s.now()
		t.Status, t.StartedAt = tournament.Running, &now
		if err := tx.db.Model(&tournamentRow{}).Where("id = ?", t.ID).Updates(map[string]any{"status": t.Status, "started_at": now}).Error; err != nil {
			return err
		}
		list, err := s.schedule(t, info, field, plan)
		if err != nil {
			return err
		}
		return tx.save(ctx, t, list)
	})
	return t, err
}

// field fixes the entries: each to its bot's active version; retired bots are out.
func (tx *Tx) field(tournamentID string) ([]entryView, error) {
	all, err := entries(tx.db, tournamentID)
	if err != nil {
		return nil, err
	}
	var field []entryView
	for _, e := range all {
		if e.Entry.WithdrawnAt != nil {
			continue
		}
		change := map[string]any{"version_id": e.BotVersion}
		if e.BotStatus == string(tournament.BotRetired) {
			change = map[string]any{"withdrawn_at": tx.s.now()}
		} else {
			field = append(field, e)
		}
		if err := tx.db.Model(&entryRow{}).Where("tournament_id = ? AND bot_id = ?", tournamentID, e.Entry.BotID).Updates(change).Error; err != nil {
			return nil, err
		}
	}
	return field, nil
}

// plan pairs the field. In rated games with hidden teams no owner meets itself.
func (s *Store) plan(t tournament.Tournament, info game.Info, field []entryView) (pairing.Schedule, error) {
	o := pairing.Options{SeatsPerTable: t.Table, Cycles: t.Cycles, Duplicate: t.Duplicate}
	if t.Rated && info.Teams {
		o.Conflict = func(a, b int) bool { return field[a].OwnerID == field[b].OwnerID }
	}
	luck, err := s.seed()
	if err != nil {
		return pairing.Schedule{}, err
	}
	return pairing.RoundRobin(len(field), o, game.Stream(luck, 0, "pairing"))
}

// seed draws a fresh secret.
func (s *Store) seed() (seed game.Seed, err error) {
	if _, err = io.ReadFull(s.opts.Rand, seed[:]); err != nil {
		err = fmt.Errorf("randomness: %w", err)
	}
	return seed, err
}

// schedule makes the matches of a plan, in order. Those of a block share a seed; nonces and aliases are each match's own.
// In games that tell their hidden teams a block that goes round the seats becomes as many blocks of one match, each with
// luck of its own: a bot that sat through one match of a shared deal would know the teams of the next.
func (s *Store) schedule(t tournament.Tournament, info game.Info, field []entryView, plan pairing.Schedule) ([]tournament.Match, error) {
	luck, err := s.seed()
	if err != nil {
		return nil, err
	}
	names, roles := game.Stream(luck, 0, "aliases"), game.Stream(luck, 0, "teams")
	var out []tournament.Match
	for round, r := range plan.Rounds {
		block := 0
		for _, b := range r.Blocks {
			seeds, err := s.seeds(t, b, roles)
			if err != nil {
				return nil, err
			}
			for number, g := range b.Games {
				seed := seeds[number]
				if number == 0 || seed != seeds[0] {
					block, number = block+1, 0
				}
				m := tournament.Match{
					TournamentID: t.ID, Round: round + 1, Block: block, Number: number + 1,
					Game: t.Game, RulesVersion: info.Version, Config: t.Config, Clock: t.Clock, Limits: t.Limits,
					Rated: t.Rated, LadderID: t.LadderID, Seed: seed, CreatedAt: s.now(),
				}
				if _, err := io.ReadFull(s.opts.Rand, m.Nonce[:]); err != nil {
					return nil, fmt.Errorf("randomness: %w", err)
				}
				if m.ID, err = s.ids.next(); err != nil {
					return nil, err
				}
				for i, alias := range aliases(len(g.Seats), names) {
					e := field[g.Seats[i]]
					m.Seats = append(m.Seats, tournament.MatchSeat{Seat: game.Seat(i), BotID: e.Entry.BotID, BotName: e.BotName, //nolint:gosec // at most game.MaxSeats
						VersionID: e.BotVersion, OwnerID: e.OwnerID, Build: e.Build, Alias: alias})
				}
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// mostDeals bounds the search for a deal with given teams: the rarest pattern, of ten seats, comes once in 210 deals.
const mostDeals = 20_000

// seeds draws the seed of each game of a block: one for all, but where the engine tells the hidden teams each its own, such
// that over the block everybody is on each team as often as the deal has it.
func (s *Store) seeds(t tournament.Tournament, b pairing.Block, r *game.Rand) ([]game.Seed, error) {
	out := make([]game.Seed, len(b.Games))
	first, err := s.seed()
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i] = first
	}
	if len(b.Games) == 1 {
		return out, nil
	}
	engine, err := s.engine(t.Game)
	if err != nil {
		return nil, err
	}
	deal := func(seed game.Seed) ([]string, error) {
		table, _, err := engine.New(t.Config, t.Table, seed)
		if err != nil {
			return nil, err
		}
		return table.Teams(), nil
	}
	teams, err := deal(first)
	if err != nil || teams == nil {
		return out, err
	}
	for i, want := range pairing.Teams(b, teams, r) {
		if out[i], err = s.dealt(want, deal); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dealt draws seeds until one deals these teams by seat. It stays uniform among those that do.
func (s *Store) dealt(want []string, deal func(game.Seed) ([]string, error)) (game.Seed, error) {
	for range mostDeals {
		seed, err := s.seed()
		if err != nil {
			return seed, err
		}
		if got, err := deal(seed); err != nil || slices.Equal(got, want) {
			return seed, err
		}
	}
	return game.Seed{}, fmt.Errorf("no deal with the teams %v was found in %d", want, mostDeals)
}

// save gives the matches their places on the ladder, enqueues a job for each and inserts them.
func (tx *Tx) save(ctx context.Context, t tournament.Tournament, list []tournament.Match) error {
	if t.Rated {
		first, err := tx.places(t.LadderID, len(list))
		if err != nil {
			return err
		}
		for i := range list {
			list[i].LadderSeq = first + int64(i)
		}
	}
	jobs, err := tx.enqueue(ctx, each(list, func(m tournament.Match) PlayMatch { return PlayMatch{MatchID: m.ID} })...)
	if err != nil {
		return err
	}
	var rows []matchRow
	var seats []seatRow
	for i, m := range list {
		r, ss := newMatchRow(m, jobs[i])
		rows, seats = append(rows, r), append(seats, ss...)
	}
	if err := tx.db.CreateInBatches(rows, batch).Error; err != nil {
		return err
	}
	return tx.db.CreateInBatches(seats, batch).Error
}

// places takes the next n places in the schedule order of a ladder and returns the first.
func (tx *Tx) places(ladderID string, n int) (int64, error) {
	var l ladderRow
	if err := locked(tx.db).Where("id = ?", ladderID).Take(&l).Error; err != nil {
		return 0, found(err, "ladder", ladderID)
	}
	return l.LastSeq + 1, tx.db.Model(&ladderRow{}).Where("id = ?", ladderID).Update("last_seq", l.LastSeq+int64(n)).Error
}
