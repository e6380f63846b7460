package wire

import "time"

// Ladder ranks the bots of one game.
type Ladder struct {
	ID        string    `json:"id" example:"molehill"`
	Game      string    `json:"game" example:"molehill"`
	Season    int       `json:"season" example:"1"`
	Scheduled int64     `json:"matches_scheduled"` // rated matches given a place in the order
	Rated     int64     `json:"matches_rated"`     // of those, how many have entered the ratings
	CreatedAt time.Time `json:"created_at" format:"date-time"`
} // @name Ladder

// LadderEntry is a bot's line on a ladder.
type LadderEntry struct {
	Rank        int         `json:"rank"`                                                    // among the established lines; 0 in other classes
	Class       string      `json:"class" enums:"established,provisional,inactive,replaced"` // inactive: no match for 30 days; replaced: another version plays, or the bot is retired
	BotID       string      `json:"bot_id"`
	Bot         string      `json:"bot" example:"wallwizard"`
	Owner       string      `json:"owner" example:"ada"`
	VersionID   string      `json:"version_id"`
	Rating      float64     `json:"rating" example:"1512.3"` // Elo, to one decimal: the fit, and what the on-line rating has moved since
	Online      float64     `json:"online" example:"1508.9"` // the on-line Elo rating, which follows the matches one by one
	Matches     int         `json:"matches"`
	Fit         *FitColumns `json:"fit,omitempty"` // the last fit of all results; left out until it has seen the version
	Provisional bool        `json:"provisional"`   // fewer than 30 rated matches, or plus_minus of the fit above 100
	Wins        int         `json:"wins"`
	Draws       int         `json:"draws"`
	Losses      int         `json:"losses"`
	Faults      int         `json:"faults"`
	Retirements int         `json:"retirements"`                    // matches from which it was retired
	Form        string      `json:"form" example:"WWLDW"`           // the last five matches, the newest first: W, D or L
	P95MS       float64     `json:"p95_ms,omitempty" example:"1.7"` // 95 % of its own answers in the last match took at most this; left out if not known
} // @name LadderEntry

// RatingChange is how one match changed one rating.
type RatingChange struct {
	Ladder    string       `json:"ladder" example:"molehill"`
	Seq       int64        `json:"seq"`                // the match's place in the ladder's order
	MatchID   string       `json:"match_id,omitempty"` // once the bots of the match are open
	VersionID string       `json:"version_id"`
	Before    float64      `json:"before" example:"1500"`
	Delta     float64      `json:"delta" example:"12.3"`
	After     float64      `json:"after" example:"1512.3"`
	K         float64      `json:"k"`
	Expected  float64      `json:"expected"`
	Score     float64      `json:"score"`
	Fit       *RatingPoint `json:"fit,omitempty"` // of the first fit that had seen the match as the version's last
} // @name RatingChange

// RatingPoint is a rating by the fit with the bounds of its 95 % interval, in Elo.
type RatingPoint struct {
	Rating float64 `json:"rating" example:"1512.3"`
	Low    float64 `json:"low" example:"1471.2"`
	High   float64 `json:"high" example:"1550.8"`
} // @name RatingPoint

// LadderJoin puts a bot on a standing ladder.
type LadderJoin struct {
	BotID          string `json:"bot_id"`
	MatchesPerHour *int   `json:"matches_per_hour,omitempty" example:"12"` // at most, 1 to 600; 12 if left out
} // @name LadderJoin

// LadderPlace is a bot that plays on a standing ladder.
type LadderPlace struct {
	Ladder         string    `json:"ladder"`
	BotID          string    `json:"bot_id"`
	Bot            string    `json:"bot"`
	MatchesPerHour int       `json:"matches_per_hour"`
	JoinedAt       time.Time `json:"joined_at" format:"date-time"`
} // @name LadderPlace
