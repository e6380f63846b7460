package mole

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/engines/mole/coins"
)

// The coins of Mole: radii in mm, and what share of its speed along the line of centres the struck coin gets, at
// restitution 0; a restitution e multiplies it by 1 + e.
const (
	moleRadius     = 12.95
	mignetteRadius = 10.15
	moleShare      = 3.56 / (3.56 + 7.12) // the mole, struck by a mignette
	mignetteShare  = 7.12 / (3.56 + 7.12) // a mignette, struck by the mole
	touchGap       = 0.05                 // mm: nearer coins are in Gad
)

// table is what does not change in a match, in mm and mm/s.
type table struct {
	size   vector
	circle disc
	zones  []box // rectangles of Rosserie
	posts  []disc
	walls  []wall
	decel  float64    // mm/s²
	bounce float64    // 1 + restitution
	fast   [2]float64 // the fastest flick of the mole and of a mignette
	up     [9]vector  // directions up the board, 30° to 150°
}

func newTable(s *mole.State) *table {
	b := &s.Board
	t := &table{
		size:   vector{float64(b.W) / 1000, float64(b.H) / 1000},
		circle: disc{inMM(b.Circle.At), float64(b.Circle.R) / 1000},
		decel:  float64(s.Friction) * coins.Gravity / 1000,
		bounce: 1 + float64(s.Restitution)/1000,
		fast:   [2]float64{float64(s.MoleMax), float64(s.MignetteMax)},
	}
	for k := range t.up {
		t.up[k] = heading(30 + 15*float64(k))
	}
	for _, r := range b.Rosserie[:b.Rosseries] {
		t.zones = append(t.zones, box{inMM(r.From), inMM(r.To)})
	}
	for _, p := range b.Posts[:b.NPosts] {
		t.posts = append(t.posts, disc{inMM(p.At), float64(p.R) / 1000})
	}
	for _, w := range b.Walls[:b.NWalls] {
		t.walls = append(t.walls, newWall(inMM(w.A), inMM(w.B)))
	}
	return t
}

// position is the whole state of Mole, since nothing is hidden, and the same in mm.
type position struct {
	mole.State
	*table
	at [4]vector // of the coins
}

// readState reads the state behind a turn. StateFromView is exact in Mole.
func readState(t *protocol.Turn, s *mole.State, rng *rand.Rand) error {
	config, view := mole.Rules{}.Defaults(), mole.View{}
	if err := search.Read(t, &config, &view); err != nil {
		return err
	}
	if err := (mole.Rules{}).StateFromView(config, 2, t.Seat, view, s, game.Stream(search.Seed(rng), 0, "guess")); err != nil {
		return fmt.Errorf("guess: %w", err)
	}
	return nil
}

// readPosition returns the position behind a turn.
func readPosition(t *protocol.Turn, rng *rand.Rand) (*position, error) {
	s := &position{}
	if err := readState(t, &s.State, rng); err != nil {
		return nil, err
	}
	s.table = newTable(&s.State)
	s.look()
	return s, nil
}

// look reads the places of the coins again.
func (s *position) look() {
	for k := range s.Coins {
		s.at[k] = inMM(s.Coins[k].At)
	}
}

func radius(c mole.Coin) float64 {
	if c == mole.Mole {
		return moleRadius
	}
	return mignetteRadius
}

// reach returns how far a coin slides from a speed; pace is the speed that slides so far.
func (s *position) reach(speed float64) float64 { return speed * speed / (2 * s.decel) }
func (s *position) pace(far float64) float64    { return math.Sqrt(2 * s.decel * max(far, 0)) }

// lane returns how far coin c could slide from a place before it met something, and which coin that would be: 0 to 3, or
// nothing (a wall or post, or none at all).
func (s *position) lane(c mole.Coin, from, u vector, skip mole.Coin) (float64, mole.Coin) {
	free, met := math.Inf(1), nothing
	r := radius(c)
	for k := range s.Coins {
		if o := mole.Coin(k); o != c && o != skip && s.Coins[k].Alive {
			if d := sweep(from, u, s.at[k], r+radius(o)); d < free {
				free, met = d, o
			}
		}
	}
	for k := range s.posts {
		if d := sweep(from, u, s.posts[k].at, r+s.posts[k].r); d < free {
			free, met = d, nothing
		}
	}
	for k := range s.walls {
		if d := s.walls[k].sweep(from, u, r); d < free {
			free, met = d, nothing
		}
	}
	return free, met
}

// nothing is no coin.
const nothing mole.Coin = -1

// exit returns how far it is from a place to the nearest edge along u, and whether that is the winning line.
func (s *position) exit(from, u vector) (float64, bool) {
	far := math.Inf(1)
	if u.x > 0 {
		far = (s.size.x - from.x) / u.x
	} else if u.x < 0 {
		far = -from.x / u.x
	}
	if u.y > 0 {
		if d := (s.size.y - from.y) / u.y; d < far {
			return d, true
		}
	} else if u.y < 0 {
		far = min(far, -from.y/u.y)
	}
	return far, false
}

// sideGap returns the distance to the nearer side.
func (s *position) sideGap(p vector) float64 { return min(p.x, s.size.x-p.x) }

// inZone: a coin of radius r at p is wholly inside a zone that kills mignettes. onZone: at least partly.
func (s *position) inZone(p vector, r float64) bool {
	if p.far(s.circle.at) <= s.circle.r-r {
		return true
	}
	for _, z := range s.zones {
		if within(p, z.from, z.to, r) {
			return true
		}
	}
	return false
}

func (s *position) onZone(p vector, r float64) bool {
	if p.far(s.circle.at) < s.circle.r+r {
		return true
	}
	for _, z := range s.zones {
		if p.far(vector{min(max(p.x, z.from.x), z.to.x), min(max(p.y, z.from.y), z.to.y)}) < r {
			return true
		}
	}
	return false
}

// guarded: a mignette cannot knock the mole off now.
func (s *position) guarded() bool {
	return s.MoleTurns == 0 && s.Phase <= mole.PhaseMignettes || s.onZone(s.at[mole.Mole], moleRadius)
}

// touches lists the mignettes that the mole touches, as bits.
func (s *position) touches() uint8 {
	var bits uint8
	for id := mole.M1; id <= mole.M3; id++ {
		if s.Coins[id].Alive && s.at[mole.Mole].far(s.at[id]) <= moleRadius+mignetteRadius+touchGap+1e-6 {
			bits |= 1 << id
		}
	}
	return bits
}

// due reports whether a coin may be flicked now.
func (s *position) due(c mole.Coin) bool {
	return (c == mole.Mole) == (s.Phase == mole.PhaseMole) && s.Coins[c].Alive && !s.Coins[c].Played
}

// shot is a flick of a coin along u at a speed in mm/s, 0 for Nasdaq.
type shot struct {
	coin  mole.Coin
	u     vector
	speed float64
	both  bool // taupiniere
}

// action returns a shot brought into the limits.
func (s *position) action(x shot) mole.Action {
	if x.speed == 0 {
		return mole.Action{Type: mole.Nasdaq, Coin: x.coin}
	}
	return mole.Action{
		Type:       mole.Flick,
		Coin:       x.coin,
		Angle:      int32(coins.Direction(x.u.x, x.u.y)),
		Speed:      int32(min(max(x.speed, 1), s.fast[min(x.coin, 1)])),
		Taupiniere: x.both,
	}
}

// legal returns an action as it may be played: itself, or in Gad, where it may not, the first example of the offer.
func (s *position) legal(t *protocol.Turn, a mole.Action) (protocol.Answer, error) {
	if err := (mole.Rules{}).Legal(&s.State, t.Seat, a); err != nil {
		var o game.Offer[mole.Action]
		mole.Rules{}.Offer(&s.State, t.Seat, &o)
		a = o.Examples[0]
	}
	b, err := json.Marshal(a)
	return protocol.Answer{Action: b}, err
}
