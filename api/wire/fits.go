package wire

import (
	"time"

	"github.com/molerun/molerun/tournament"
)

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
	Blocks     int              `json:"blocks"`       // of those, where matches on one seed count as one
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

// Forecaster is how well one way to forecast did. Less is better.
type Forecaster struct {
	Name        string                   `json:"name" enums:"fit,rating,coin"`
	Brier       float64                  `json:"brier" example:"0.1812"` // mean squared error
	Bits        float64                  `json:"bits" example:"0.7741"`  // mean −log2 of the chance given to what happened; a coin has 1
	BrierBehind tournament.Mean          `json:"brier_behind_fit"`       // how much more than the fit's
	BitsBehind  tournament.Mean          `json:"bits_behind_fit"`
	Bins        []tournament.ForecastBin `json:"bins"`          // none for the coin
	All         *tournament.ForecastBin  `json:"all,omitempty"` // all bins together
} // @name Forecaster

// Calibration says how well chances came true that were given to the rated matches of a ladder before they were played.
type Calibration struct {
	Ladder      string       `json:"ladder" example:"demol"`
	Rated       int64        `json:"matches_seen"`               // how far in the ladder's order it has read
	Matches     int          `json:"matches" example:"1500"`     // rated ones among them
	Judged      int          `json:"judged" example:"1480"`      // those of them that were forecast
	Comparisons int          `json:"comparisons" example:"1480"` // in those: a match of two or of teams has one, a larger table one a pair
	Fits        int          `json:"fits" example:"25"`          // that were made on the way
	MadeAt      *time.Time   `json:"made_at,omitempty" format:"date-time"`
	Forecasters []Forecaster `json:"forecasters"`
} // @name Calibration
