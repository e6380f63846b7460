package wire

import (
	"encoding/json"
	"time"

	"github.com/molerun/molerun/api/op"
)

// The operations on ladders.
var (
	// @Summary	The fit of a ladder
	// @Description	The strengths, and the advantages of teams or seats, that make all rated matches of the ladder most likely, with 95 %
	// @Description	intervals. It is computed again some seconds after new results. A ladder without a fit has no fitted_at and no
	// @Description	versions.
	GetLadderFit = op.Get[LadderOf, LadderFit]("/v1/ladders/{id}/fit", "")

	// @Summary	How well a ladder's forecasts came true
	// @Description	Of the matches that the fit gave a chance to before it had seen them, how many were won, by the chance of the favourite,
	// @Description	with 95 % intervals; and the scores of the fit, of the on-line ratings and of a coin. Computed again when a tenth more
	// @Description	matches are rated; without it, or with 20 matches at most, there are no forecasters.
	GetLadderCalibration = op.Get[LadderOf, Calibration]("/v1/ladders/{id}/calibration", "")

	// @Summary	The seasons of a ladder
	ListSeasons = op.Get[LadderList, Page[Season]]("/v1/ladders/{id}/seasons", "")

	// @Summary	Open a ladder of a variant
	// @Description	For administrators. Bots join it like any ladder, and rated tournaments of its matches enter it from now on: of its
	// @Description	configuration, number of seats and class of clocks. What is announced already stays where it was announced to be. An id
	// @Description	that is taken, and matches that another ladder has, are refused (409).
	CreateLadder = op.Create[LadderCreate, Ladder]("/v1/ladders", "admin", op.Refusing(409))

	// @Summary	Begin the next season of a ladder
	// @Description	For administrators. Freezes the advantages of the last fit: the ratings assume them from the first match that is not
	// @Description	yet scheduled. Ratings carry on unchanged. Refused (409) before the first fit and while the season has no match.
	CreateSeason = op.Create[LadderOf, Season]("/v1/ladders/{id}/seasons", "admin")

	// @Summary	All ladders
	ListLadders = op.Get[op.Paging, Page[Ladder]]("/v1/ladders", "")

	// @Summary	One ladder
	GetLadder = op.Get[LadderOf, Ladder]("/v1/ladders/{id}", "")

	// @Summary	The lines of a ladder, by class and rating
	// @Description	First the established lines, which are ranked; then, separately and without a rank, the provisional, inactive and
	// @Description	replaced ones.
	ListLadderEntries = op.Get[LadderList, Page[LadderEntry]]("/v1/ladders/{id}/entries", "")

	// @Summary	Play on a standing ladder
	// @Description	Your own active bot gets rated matches all the time, without a tournament, in the ladder's configuration at each of its
	// @Description	table sizes. Bots with the fewest matches come first, against opponents of similar rating. Send it again to change
	// @Description	matches_per_hour.
	JoinLadder = op.Create[LadderJoinOf, LadderPlace]("/v1/ladders/{id}/entries", "enter")

	// @Summary	Leave a standing ladder
	// @Description	Matches that already exist are still played; the rating stays.
	LeaveLadder = op.Delete[LadderEntryOf]("/v1/ladders/{id}/entries/{bot_id}", "enter", op.Refusing(409))
)

// LadderOf names a ladder by its id, which is its game's for the base game.
type LadderOf struct {
	ID string `uri:"id" help:"id of the ladder: of the base game that of its game" json:"-"`
}

// LadderList asks for a part of a list of a ladder.
type LadderList struct {
	LadderOf
	op.Paging
}

// LadderJoinOf enters a bot in a ladder.
type LadderJoinOf struct {
	LadderOf
	Body LadderJoin
}

// LadderEntryOf names a bot on a ladder.
type LadderEntryOf struct {
	LadderOf
	BotID string `uri:"bot_id" format:"uuid" json:"-"`
}

// LadderCreate opens a ladder.
type LadderCreate struct {
	ID         string          `json:"id" example:"demol-talk" maxLength:"64" help:"what it is called, in addresses too: a–z, 0–9 and -"` // a–z, 0–9 and -; not that of a game
	Game       string          `json:"game" example:"demol"`
	Config     json.RawMessage `json:"config,omitempty" swaggertype:"object" help:"the configuration, a JSON object (default: the base game's)"`                                              // the base variant if left out
	Table      int             `json:"table_size,omitempty" example:"5" help:"seats of every match (default: every number that the game has)"`                                                // seats of every match; if left out, every number that the game has
	Beliefs    bool            `json:"beliefs,omitempty" help:"turns ask what bots believe of that which they cannot see"`                                                                    // turns ask what bots believe of that which they cannot see
	ClockClass string          `json:"clock_class,omitempty" enums:"standard,slow" example:"slow" help:"{enums}: slow gives 30 s a decision and five minutes in the bank (default standard)"` // slow: 30 s a decision, five minutes in the bank; standard if left out
} // @name LadderCreate

// Ladder ranks the bots of one game in matches of one configuration and one class of clocks.
type Ladder struct {
	ID         string          `json:"id" example:"molehill"`
	Game       string          `json:"game" example:"molehill"`
	Variant    string          `json:"variant,omitempty" example:"talk rounds 1"` // in what its matches differ from the base ladder's, in words; left out for that itself
	Config     json.RawMessage `json:"config" swaggertype:"object"`               // the keys in which they differ from the base configuration
	Table      int             `json:"table_size,omitempty" example:"5"`          // seats of every match; left out for every number that the game has
	Beliefs    bool            `json:"beliefs,omitempty"`                         // turns ask what bots believe of that which they cannot see
	ClockClass string          `json:"clock_class" enums:"standard,slow"`         // tournaments whose limit is 30 s or more are slow, others standard
	Clock      Clock           `json:"clock"`                                     // of its own matches; the least of rated tournaments
	Season     int             `json:"season" example:"1"`
	Scheduled  int64           `json:"matches_scheduled"` // rated matches given a place in the order
	Rated      int64           `json:"matches_rated"`     // of those, how many have entered the ratings
	CreatedAt  time.Time       `json:"created_at" format:"date-time"`
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
