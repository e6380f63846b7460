package coins

import "math"

// Bounds and constants of the physics.
const (
	maxDiscs  = 4       // discs in a scene
	maxThings = 16      // walls in a scene, and posts
	maxEvents = 200_000 // in a flick; far beyond what any takes, see [Sim.Run]
	maxPath   = 32      // segments that [Sim.Path] keeps

	Gravity      = 9810.0 // mm/s²
	thingHeight  = 10.0   // mm: of walls and posts
	touchGap     = 1e-6   // mm: bodies touch at this gap or less (P2)
	minLeave     = 1.0    // mm/s: the least speed at which coins part that have it (P1)
	restSpeed    = 1e-3   // mm/s: slower than this after a contact is at rest (P1)
	leastTakeOff = 0.1    // mm/s: slower than this across the lip none takes off (F1); it could land where it took off, for ever
	rounding     = 2e-3   // mm: coins in whole µm may overlap by as much; that alone moves nothing (P4)
	roundingRate = 1e-9   // mm/s: an approach slower than this is the rounding of none
	maxRounds    = 64     // of contacts in one instant (P3)
)

// Vec is a point (mm), a direction (length 1) or a velocity (mm/s).
type Vec struct{ X, Y float64 }

func (a Vec) minus(b Vec) Vec            { return Vec{a.X - b.X, a.Y - b.Y} }
func (a Vec) times(k float64) Vec        { return Vec{float64(a.X * k), float64(a.Y * k)} }
func (a Vec) along(u Vec, d float64) Vec { return Vec{a.X + float64(u.X*d), a.Y + float64(u.Y*d)} }
func (a Vec) over(k float64) Vec         { return Vec{a.X / k, a.Y / k} }
func dot(a, b Vec) float64               { return float64(a.X*b.X) + float64(a.Y*b.Y) }
func cross(a, b Vec) float64             { return float64(a.X*b.Y) - float64(a.Y*b.X) }
func square(x float64) float64           { return float64(x * x) }

// Edge is the side of the board over which a disc has left, in the order in which they count (P5).
type Edge uint8

// The edges: y beyond the height, y below 0, x below 0, x beyond the width.
const (
	NoEdge Edge = iota
	Winning
	Back
	Left
	Right
)

// EdgeNames are their words on the wire.
var EdgeNames = [...]string{"none", "winning", "back", "left", "right"}

// String returns the word on the wire.
func (e Edge) String() string { return EdgeNames[min(int(e), len(EdgeNames)-1)] }

// Wall is a straight wall of no thickness with round ends (P6). Make it with [NewWall].
type Wall struct {
	A, B Vec
	dir  Vec
	long float64
}

// NewWall returns the wall from a to b, which differ.
func NewWall(a, b Vec) Wall {
	d := b.minus(a)
	long := math.Sqrt(dot(d, d))
	return Wall{
		A:    a,
		B:    b,
		dir:  d.over(long),
		long: long,
	}
}

// Post is a fixed disc (P6).
type Post struct {
	At Vec
	R  float64
}

// Ramp is where discs take off (F1): when their centre crosses the lip, a line across the direction, within its ends.
type Ramp struct {
	On       bool
	Quarter  int     // direction: 0 +x, 1 +y, 2 −x, 3 −y
	Lip      float64 // x (directions 0 and 2) or y of the lip
	From, To float64 // the ends of the lip on the other axis
	Sin, Cos float64 // of the angle of take-off
}

// Scene is all that does not move. The board is the rectangle from (0, 0) to (W, H).
type Scene struct {
	W, H           float64
	Walls          [maxThings]Wall
	Posts          [maxThings]Post
	NWalls, NPosts int
	Ramp           Ramp
	Decel          float64 // mm/s²: friction coefficient × gravity, above 0
	CoinBounce     float64 // restitution between discs, 0 to 1
	WallBounce     float64 // restitution at walls and posts, 0 to 1
}

// Mode is how a disc moves.
type Mode uint8

// The modes. A raised disc has landed on another: it is out of the plane, touches nothing and moves no more (F2).
const (
	Sliding Mode = iota // or at rest
	Flying
	Raised
	Gone // has left the board
)

// Disc is one coin.
type Disc struct {
	At             Vec     // centre
	R, Mass, Thick float64 // mm, g, mm; above 0
	Mode           Mode
	Dir            Vec     // heading, where Speed > 0
	Speed          float64 // in the plane
	Z, ZSpeed      float64 // height and upward speed; flying only
	Edge           Edge    // over which it left; gone only
	Rank           int     // order of landing, from 1; raised only
	Flew           bool    // has been in the air

	passed float64 // flying: the lowest of the heights that matter which it has sunk through
	from   Segment // where its present segment began
}

// velocity returns the velocity in the plane.
func (d *Disc) velocity() Vec { return d.Dir.times(d.Speed) }
