package tournament

import "time"

// Ladder ranks the bot versions of one game by their rated matches.
type Ladder struct {
	ID        string // the game's id in the first season
	Game      string
	Season    int
	NextSeq   int64 // the next place in schedule order to be rated
	LastSeq   int64 // the last place given out
	CreatedAt time.Time
}

// StartMilli is the rating of a new bot, in thousandths of an Elo point.
const StartMilli int64 = 1_500_000

// Rating is a version's row on a ladder.
type Rating struct {
	LadderID  string
	VersionID string
	BotID     string
	Milli     int64 // thousandths of an Elo point
	Games     int   // rated matches played
	LastSeq   int64 // schedule place of the last of them
}

// RatingEvent is one change of one rating, written once.
type RatingEvent struct {
	LadderID    string
	LadderSeq   int64
	VersionID   string
	MatchID     string
	BeforeMilli int64
	DeltaMilli  int64
	AfterMilli  int64
	K           float64
	Expected    float64
	Score       float64
}

// LadderRow is a ladder's line as people see it.
type LadderRow struct {
	Rank        int // among the rows shown; provisional rows are ranked too
	BotID       string
	Bot         string
	Owner       string
	VersionID   string
	Milli       int64
	Games       int
	Provisional bool
	Wins        int
	Draws       int
	Losses      int
	Faults      int
}
