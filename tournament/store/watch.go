package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// What the pages show, each with few queries: a page must not cost more with the age of the platform.

// Watched is a match as it stands, with what its secrecy hangs on. Its steps are [Store.StepsAfter] 0.
type Watched struct {
	Match      tournament.Match `gorm:"embedded"`
	Shared     bool             // other matches are on its seed
	Open       bool             // one of its block, a replay among them, or the match itself, is not over
	DealtAgain bool             // it is void, and a match that may have its bots in its seats is not over
	Tournament string           // its name; "" outside one
}

// watched returns the columns of [Watched], of matches m and, where they are part of one, tournaments t.
func (s *Store) watched(ctx context.Context) string {
	return database.ColumnsOf[tournament.Match](s.SQL(ctx), "m") + ", " + shared + " AS shared, " + stillOpen + " AS open, " + dealtAgain + " AS dealt_again, COALESCE(t.name, '') AS tournament"
}

const joinTournament = "LEFT JOIN tournaments t ON t.id = m.tournament_id"

// Watch returns a match, in two queries.
func (s *Store) Watch(ctx context.Context, id string) (Watched, error) {
	q := s.SQL(ctx).Table("matches m").Joins(joinTournament).Where("m.id = ?", id).Select(s.watched(ctx))
	out, err := database.Take[Watched](q, "match", id)
	if err == nil {
		err = seated(s.SQL(ctx), &out.Match)
	}
	return out, err
}

const (
	// openOnes are open matches x of which more is said; each such question has an index of its own.
	openOnes = "SELECT 1 FROM matches x WHERE x.status IN ('queued', 'running') AND "
	// ofTournament begins what is asked of a match m of a tournament alone: SQLite, where it knows that most matches are of none,
	// would look through all of them for it.
	ofTournament = "CASE WHEN m.tournament_id IS NULL THEN FALSE ELSE "
	// twins are the other matches x with the seed of a match m.
	twins = "SELECT 1 FROM matches x WHERE x.tournament_id = m.tournament_id AND x.round = m.round AND x.block = m.block AND x.seed = m.seed AND x.id <> m.id"
	// shared reports whether a match m has twins.
	shared = ofTournament + "EXISTS (" + twins + ") END"
	// stillOpen reports whether a match m or one of its block, a replay among them, is not over.
	stillOpen = "(m.status IN ('queued', 'running') OR EXISTS (" + openOnes + "x.replay_of = COALESCE(m.replay_of, m.id))" +
		" OR " + ofTournament + "EXISTS (" + openOnes + "x.tournament_id = m.tournament_id AND x.round = m.round AND x.block = m.block) END)"
	// dealtAgain reports whether a match m is void and one of its round is not over: where a bot leaves, is replaced, or the round is paired
	// again, the next match has most of its bots, and often in the same seats.
	dealtAgain = "(m.status = 'void' AND " + ofTournament + "EXISTS (" + openOnes + "x.tournament_id = m.tournament_id AND x.round = m.round) END)"
)

// listed reports whether lists of matches show the match of a name: it is of no unlisted tournament.
func listed(m string) string {
	return "(" + m + ".tournament_id IS NULL OR " + m + ".tournament_id NOT IN (SELECT id FROM tournaments WHERE is_unlisted))"
}

// Top is a ladder with its best bot.
type Top struct {
	Ladder tournament.Ladder `gorm:"embedded"`
	Bots   int               // established lines
	Milli  int64             // of the first line: the best established one, while there is one
	Bot    string            // "" while nobody is rated
	BotID  string
	Ranked bool // that line is established
	Past   bool // that line is inactive or replaced
}

// Latest returns the matches that run, at most 20, the newest first, and then 20 that are over, the one that ended last first: of all games
// for "" those that ended last, of one game the last that were made. In one query.
func (s *Store) Latest(ctx context.Context, of string) ([]Watched, error) {
	var rows []struct {
		Watched
		OfSeat tournament.MatchSeat `gorm:"embedded;embeddedPrefix:seat_"`
	}
	only, order := "AND @game = ''", "x.ended_at DESC, x.id DESC"
	if of != "" { // a condition and an order of its own, which an index serves
		only, order = "AND x.game = @game", "x.id DESC"
	}
	only += " AND " + listed("x")
	err := s.SQL(ctx).Raw("SELECT "+s.watched(ctx)+`,
		s.seat AS seat_seat, s.bot_id AS seat_bot_id, s.bot_name AS seat_bot_name, s.alias AS seat_alias, s.verdict AS seat_verdict
		FROM matches m JOIN match_seats s ON s.match_id = m.id `+joinTournament+` WHERE m.id IN (
			SELECT id FROM (SELECT x.id FROM matches x WHERE x.id IN (SELECT y.id FROM matches y WHERE y.status = 'running') `+only+` ORDER BY x.id DESC LIMIT 20) a
			UNION ALL SELECT id FROM (SELECT x.id FROM matches x WHERE x.status = 'done' AND x.ended_at IS NOT NULL `+only+` ORDER BY `+order+` LIMIT 20) b)
		ORDER BY m.ended_at IS NOT NULL, m.ended_at DESC, m.id DESC, s.seat`, map[string]any{"game": of}).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	var out []Watched
	for i, r := range rows {
		if i == 0 || rows[i-1].Match.ID != r.Match.ID {
			out = append(out, r.Watched)
		}
		last := &out[len(out)-1].Match
		last.Seats = append(last.Seats, r.OfSeat)
	}
	return out, nil
}

// Home returns what is going on: the latest matches ([Store.Latest]), 15 tournaments at most that run, the last start first and what is paused behind,
// 15 that are announced, the first start first, the ten that ended last, and all ladders. In three queries.
func (s *Store) Home(ctx context.Context) ([]Watched, []tournament.Tournament, []Top, error) {
	live, err := s.Latest(ctx, "")
	if err != nil {
		return nil, nil, nil, err
	}
	list, err := database.All[tournament.Tournament](s.SQL(ctx).Where(`id IN (SELECT id FROM (SELECT id FROM tournaments WHERE status = 'running' AND NOT is_unlisted ORDER BY paused_at IS NOT NULL, starts_at DESC, id DESC LIMIT 15) a
		UNION ALL SELECT id FROM (SELECT id FROM tournaments WHERE status = 'scheduled' AND NOT is_unlisted ORDER BY starts_at, id LIMIT 15) b
		UNION ALL SELECT id FROM (SELECT id FROM tournaments WHERE ended_at IS NOT NULL AND NOT is_unlisted ORDER BY ended_at DESC, id DESC LIMIT 10) c)`))
	if err != nil {
		return nil, nil, nil, err
	}
	slices.SortFunc(list, func(a, b tournament.Tournament) int {
		switch {
		case a.EndedAt != nil && b.EndedAt != nil:
			return cmp.Or(b.EndedAt.Compare(*a.EndedAt), cmp.Compare(b.ID, a.ID))
		case a.EndedAt != nil:
			return 1
		case b.EndedAt != nil:
			return -1
		}
		if a.Status == tournament.Running && b.Status == a.Status { // nobody may go on with one that was paused long ago
			if paused := a.PausedAt != nil; paused == (b.PausedAt != nil) {
				return cmp.Or(b.StartsAt.Compare(a.StartsAt), cmp.Compare(b.ID, a.ID))
			} else if paused {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.Status, b.Status), a.StartsAt.Compare(b.StartsAt), cmp.Compare(a.ID, b.ID))
	})
	tops, err := s.Tops(ctx)
	return live, list, tops, err
}

// Tops returns all ladders, in the order of [Store.Ladders], in one query.
func (s *Store) Tops(ctx context.Context) ([]Top, error) {
	return database.All[Top](s.SQL(ctx).Raw(`SELECT ` + database.ColumnsOf[tournament.Ladder](s.SQL(ctx), "l") + `, COALESCE(n.bots, 0) AS bots, COALESCE(` + shownMilli + `, 0) AS milli, COALESCE(b.name, '') AS bot, COALESCE(b.id, '') AS bot_id, COALESCE(r.class, 1) = 0 AS ranked, COALESCE(r.class, 1) > 1 AS past
		FROM ladders l LEFT JOIN (SELECT ladder_id, COUNT(*) AS bots FROM ratings WHERE class = 0 GROUP BY ladder_id) n ON n.ladder_id = l.id
		LEFT JOIN ratings r ON r.ladder_id = l.id AND r.version_id = (SELECT version_id FROM ratings WHERE ladder_id = l.id ORDER BY ` + byPlace + ` LIMIT 1)
		LEFT JOIN bots b ON b.id = r.bot_id ORDER BY l.plays, l.id <> l.plays, l.id`))
}

// Career is a bot with its versions, what they were rated, and its last matches.
type Career struct {
	Bot      tournament.Bot
	Owner    string
	Versions []CareerVersion // the newest first
	Points   []CareerPoint   // by ladder, the oldest first, the last 2000 of each
	Matches  []tournament.Match
	Places   []CareerPlace // of the version that plays, the most played ladder first
}

// CareerPlace is where a version stands on a ladder.
type CareerPlace struct {
	LadderID string
	Milli    int64
	Games    int
	Place    int // among the established lines; 0: it is none of them
	Class    int // an index of [tournament.LineClasses]
	Ranked   int // established lines
}

// CareerVersion is a version as everybody may know it.
type CareerVersion struct {
	ID        string
	Number    int
	Build     string
	CreatedAt time.Time
}

// CareerPoint is what a ladder's fit said of a version when a match of its was the last that the fit had seen.
type CareerPoint struct {
	LadderID string
	Seq      int64 // of the match, in the ladder's order
	Version  int
	tournament.FitPoint
}

// careerLength bounds the matches of a career, careerRatings its points on each ladder.
const careerLength, careerRatings = 100, 2000

// Career returns what the page of a bot shows, in five queries. Matches on a seed with others that are not over are left out, and those
// of unlisted tournaments.
func (s *Store) Career(ctx context.Context, botID string) (Career, error) {
	var out Career
	var rows []struct {
		BotState
		Owner     string
		MadeID    string
		MadeBuild string
		Number    int
		MadeAt    time.Time
	}
	err := s.SQL(ctx).Table("bots b").Joins("JOIN users u ON u.id = b.owner_id").Joins("JOIN versions v ON v.bot_id = b.id").
		Select(database.ColumnsOf[BotState](s.SQL(ctx), "b")+", u.name AS owner, v.id AS made_id, v.build AS made_build, v.number, v.created_at AS made_at").
		Where("b.id = ?", botID).Order("v.number DESC").Find(&rows).Error
	if err == nil && len(rows) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return out, database.NotFound(err, "bot", botID)
	}
	out.Bot, out.Owner = rows[0].Bot, rows[0].Owner
	for _, r := range rows {
		out.Versions = append(out.Versions, CareerVersion{ID: r.MadeID, Number: r.Number, Build: r.MadeBuild, CreatedAt: r.MadeAt})
	}
	if out.Points, err = s.careerPoints(ctx, botID); err != nil {
		return out, err
	}
	if out.Places, err = s.careerPlaces(ctx, out.Bot.VersionID); err != nil {
		return out, err
	}
	out.Matches, err = matches(s.satIn(ctx, botID).Where("m.status = 'done' AND "+listed("m")+" AND NOT "+ofTournament+"EXISTS ("+twins+" AND x.status IN ('queued', 'running')) END").
		Order("s.match_id DESC").Limit(careerLength), s.SQL(ctx))
	return out, err
}

// careerPlaces returns where a version stands on its ladders.
func (s *Store) careerPlaces(ctx context.Context, versionID string) ([]CareerPlace, error) {
	return database.All[CareerPlace](s.SQL(ctx).Raw(`SELECT r.ladder_id, `+shownMilli+` AS milli, r.games, r.class,
			CASE WHEN r.class = 0 THEN 1 + (SELECT COUNT(*) FROM ratings l WHERE l.ladder_id = r.ladder_id AND l.class = 0 AND -(l.milli + l.offset_milli) < -(r.milli + r.offset_milli)) ELSE 0 END AS place,
			(SELECT COUNT(*) FROM ratings l WHERE l.ladder_id = r.ladder_id AND l.class = 0) AS ranked
		FROM ratings r WHERE r.version_id = ? ORDER BY r.games DESC, r.ladder_id`, versionID))
}

// careerPoints returns the last points of a bot on each ladder, by ladder, the oldest first.
func (s *Store) careerPoints(ctx context.Context, botID string) ([]CareerPoint, error) {
	return database.All[CareerPoint](s.SQL(ctx).Raw(`SELECT * FROM (SELECT p.ladder_id, p.seq, v.number AS version, p.milli, p.low_milli, p.high_milli,
			ROW_NUMBER() OVER (PARTITION BY p.ladder_id ORDER BY p.seq DESC, v.number DESC) AS back
			FROM versions v JOIN fit_points p ON p.version_id = v.id WHERE v.bot_id = ?) c
		WHERE back <= ? ORDER BY ladder_id, seq, version`, botID, careerRatings))
}

// ListMatches returns a page of matches as [Store.Matches] has them, in two queries.
func (s *Store) ListMatches(ctx context.Context, f MatchFilter, p database.Page) ([]Watched, string, error) {
	db, id := s.filtered(ctx, f)
	out, next, err := database.List(db.Joins(joinTournament).Select(s.watched(ctx)), p, id, func(m Watched) string { return m.Match.ID })
	if err != nil {
		return nil, "", err
	}
	return out, next, seated(s.SQL(ctx), database.Map(pointers(out), func(m *Watched) *tournament.Match { return &m.Match })...)
}

// ListedTournament is a tournament of a list, with how many have a place in it.
type ListedTournament struct {
	tournament.Tournament
	Entries int `gorm:"->"`
}

// ListTournaments returns a page of tournaments as [Store.Tournaments] has them, in one query.
func (s *Store) ListTournaments(ctx context.Context, f TournamentFilter, p database.Page) ([]ListedTournament, string, error) {
	db := f.narrow(s.SQL(ctx).Table("tournaments t")).Select(database.ColumnsOf[ListedTournament](s.SQL(ctx), "t") +
		", (SELECT COUNT(*) FROM entries e WHERE e.tournament_id = t.id AND e.withdrawn_at IS NULL AND NOT e.is_waiting) AS entries")
	return database.List(db, p, "t.id", func(t ListedTournament) string { return t.ID })
}

// trendLength is how many fits a trend goes back.
const trendLength = 24

// Trends returns what the last fits of a ladder have said of versions, at most 24 each, in thousandths of Elo, the oldest first.
func (s *Store) Trends(ctx context.Context, ladderID string, versions []string) (map[string][]int64, error) {
	if len(versions) == 0 {
		return nil, nil
	}
	rows, err := database.All[struct {
		VersionID string
		Milli     int64
	}](s.SQL(ctx).Raw(`SELECT p.version_id, p.milli FROM fit_points p WHERE p.ladder_id = @ladder AND p.version_id IN @versions AND p.seq >= COALESCE(
			(SELECT q.seq FROM fit_points q WHERE q.ladder_id = @ladder AND q.version_id = p.version_id ORDER BY q.seq DESC LIMIT 1 OFFSET @before), 0)
		ORDER BY p.version_id, p.seq`, map[string]any{"ladder": ladderID, "versions": versions, "before": trendLength - 1}))
	out := map[string][]int64{}
	for _, r := range rows {
		out[r.VersionID] = append(out[r.VersionID], r.Milli)
	}
	return out, err
}
