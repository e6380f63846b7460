package wire

import "time"

// FitStrength is a strength with its 95 % interval: in 95 of 100 ladders the true strength is between low and high.
type FitStrength struct {
	Rating    float64 `json:"rating" example:"1512.3"` // Elo, to one decimal; 1500 is the mean of the ladder
	Low       float64 `json:"low" example:"1470.6"`
	High      float64 `json:"high" example:"1554.0"`
	PlusMinus float64 `json:"plus_minus" example:"41.7"` // half the width of the interval
} // @name FitStrength

// FitColumns is what the fit says about a bot on a ladder.
type FitColumns struct {
	FitStrength
	RankFrom int `json:"rank_from" example:"2"` // best possible rank: below those that are certainly stronger
	RankTo   int `json:"rank_to" example:"5"`   // worst possible rank: above those that are certainly weaker
} // @name FitColumns

// FitRole is a strength in one of the hidden teams.
type FitRole struct {
	Team string `json:"team" example:"agent"`
	FitStrength
} // @name FitRole

// FitVersion is what the fit says about one version of a bot.
type FitVersion struct {
	FitColumns
	BotID     string    `json:"bot_id"`
	Bot       string    `json:"bot" example:"wallwizard"`
	VersionID string    `json:"version_id"`
	Version   int       `json:"version" example:"1"`
	Matches   int       `json:"matches"`
	Roles     []FitRole `json:"roles,omitempty"`    // in games with hidden teams
	Island    int       `json:"island" example:"1"` // versions joined by matches; strengths of different islands cannot be compared
} // @name FitVersion

// PlaceAdvantage is the advantage of a team over the other, or of a seat over the mean of its table, with its 95 % interval.
type PlaceAdvantage struct {
	Seats     int     `json:"table_size" example:"5"`
	Team      string  `json:"team,omitempty" example:"agent"`
	Seat      *int    `json:"seat,omitempty" example:"0"`
	Elo       float64 `json:"elo" example:"-31.125"`
	Low       float64 `json:"low" example:"-43.5"`
	High      float64 `json:"high" example:"-18.7"`
	PlusMinus float64 `json:"plus_minus" example:"12.4"` // half the width of the interval
} // @name PlaceAdvantage

// LadderFit is the fit of a whole ladder: the strengths that make its results most likely.
type LadderFit struct {
	Ladder     string           `json:"ladder" example:"demol"`
	Rated      int64            `json:"matches_seen"` // how far in the ladder's order it has read
	Matches    int              `json:"matches"`      // rated ones among them
	Blocks     int              `json:"blocks"`       // independent ones among those
	FittedAt   *time.Time       `json:"fitted_at,omitempty" format:"date-time"`
	Versions   []FitVersion     `json:"versions"` // the strongest first
	Advantages []PlaceAdvantage `json:"advantages"`
} // @name LadderFit

// Season is a period of a ladder in which the ratings assume the same advantages.
type Season struct {
	Ladder     string           `json:"ladder" example:"demol"`
	Number     int              `json:"season" example:"2"`
	FromSeq    int64            `json:"from_seq"`   // its first place in the ladder's order
	Advantages []PlaceAdvantage `json:"advantages"` // as known when it began; none in the first
	BeganAt    time.Time        `json:"began_at" format:"date-time"`
} // @name Season
