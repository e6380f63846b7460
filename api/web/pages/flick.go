package pages

import "encoding/json"

// Flick is a flick of coins as the viewer moves them over the board: places in units of the drawing, times in milliseconds.
type Flick struct {
	Lasts float64   `json:"ms"`
	Coins []mover   `json:"coins"`
	Moves []segment `json:"moves"`
}

// mover is a coin that moves.
type mover struct {
	ID string  `json:"id"` // the data-piece of the drawing
	R  float64 `json:"r"`
}

// segment is a straight part of a coin's way.
type segment struct {
	Coin int        `json:"coin"` // index in Coins
	T    [2]float64 `json:"t"`
	From [2]float64 `json:"from"`
	To   [2]float64 `json:"to"`
	V    [2]float64 `json:"v"` // speeds at its ends, in any unit: in the plane the speed falls evenly
	Air  bool       `json:"air,omitempty"`
}

// Where the drawing of the coin game puts the board, in its units (engines/mole/draw.go; a test compares).
const (
	flickPage = 720 // how wide the drawing is; the board is in its middle
	flickTop  = 150
	flickWide = 640 // the most that the board takes
	flickHigh = 690
)

type flickEvent struct {
	Kind     string `json:"kind"`
	Segments []struct {
		Coin  string `json:"coin"`
		FromT int64  `json:"from_us"`
		ToT   int64  `json:"to_us"`
		From  place  `json:"from_um"`
		To    place  `json:"to_um"`
		V0    int64  `json:"from_um_s"`
		V1    int64  `json:"to_um_s"`
		Z     *int64 `json:"z_um"`
	} `json:"segments"`
}

// place is [x, y] in micrometres, y away from the shooter.
type place [2]int64

type flickBoard struct {
	Board struct {
		Width  int64 `json:"w_um"`
		Height int64 `json:"h_um"`
	} `json:"board"`
}

// Radii of the coins of the game, in millimetres.
const moleRadius, mignetteRadius = 12.95, 10.15

// flickOf returns the flick of an event; nil for other events.
func flickOf(event, view json.RawMessage) *Flick {
	var e flickEvent
	var v flickBoard
	if json.Unmarshal(event, &e) != nil || e.Kind != "flick" || len(e.Segments) == 0 || json.Unmarshal(view, &v) != nil {
		return nil
	}
	f, at := &Flick{}, map[string]int{}
	wide, high := float64(v.Board.Width)/1000, float64(v.Board.Height)/1000
	scale := min(flickWide/wide, flickHigh/high)
	paper := func(p place) [2]float64 {
		return [2]float64{(flickPage-scale*wide)/2 + scale*float64(p[0])/1000, flickTop + scale*float64(v.Board.Height-p[1])/1000}
	}
	for _, s := range e.Segments {
		if _, known := at[s.Coin]; !known {
			at[s.Coin] = len(f.Coins)
			m := mover{s.Coin, scale * mignetteRadius}
			if s.Coin == "mole" {
				m.R = scale * moleRadius
			}
			f.Coins = append(f.Coins, m)
		}
		f.Lasts = max(f.Lasts, float64(s.ToT)/1000)
		f.Moves = append(f.Moves, segment{
			Coin: at[s.Coin],
			T:    [2]float64{float64(s.FromT) / 1000, float64(s.ToT) / 1000},
			From: paper(s.From),
			To:   paper(s.To),
			V:    [2]float64{float64(s.V0) / 1000, float64(s.V1) / 1000},
			Air:  s.Z != nil,
		})
	}
	return f
}
