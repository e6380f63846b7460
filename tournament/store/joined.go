package store

import (
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// JoinedLadder is a ladder that a bot has joined; of its state, what only the director knows is not filled in.
type JoinedLadder struct {
	tournament.LadderState
	Ladder tournament.Ladder
}

// JoinedLadders returns the standing ladders that a bot has joined, by id, with the rating of its active version.
func (r Reader) JoinedLadders(b tournament.Bot) ([]JoinedLadder, error) {
	type row struct {
		Ladder         tournament.Ladder `gorm:"embedded"`
		MatchesPerHour int
		JoinedAt       time.Time
		Milli          *int64
		Games          *int
	}
	rows, err := database.All[row](r.db.Table("ladder_entries e").Select(database.ColumnsOf[tournament.Ladder](r.db, "l")+", e.matches_per_hour, e.joined_at, "+shownMilli+" AS milli, r.games").
		Joins("JOIN ladders l ON l.id = e.ladder_id").Joins("LEFT JOIN ratings r ON r.ladder_id = e.ladder_id AND r.version_id = ?", b.VersionID).
		Where("e.bot_id = ?", b.ID).Order("e.ladder_id"))
	return database.Map(rows, func(x row) JoinedLadder {
		j := JoinedLadder{Ladder: x.Ladder}
		j.LadderEntry = tournament.LadderEntry{
			LadderID: x.Ladder.ID, BotID: b.ID, BotName: b.Name, MatchesPerHour: x.MatchesPerHour, JoinedAt: x.JoinedAt,
		}
		if x.Milli != nil && x.Games != nil {
			j.Rating, j.Rated = new(tournament.Elo(*x.Milli)), *x.Games
		}
		return j
	}), err
}

// SeenOnLadder returns what the state of a bot on a ladder follows from: its matches made since a time, those that are open, and who else is
// there.
func (r Reader) SeenOnLadder(ladderID string, b tournament.Bot, since time.Time) (tournament.OnLadder, error) {
	x := tournament.OnLadder{Active: b.Status == tournament.BotActive, Unproven: b.UnprovenAt != nil}
	if err := r.db.Table("matches m").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.ladder_id = ? AND m.tournament_id IS NULL AND s.bot_id = ? AND m.id >= ?", ladderID, b.ID, database.FirstID(since)).
		Order("m.id").Pluck("m.created_at", &x.Made).Error; err != nil {
		return x, err
	}
	open, err := r.ladderSeats(ladderID, []string{b.ID}, "m.status IN ('queued', 'running')")
	if err != nil {
		return x, err
	}
	x.Open = open[b.ID]
	x.Owned, err = database.Count(r.db.Table("matches m").Joins("JOIN match_seats s ON s.match_id = m.id").Joins("JOIN users u ON u.id = s.owner_id").
		Where("m.tournament_id IS NULL AND m.ladder_id IS NOT NULL AND m.status IN ('queued', 'running') AND s.owner_id = ? AND u.role <> ?", b.OwnerID, tournament.RoleAdmin).Distinct("m.id"))
	if err != nil {
		return x, err
	}
	x.Owners, err = database.Count(r.db.Table("ladder_entries e").Joins("JOIN bots b ON b.id = e.bot_id").
		Where("e.ladder_id = ? AND b.status = ? AND b.owner_id <> ?", ladderID, tournament.BotActive, b.OwnerID).Distinct("b.owner_id"))
	return x, err
}
