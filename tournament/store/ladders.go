package store

import (
	"context"
	"strconv"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// Ladders are all ladders, by game and season.
func (s *Store) Ladders(ctx context.Context) ([]tournament.Ladder, error) {
	var rows []ladderRow
	err := s.with(ctx).Order("game, season").Find(&rows).Error
	return each(rows, ladderRow.ladder), err
}

// Ladder is a ladder by id.
func (s *Store) Ladder(ctx context.Context, id string) (tournament.Ladder, error) {
	var r ladderRow
	err := s.with(ctx).Where("id = ?", id).Take(&r).Error
	return r.ladder(), found(err, "ladder", id)
}

// EnsureLadder is the ladder of a game; it is made, with its first season, if there is none.
func (s *Store) EnsureLadder(ctx context.Context, gameID string) (tournament.Ladder, error) {
	if _, err := s.info(gameID); err != nil {
		return tournament.Ladder{}, err
	}
	return s.ensureLadder(s.with(ctx), gameID)
}

func (s *Store) ensureLadder(db *gorm.DB, gameID string) (tournament.Ladder, error) {
	r := ladderRow{ID: gameID, Game: gameID, Season: 1, NextSeq: 1, CreatedAt: s.now()}
	if err := db.Clauses(clause.OnConflict{DoNothing: true}).Create(&r).Error; err != nil {
		return tournament.Ladder{}, err
	}
	var has ladderRow
	err := db.Where("id = ?", gameID).Take(&has).Error
	return has.ladder(), err
}

// rankRow is a ladder's line as one query gives it.
type rankRow struct {
	Place          int
	Rating         ratingRow `gorm:"embedded"`
	Bot, Owner     string
	Status, Reason string
	BannedAt       *time.Time
	Fit            fitRow `gorm:"embedded;embeddedPrefix:fit_"` // empty if the last fit does not know the version
}

// ladderQuery cuts the page first and joins after that, so that a page costs a page. Before its first row stand so many others
// that are better, and some that are equal: the ranks go on from there. They are counted once, and not for the first page. A cross
// join keeps SQLite, which reads in that order then, from beginning with all there is.
const ladderQuery = `
WITH page AS (SELECT * FROM ratings WHERE ladder_id = @ladder AND (@first OR milli < @milli OR (milli = @milli AND version_id > @version))
              ORDER BY milli DESC, version_id LIMIT @limit),
     top AS (SELECT milli, version_id FROM page ORDER BY milli DESC, version_id LIMIT 1),
     before AS MATERIALIZED (SELECT CASE WHEN @first THEN 0 ELSE (SELECT COUNT(*) FROM ratings WHERE ladder_id = @ladder AND milli > (SELECT milli FROM top)) END AS better,
                       (SELECT COUNT(*) FROM ratings WHERE ladder_id = @ladder AND milli = (SELECT milli FROM top) AND version_id < (SELECT version_id FROM top)) AS equal)
SELECT CASE WHEN r.milli = t.milli THEN 1 + n.better ELSE n.better + n.equal + RANK() OVER (ORDER BY r.milli DESC) END AS place,
       r.ladder_id, r.version_id, r.bot_id, r.milli, r.games, r.last_seq, r.wins, r.draws, r.losses, r.faults, r.form, r.p95_us,
       b.name AS bot, u.name AS owner, b.status, b.reason, b.banned_at,
       f.version_id AS fit_version_id, f.matches AS fit_matches, f.elo AS fit_elo, f.se AS fit_se, f.first_elo AS fit_first_elo, f.first_se AS fit_first_se,
       f.second_elo AS fit_second_elo, f.second_se AS fit_second_se, f.best AS fit_best, f.worst AS fit_worst, f.island AS fit_island
FROM page r CROSS JOIN top t CROSS JOIN before n CROSS JOIN bots b CROSS JOIN users u
LEFT JOIN fit_rows f ON f.ladder_id = r.ladder_id AND f.version_id = r.version_id
WHERE b.id = r.bot_id AND u.id = b.owner_id
ORDER BY r.milli DESC, r.version_id`

// LadderRows is a page of a ladder by rank and the cursor of the next, "" after the last. Wins, draws, losses and faults
// count the matches that the ratings rest on. What the last fit says of a version stands beside; its names are left out.
func (s *Store) LadderRows(ctx context.Context, ladderID string, p Page) ([]tournament.LadderRow, string, error) {
	_, rows, next, err := s.LadderPage(ctx, ladderID, p)
	return rows, next, err
}

// LadderPage is a ladder with a page of its rows, as [Store.LadderRows] has them, in two queries, and a third while some
// are not counted ([Store.CountLadders]).
func (s *Store) LadderPage(ctx context.Context, ladderID string, p Page) (l tournament.Ladder, out []tournament.LadderRow, next string, err error) {
	limit, err := p.limit()
	if err != nil {
		return l, nil, "", err
	}
	if l, err = s.Ladder(ctx, ladderID); err != nil {
		return l, nil, "", err
	}
	args := map[string]any{"ladder": ladderID, "first": p.After == "", "milli": int64(0), "version": "", "limit": limit + 1}
	if p.After != "" {
		at, err := openCursor(p.After, 2)
		if err != nil {
			return l, nil, "", err
		}
		milli, err := strconv.ParseInt(at[0], 10, 64)
		if err != nil {
			return l, nil, "", badCursor()
		}
		args["milli"], args["version"] = milli, at[1]
	}
	var rows []rankRow
	if err := s.with(ctx).Raw(ladderQuery, args).Scan(&rows).Error; err != nil {
		return l, nil, "", err
	}
	rows, next = cut(rows, limit, func(r rankRow) string { return cursor(strconv.FormatInt(r.Rating.Milli, 10), r.Rating.VersionID) })
	late := make([]*ratingRow, len(rows))
	for i := range rows {
		late[i] = &rows[i].Rating
	}
	if err := count(s.with(ctx), ladderID, late); err != nil {
		return l, nil, "", err
	}
	return l, each(rows, rankRow.row), next, nil
}

func (r rankRow) row() tournament.LadderRow {
	x, t := r.Rating, r.Rating.Tally
	out := tournament.LadderRow{
		Rank: r.Place, BotID: x.BotID, Bot: r.Bot, Owner: r.Owner, VersionID: x.VersionID, Milli: x.Milli,
		Games: x.Games, Provisional: rating.State{Games: x.Games}.Provisional(), Wins: t.Wins, Draws: t.Draws, Losses: t.Losses, Faults: t.Faults,
		Form: t.Form, P95: time.Duration(t.P95US) * time.Microsecond, Status: tournament.BotStatus(r.Status), Reason: r.Reason, BannedAt: utcPtr(r.BannedAt),
	}
	if r.Fit.VersionID != "" {
		f := r.Fit.row()
		out.Fit = &f
		out.Provisional = out.Provisional || f.Half() > rating.ProvisionalHalf
	}
	return out
}

// RatingEventFilter narrows a list of rating events; empty fields do not.
type RatingEventFilter struct {
	LadderID  string
	VersionID string
	BotID     string
	MatchID   string
}

// RatingEvents is a page of rating events by ladder, then in schedule order ([Newest] first unless asked otherwise), and
// the cursor of the next, "" after the last.
func (s *Store) RatingEvents(ctx context.Context, f RatingEventFilter, p Page) ([]tournament.RatingEvent, string, error) {
	limit, err := p.limit()
	if err != nil {
		return nil, "", err
	}
	db := s.with(ctx)
	for _, one := range []struct{ column, value string }{
		{"ladder_id", f.LadderID}, {"version_id", f.VersionID}, {"bot_id", f.BotID}, {"match_id", f.MatchID},
	} {
		if one.value != "" {
			db = db.Where(clause.Eq{Column: one.column, Value: one.value})
		}
	}
	if db, err = p.bySeq(db); err != nil {
		return nil, "", err
	}
	rows, next, err := fetch(db.Limit(limit+1), limit, func(r ratingEventRow) string {
		return cursor(r.LadderID, strconv.FormatInt(r.LadderSeq, 10), r.VersionID)
	})
	return each(rows, ratingEventRow.event), next, err
}

// bySeq orders and cuts rating events by their key.
func (p Page) bySeq(db *gorm.DB) (*gorm.DB, error) {
	order, compare := "ladder_id DESC, ladder_seq DESC, version_id DESC", "(ladder_id, ladder_seq, version_id) < (?, ?, ?)"
	switch p.Sort {
	case Oldest:
		order, compare = "ladder_id, ladder_seq, version_id", "(ladder_id, ladder_seq, version_id) > (?, ?, ?)"
	case Newest, "":
	default:
		return nil, badSort(p.Sort)
	}
	if p.After != "" {
		at, err := openCursor(p.After, 3)
		if err != nil {
			return nil, err
		}
		seq, err := strconv.ParseInt(at[1], 10, 64)
		if err != nil {
			return nil, badCursor()
		}
		db = db.Where(compare, at[0], seq, at[2])
	}
	return db.Order(order), nil
}
