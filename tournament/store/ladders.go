package store

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// Ladders returns all ladders, by game: first that of the base game, then the others by id.
func (s *Store) Ladders(ctx context.Context) ([]tournament.Ladder, error) {
	return s.Reader(ctx).Ladders()
}

// Ladders returns all ladders, by game: first that of the base game, then the others by id.
func (r Reader) Ladders() ([]tournament.Ladder, error) {
	return database.All[tournament.Ladder](r.db.Order("plays, id <> plays, id"))
}

// Ladder returns a ladder by id.
func (s *Store) Ladder(ctx context.Context, id string) (tournament.Ladder, error) {
	return s.Reader(ctx).Ladder(id)
}

// Ladder returns a ladder by id.
func (r Reader) Ladder(id string) (tournament.Ladder, error) {
	return database.ByID[tournament.Ladder](r.db, "ladder", id)
}

// LockLadder returns a ladder by id, its row locked.
func (tx *Tx) LockLadder(id string) (tournament.Ladder, error) {
	return Reader{tx.Locked(tx.db, Ladders, id)}.Ladder(id)
}

// EnsureLadder returns the base ladder of a game; it is made, with its first season, if there is none.
func (tx *Tx) EnsureLadder(gameID string) (tournament.Ladder, error) {
	if err := addLadder(tx.db.Clauses(clause.OnConflict{DoNothing: true}), tournament.BaseLadder(gameID), tx.s.Now()); err != nil {
		return tournament.Ladder{}, err
	}
	return tx.Ladder(gameID)
}

// AddLadder adds a ladder in its first season, with nothing rated, and returns it as it was written. An id or matches that another
// has are [tournament.ErrTaken].
func (tx *Tx) AddLadder(l tournament.Ladder) (tournament.Ladder, error) {
	l.Season, l.NextSeq, l.LastSeq = 1, 1, 0
	if err := addLadder(tx.db, l, tx.s.Now()); err != nil {
		return l, database.Taken(err, "ladder", l.ID)
	}
	return tx.Ladder(l.ID)
}

func addLadder(db *gorm.DB, l tournament.Ladder, now time.Time) error {
	l.CreatedAt = now
	row := struct {
		tournament.Ladder
		Key string `gorm:"column:game"` // see migration 55
	}{l, l.ID}
	return db.Table("ladders").Create(&row).Error
}

// GivePlaces notes the last place given out in the schedule order of a ladder, whose row is locked.
func (tx *Tx) GivePlaces(ladderID string, last int64) error {
	return database.Save(tx.db, &tournament.Ladder{ID: ladderID, LastSeq: last}, "last_seq")
}

// rankRow is a ladder's line as one query gives it.
type rankRow struct {
	Place, Class int
	Retirements  int
	Rating       tournament.Rating `gorm:"embedded"`
	Bot, Owner   string
	Status       tournament.BotStatus
	Reason       string
	BannedAt     *time.Time
	Fit          fitRow `gorm:"embedded;embeddedPrefix:fit_"` // empty if the last fit does not know the version
}

// byPlace is the order of a ladder's lines, as its index has it.
const byPlace = "class, -(milli + offset_milli), version_id"

// before counts what stands before the first row of a page: so many established lines that are better, and some that are equal.
const before = `top AS (SELECT class, place_key, version_id FROM page ORDER BY class, place_key, version_id LIMIT 1),
before AS MATERIALIZED (SELECT (SELECT COUNT(*) FROM ratings l WHERE l.ladder_id = @ladder AND l.class = 0 AND -(l.milli + l.offset_milli) < t.place_key) AS better,
    (SELECT COUNT(*) FROM ratings l WHERE l.ladder_id = @ladder AND l.class = 0 AND -(l.milli + l.offset_milli) = t.place_key AND l.version_id < t.version_id) AS equal
    FROM top t WHERE t.class = 0 UNION ALL SELECT 0, 0 FROM top t WHERE t.class > 0),
placed AS (SELECT p.*, CASE WHEN p.class > 0 THEN 0 WHEN p.place_key = t.place_key THEN 1 + n.better
        ELSE n.better + n.equal + RANK() OVER (PARTITION BY p.class ORDER BY p.place_key) END AS place FROM page p CROSS JOIN top t CROSS JOIN before n)
`

// scattered ranks the rows of a page that do not stand one behind the other.
const scattered = `placed AS (SELECT p.*, CASE WHEN p.class > 0 THEN 0 ELSE 1 + (SELECT COUNT(*) FROM ratings l
        WHERE l.ladder_id = @ladder AND l.class = 0 AND -(l.milli + l.offset_milli) < p.place_key) END AS place FROM page p)
`

// ladderQuery cuts the page first and joins after that: one range of the index. The ranks go on from what stands before the page; with
// a name, each row's is counted. A cross join keeps SQLite, which reads in that order then, from beginning with all there is.
func ladderQuery(first, named bool) string {
	where, places := "", before
	if named {
		where, places = ` AND bot_id IN (SELECT id FROM bots WHERE name_folded LIKE @name ESCAPE '\')`, scattered
	}
	if !first {
		where += " AND (" + byPlace + ") > (@class, @key, @version)"
	}
	return `WITH page AS (SELECT class, -(milli + offset_milli) AS place_key, version_id FROM ratings WHERE ladder_id = @ladder` + where + `
    ORDER BY ` + byPlace + ` LIMIT @limit),
` + places + `SELECT p.place, p.class, (SELECT COUNT(*) FROM match_seats x JOIN matches y ON y.id = x.match_id WHERE x.retired AND x.version_id = p.version_id AND y.ladder_id = @ladder) AS retirements,
       r.ladder_id, r.version_id, r.bot_id, r.milli, r.offset_milli, r.games, r.last_seq, r.wins, r.draws, r.losses, r.faults, r.form, r.p95_us,
       b.name AS bot, u.name AS owner, b.status, b.reason, b.banned_at,
       f.version_id AS fit_version_id, f.matches AS fit_matches, f.elo AS fit_elo, f.se AS fit_se, f.low AS fit_low, f.high AS fit_high,
       f.first_elo AS fit_first_elo, f.first_se AS fit_first_se, f.first_low AS fit_first_low, f.first_high AS fit_first_high,
       f.second_elo AS fit_second_elo, f.second_se AS fit_second_se, f.second_low AS fit_second_low, f.second_high AS fit_second_high,
       f.best AS fit_best, f.worst AS fit_worst, f.island AS fit_island
FROM placed p CROSS JOIN ratings r CROSS JOIN bots b CROSS JOIN users u
LEFT JOIN fit_rows f ON f.ladder_id = r.ladder_id AND f.version_id = r.version_id
WHERE r.ladder_id = @ladder AND r.version_id = p.version_id AND b.id = r.bot_id AND u.id = b.owner_id
ORDER BY p.class, p.place_key, p.version_id`
}

// LadderRows returns a page of a ladder by class, then by rating, and the cursor of the next, "" after the last. Established lines have
// ranks, among each other. Wins, draws, losses and faults
// count the matches that the ratings rest on. What the last fit says of a version stands beside; its names are left out.
func (s *Store) LadderRows(ctx context.Context, ladderID string, p database.Page) ([]tournament.LadderRow, string, error) {
	_, rows, next, err := s.LadderPage(ctx, ladderID, "", p)
	return rows, next, err
}

// LadderPage returns a ladder with a page of its rows, as [Store.LadderRows] has them, in two queries. With a name it is of the
// bots with that in theirs, in any case, with the ranks that they have among all.
func (s *Store) LadderPage(ctx context.Context, ladderID, name string, p database.Page) (tournament.Ladder, []tournament.LadderRow, string, error) {
	var l tournament.Ladder
	limit, err := p.Limited()
	if err != nil {
		return l, nil, "", err
	}
	if l, err = s.Ladder(ctx, ladderID); err != nil {
		return l, nil, "", err
	}
	args := map[string]any{"ladder": ladderID, "limit": limit + 1, "name": contains(fold(name))}
	if p.After != "" {
		var class, milli int64
		var version string
		if err := database.OpenCursor(p.After, &class, &milli, &version); err != nil {
			return l, nil, "", err
		}
		args["class"], args["key"], args["version"] = class, -milli, version
	}
	var rows []rankRow
	if err := s.searched(ctx, name).Raw(ladderQuery(p.After == "", name != ""), args).Scan(&rows).Error; err != nil {
		return l, nil, "", err
	}
	rows, next := database.Cut(rows, limit, func(r rankRow) string { return database.Cursor(r.Class, shown(r.Rating), r.Rating.VersionID) })
	return l, database.Map(rows, rankRow.row), next, nil
}

func (r rankRow) row() tournament.LadderRow {
	x := r.Rating
	out := tournament.LadderRow{
		Rank: r.Place, Class: tournament.LineClasses()[r.Class], Retirements: r.Retirements, BotID: x.BotID, Bot: r.Bot, Owner: r.Owner, VersionID: x.VersionID, Milli: shown(x),
		OnlineMilli: x.Milli, Games: x.Games, Provisional: x.Games < tournament.ProvisionalGames, Status: r.Status, Reason: r.Reason, BannedAt: r.BannedAt, Tally: x.Tally,
	}
	if r.Fit.VersionID != "" {
		f := r.Fit.row()
		out.Fit = &f
		out.Provisional = out.Provisional || f.Half() > tournament.ProvisionalHalf
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

// RatingEvents returns a page of rating events by ladder, then in schedule order ([Newest] first unless asked otherwise), and
// the cursor of the next, "" after the last.
func (s *Store) RatingEvents(ctx context.Context, f RatingEventFilter, p database.Page) ([]tournament.RatingChange, string, error) {
	limit, err := p.Limited()
	if err != nil {
		return nil, "", err
	}
	db := database.Narrow(s.SQL(ctx), "ladder_id = ?", f.LadderID)
	db = database.Narrow(db, "version_id = ?", f.VersionID)
	db = database.Narrow(db, "bot_id = ?", f.BotID)
	db = database.Narrow(db, "match_id = ?", f.MatchID)
	if db, err = bySeq(db, p); err != nil {
		return nil, "", err
	}
	rows, next, err := database.Fetch(db, limit, func(r tournament.RatingEvent) string { return database.Cursor(r.LadderID, r.LadderSeq, r.VersionID) })
	if err != nil {
		return nil, "", err
	}
	points, err := fitPoints(s.SQL(ctx), rows)
	return database.Map(rows, func(r tournament.RatingEvent) tournament.RatingChange {
		return tournament.RatingChange{RatingEvent: r, Fit: points[pointKey{r.VersionID, r.LadderID, r.LadderSeq}]}
	}), next, err
}

// pointKey names a point of a rating's history.
type pointKey struct {
	version, ladder string
	seq             int64
}

// fitPoints returns the points of the histories that belong to rating events.
func fitPoints(db *gorm.DB, events []tournament.RatingEvent) (map[pointKey]*tournament.FitPoint, error) {
	var keys [][]any
	for _, e := range events {
		keys = append(keys, []any{e.VersionID, e.LadderID, e.LadderSeq})
	}
	type row struct {
		VersionID, LadderID string
		Seq                 int64
		tournament.FitPoint
	}
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := database.All[row](db.Table("fit_points").Where("(version_id, ladder_id, seq) IN ?", keys))
	return database.Index(rows, func(r row) (pointKey, *tournament.FitPoint) {
		return pointKey{r.VersionID, r.LadderID, r.Seq}, &r.FitPoint
	}), err
}

// bySeq orders and cuts rating events by their key.
func bySeq(db *gorm.DB, p database.Page) (*gorm.DB, error) {
	order, compare, err := p.Direction()
	if err != nil {
		return nil, err
	}
	if p.After != "" {
		var ladder, version string
		var seq int64
		if err := database.OpenCursor(p.After, &ladder, &seq, &version); err != nil {
			return nil, err
		}
		db = db.Where("(ladder_id, ladder_seq, version_id)"+compare+"(?, ?, ?)", ladder, seq, version)
	}
	return db.Order("ladder_id" + order + ", ladder_seq" + order + ", version_id" + order), nil
}

// Seasons returns all seasons of a ladder, the first first.
func (s *Store) Seasons(ctx context.Context, ladderID string) ([]tournament.Season, error) {
	l, err := s.Ladder(ctx, ladderID)
	if err != nil {
		return nil, err
	}
	later, err := s.Reader(ctx).LaterSeasons(ladderID)
	return append([]tournament.Season{{LadderID: l.ID, Number: 1, FromSeq: 1, BeganAt: l.CreatedAt}}, later...), err
}

// LaterSeasons returns the seasons of a ladder after the first, in order.
func (r Reader) LaterSeasons(ladderID string) ([]tournament.Season, error) {
	list, err := database.All[tournament.Season](r.db.Where("ladder_id = ?", ladderID).Order("number"))
	for _, x := range list {
		bound(x.Advantages)
	}
	return list, err
}

// AddSeason adds a season, which is its ladder's from now on, and returns it as it was written.
func (tx *Tx) AddSeason(x tournament.Season) (tournament.Season, error) {
	x.BeganAt = database.UTC(x.BeganAt)
	if err := tx.db.Create(&x).Error; err != nil {
		return x, err
	}
	return x, database.Save(tx.db, &tournament.Ladder{ID: x.LadderID, Season: x.Number}, "season")
}
