package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/matchmaking"
	"github.com/molerun/molerun/tournament/rating"
)

// The standing ladder: whoever has entered it gets matches all the time, at tables of every size of the game, in its base
// variant. A bot has at most one such match open, so that one that is slow or dead delays nobody but those at its table.

// looked is how many of a ladder's last matches for each entry the matchmaking looks at.
const looked = 8

type standingRow struct {
	LadderID, BotID string
	MatchesPerHour  int
	JoinedAt        time.Time
}

func (standingRow) TableName() string { return "ladder_entries" }

// JoinLadder enters a bot of ownerID on a standing ladder, or changes how many matches it is given an hour. The rule is
// [tournament.CanPlayLadder]; somebody else's bot is [tournament.ErrNotYours].
func (s *Store) JoinLadder(ctx context.Context, ladderID, botID, ownerID string, perHour int) (e tournament.LadderEntry, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		var l ladderRow
		if err := tx.db.Where("id = ?", ladderID).Take(&l).Error; err != nil {
			return found(err, "ladder", ladderID)
		}
		b, err := tx.owned(botID, ownerID)
		if err != nil {
			return err
		}
		games, err := gamesOf(tx.db, []string{b.VersionID})
		if err != nil {
			return err
		}
		if err := tournament.CanPlayLadder(l.Game, b, games[b.VersionID], perHour); err != nil {
			return err
		}
		e = tournament.LadderEntry{LadderID: l.ID, BotID: b.ID, BotName: b.Name, MatchesPerHour: perHour, JoinedAt: s.now()}
		again := clause.OnConflict{
			Columns:   []clause.Column{{Name: "ladder_id"}, {Name: "bot_id"}},
			DoUpdates: clause.AssignmentColumns([]string{"matches_per_hour"}),
		}
		return tx.db.Clauses(again).Create(&standingRow{l.ID, b.ID, perHour, e.JoinedAt}).Error
	})
	return e, err
}

// LeaveLadder takes a bot off a standing ladder; matches made already are played. A bot that is not on it is
// [tournament.ErrNotFound].
func (s *Store) LeaveLadder(ctx context.Context, ladderID, botID, ownerID string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		b, err := tx.owned(botID, ownerID)
		if err != nil {
			return err
		}
		gone := tx.db.Where("ladder_id = ? AND bot_id = ?", ladderID, b.ID).Delete(&standingRow{})
		if gone.Error == nil && gone.RowsAffected == 0 {
			return fmt.Errorf("%w: bot %q is not on ladder %q", tournament.ErrNotFound, b.Name, ladderID)
		}
		return gone.Error
	})
}

// StandingLadders are the ladders with at least two entries.
func (s *Store) StandingLadders(ctx context.Context) (ids []string, err error) {
	err = s.with(ctx).Model(&standingRow{}).Group("ladder_id").Having("COUNT(*) > 1").Order("ladder_id").Pluck("ladder_id", &ids).Error
	return ids, err
}

// onLadder is an entry that may be given a match, as the matchmaking query gives it.
type onLadder struct {
	BotID, BotName, OwnerID, VersionID, Build string
	OwnerRole                                 tournament.Role
	MatchesPerHour                            int
	JoinedAt                                  time.Time
	Milli                                     *int64
	Games                                     int
}

// MakeLadder gives matches to the bots of a standing ladder that wait for one ([matchmaking.Tables]) and returns how many it
// made. Bots that are paused or retired, or whose version does not play the game any more, are passed over, and so are those of
// an owner who has atOnce matches of ladders open; an administrator's, as house bots, are not counted. Bots of one owner never
// meet: where nobody else is there they wait, as their matches could rate nobody.
func (s *Store) MakeLadder(ctx context.Context, ladderID string, atOnce int) (made int, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		var l ladderRow
		if err := locked(tx.db).Where("id = ?", ladderID).Take(&l).Error; err != nil { // one process at a time
			return found(err, "ladder", ladderID)
		}
		engine, err := s.engine(l.Game)
		if err != nil {
			return err
		}
		field, bots, err := tx.waiting(l, atOnce)
		if err != nil || len(field) < 2 {
			return err
		}
		luck, err := s.seed()
		if err != nil {
			return err
		}
		info := engine.Info()
		rules := matchmaking.Settings{}
		for k := max(2, info.MinSeats); k <= info.MaxSeats; k++ {
			rules.Sizes = append(rules.Sizes, k)
		}
		var list []tournament.Match
		for _, table := range matchmaking.Tables(bots, rules, game.Stream(luck, 0, "ladder")) {
			m, err := s.aside(engine, nil, field, table.Seats)
			if err != nil {
				return err
			}
			list = append(list, m)
		}
		made = len(list)
		return tx.save(ctx, tournament.Tournament{Rated: true, LadderID: l.ID}, list)
	})
	return made, err
}

// aside is an unrated match outside tournaments with luck of its own. seats holds the place in field of who sits there.
func (s *Store) aside(engine game.Engine, config json.RawMessage, field []onLadder, seats []int) (m tournament.Match, err error) {
	m = tournament.Match{
		Game: engine.Info().ID, RulesVersion: engine.Info().Version, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
	}
	if m.Config, err = engine.Configure(config, len(seats)); err != nil {
		return m, err
	}
	for seat, place := range seats {
		e := field[place]
		m.Seats = append(m.Seats, tournament.MatchSeat{Seat: game.Seat(seat), BotID: e.BotID, BotName: e.BotName, VersionID: e.VersionID, //nolint:gosec // at most game.MaxSeats
			OwnerID: e.OwnerID, Build: e.Build})
	}
	err = s.draw(&m, s.opts.Rand)
	return m, err
}

// waiting are the active entries of a ladder, as rows and as the matchmaking wants them; none if fewer than two are free.
func (tx *Tx) waiting(l ladderRow, atOnce int) ([]onLadder, []matchmaking.Bot, error) {
	var field []onLadder
	if err := tx.db.Table("ladder_entries e").
		Select("e.bot_id, b.name AS bot_name, b.owner_id, u.role AS owner_role, b.version_id, v.build, e.matches_per_hour, e.joined_at, r.milli, COALESCE(r.games, 0) AS games").
		Joins("JOIN bots b ON b.id = e.bot_id AND b.status = ?", tournament.BotActive).Joins("JOIN users u ON u.id = b.owner_id").Joins("JOIN versions v ON v.id = b.version_id").
		Joins("JOIN version_games g ON g.version_id = v.id AND g.game = ?", l.Game).
		Joins("LEFT JOIN ratings r ON r.version_id = v.id AND r.ladder_id = e.ladder_id").
		Where("e.ladder_id = ?", l.ID).Order("e.bot_id").Scan(&field).Error; err != nil {
		return nil, nil, err
	}
	bots := make([]matchmaking.Bot, len(field))
	for i, e := range field {
		milli := tournament.StartMilli
		if e.Milli != nil {
			milli = *e.Milli
		}
		bots[i] = matchmaking.Bot{
			Owner: e.OwnerID, Rating: float64(milli) / 1000, Deviation: deviation(e.Games), Matches: e.Games, Since: e.JoinedAt.UnixMicro(), Room: 1,
		}
	}
	free, err := tx.free(l, field, bots)
	if err != nil || len(free) < 2 {
		return nil, nil, err
	}
	if err := tx.remember(l, free, field, bots); err != nil {
		return nil, nil, err
	}
	return field, bots, tx.ownersAtOnce(field, bots, atOnce)
}

// ownersAtOnce leaves each owner room for atOnce open matches of ladders, all ladders together: to the bots that wait the
// longest. A bot that never answers holds its place for long; several of one owner must not hold everybody's.
func (tx *Tx) ownersAtOnce(field []onLadder, bots []matchmaking.Bot, atOnce int) error {
	var rows []struct {
		OwnerID string
		Open    int
	}
	if err := tx.db.Table("matches m").Select("s.owner_id, COUNT(DISTINCT m.id) AS open").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.tournament_id IS NULL AND m.ladder_id IS NOT NULL AND m.status IN ('queued', 'running')").Group("s.owner_id").Scan(&rows).Error; err != nil {
		return err
	}
	open := make(map[string]int, len(rows))
	for _, r := range rows {
		open[r.OwnerID] = r.Open
	}
	matchmaking.BoundOwners(bots, open, atOnce, func(i int) bool { return field[i].OwnerRole == tournament.RoleAdmin })
	return nil
}

// free leaves room to those bots alone that have no match open and may have another this hour, counts the open ones, and
// returns who has room.
func (tx *Tx) free(l ladderRow, field []onLadder, bots []matchmaking.Bot) (free []string, err error) {
	open, err := tx.seated(l, nil, "m.status IN ('queued', 'running')")
	if err != nil {
		return nil, err
	}
	for i, e := range field {
		bots[i].Matches += open[e.BotID]
		if open[e.BotID] > 0 {
			bots[i].Room = 0
		} else {
			free = append(free, e.BotID)
		}
	}
	if len(free) < 2 {
		return nil, nil
	}
	lately, err := tx.seated(l, free, "m.id >= ?", firstID(tx.s.now().Add(-time.Hour)))
	free = free[:0]
	for i, e := range field {
		if lately[e.BotID] >= e.MatchesPerHour {
			bots[i].Room = 0
		}
		if bots[i].Room > 0 {
			free = append(free, e.BotID)
		}
	}
	return free, err
}

// remember notes the last matches of the bots that have room; nobody asks for those of the others.
func (tx *Tx) remember(l ladderRow, free []string, field []onLadder, bots []matchmaking.Bot) error {
	at := make(map[string]int, len(field))
	for i, e := range field {
		at[e.BotID] = i
	}
	var first []matchRow // of those looked at; there may be fewer
	if err := tx.db.Select("id", "ladder_seq").Where("ladder_id = ? AND tournament_id IS NULL", l.ID).Order("ladder_seq DESC").
		Offset(looked*len(field) - 1).Limit(1).Find(&first).Error; err != nil {
		return err
	}
	db := tx.db.Table("matches m").Select("m.ladder_seq, m.created_at, s.bot_id").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.ladder_id = ? AND m.tournament_id IS NULL", l.ID)
	from := ""
	if len(first) == 1 {
		from = first[0].ID
		db = db.Where("m.ladder_seq >= ?", *first[0].LadderSeq)
	}
	if len(free) <= batch {
		db = db.Where("m.id IN (SELECT f.match_id FROM match_seats f WHERE f.bot_id IN ? AND f.match_id >= ?)", free, from)
	}
	var seats []struct {
		LadderSeq int64
		CreatedAt time.Time
		BotID     string
	}
	if err := db.Order("m.ladder_seq, s.seat").Scan(&seats).Error; err != nil {
		return err
	}
	for i, n := 0, 0; i < len(seats); i += n {
		var lineup []int
		for n = 0; i+n < len(seats) && seats[i+n].LadderSeq == seats[i].LadderSeq; n++ {
			who, ok := at[seats[i+n].BotID]
			if !ok {
				who = len(bots) // who has left, whoever it was
			}
			lineup = append(lineup, who)
		}
		for seat, who := range lineup {
			if who == len(bots) {
				continue
			}
			bots[who].Sat(lineup, seat)
			bots[who].Since = seats[i].CreatedAt.UnixMicro()
		}
	}
	return nil
}

// seated counts by bot the seats in the ladder's own matches for which a condition holds. A short list of bots limits it to
// them; nil is everybody.
func (tx *Tx) seated(l ladderRow, only []string, condition string, args ...any) (map[string]int, error) {
	var rows []struct {
		BotID string
		Seats int
	}
	db := tx.db.Table("matches m").Select("s.bot_id, COUNT(*) AS seats").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.ladder_id = ? AND m.tournament_id IS NULL", l.ID).Where(condition, args...)
	if len(only) > 0 && len(only) <= batch {
		db = db.Where("s.bot_id IN ?", only)
	}
	err := db.Group("s.bot_id").Scan(&rows).Error
	out := make(map[string]int, len(rows))
	for _, r := range rows {
		out[r.BotID] = r.Seats
	}
	return out, err
}

// firstID is not after any id that was made at a time or later: ids begin with their milliseconds.
func firstID(at time.Time) string {
	ms := fmt.Sprintf("%012x", at.UnixMilli())
	return ms[:8] + "-" + ms[8:]
}

// deviation is how far a rating may be off after so many matches, in Elo: the gain K is the variance times ln 10 / 400.
func deviation(games int) float64 { return math.Sqrt(rating.Kappa(games) * 400 / math.Ln10) }

// owned is a bot of an owner.
func (tx *Tx) owned(botID, ownerID string) (tournament.Bot, error) {
	var r botRow
	if err := tx.db.Where("id = ?", botID).Take(&r).Error; err != nil {
		return tournament.Bot{}, found(err, "bot", botID)
	}
	if r.OwnerID != ownerID {
		return tournament.Bot{}, fmt.Errorf("%w: bot %q", tournament.ErrNotYours, r.Name)
	}
	return r.bot(), nil
}
