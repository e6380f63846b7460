package mole

import (
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/game/strict"
)

// MaxThings bounds the zones, walls and posts of a board in all, mole circle and nichee included.
const MaxThings = 16

// Point is a place on the board in µm.
type Point struct{ X, Y int32 }

// Circle is a round zone, a post, or a coin, in µm.
type Circle struct {
	At Point
	R  int32
}

// Rect is a rectangle with sides along the axes, in µm; From is its lower left corner.
type Rect struct{ From, To Point }

// Wall is a straight wall of no thickness.
type Wall struct{ A, B Point }

// Ramp is a rectangle with a direction and, across it, a lip where coins take off.
type Ramp struct {
	On        bool
	Rect      Rect
	Direction int32 // mdeg: 0, 90 000, 180 000 or 270 000
	Lip       int32 // µm: the x (directions 0 and 180 000) or y of the lip
	Angle     int32 // mdeg of the take-off
}

// Board is everything fixed on the table. JSON: the object described in schemas/config.json.
type Board struct {
	W, H      int32 // µm
	Circle    Circle
	Nichee    Rect
	Rosserie  [MaxThings]Rect
	Walls     [MaxThings]Wall
	Posts     [MaxThings]Circle
	Rosseries int8 // used of Rosserie
	NWalls    int8
	NPosts    int8
	HasLoup   bool
	Loup      int32 // µm: y of the loup line
	Ramp      Ramp
}

// Classic returns the plain board.
func Classic() Board {
	b := Board{
		W: 300_000, H: 450_000, Circle: Circle{Point{150_000, 90_000}, 30_000},
		Nichee: Rect{Point{50_000, 250_000}, Point{250_000, 310_000}}, Rosseries: 2, HasLoup: true, Loup: 60_000,
	}
	b.Rosserie[0] = Rect{Point{30_000, 170_000}, Point{100_000, 220_000}}
	b.Rosserie[1] = Rect{Point{200_000, 170_000}, Point{270_000, 220_000}}
	return b
}

// Carnival returns Classic with a ramp, a wall and a gate.
func Carnival() Board {
	b := Classic()
	b.Ramp = Ramp{
		On:        true,
		Rect:      Rect{Point{205_000, 375_000}, Point{255_000, 405_000}},
		Direction: 90_000,
		Lip:       405_000,
		Angle:     35_000,
	}
	b.NWalls, b.NPosts = 1, 2
	b.Walls[0] = Wall{Point{40_000, 285_000}, Point{40_000, 335_000}}
	b.Posts[0] = Circle{Point{35_000, 365_000}, 8_000}
	b.Posts[1] = Circle{Point{95_000, 365_000}, 8_000}
	return b
}

type (
	pointJSON  = [2]int32
	circleJSON struct {
		At [2]int32 `json:"at_um"`
		R  int32    `json:"r_um"`
	}
	rampJSON struct {
		Rect      [4]int32 `json:"rect"`
		Direction int32    `json:"direction_mdeg"`
		Lip       int32    `json:"lip_um"`
		Angle     int32    `json:"angle_mdeg"`
	}
	boardJSON struct {
		W        int32          `json:"w_um"`
		H        int32          `json:"h_um"`
		Circle   circleJSON     `json:"circle"`
		Nichee   [4]int32       `json:"nichee"`
		Rosserie [][4]int32     `json:"rosserie"`
		Loup     *int32         `json:"loup_um"`
		Walls    [][2]pointJSON `json:"walls_um"`
		Posts    []circleJSON   `json:"posts"`
		Ramp     *rampJSON      `json:"ramp"`
	}
)

func (p Point) json() pointJSON    { return pointJSON{p.X, p.Y} }
func (c Circle) json() circleJSON  { return circleJSON{c.At.json(), c.R} }
func (r Rect) json() [4]int32      { return [4]int32{r.From.X, r.From.Y, r.To.X, r.To.Y} }
func pointOf(p pointJSON) Point    { return Point{p[0], p[1]} }
func circleOf(c circleJSON) Circle { return Circle{pointOf(c.At), c.R} }
func rectOf(r [4]int32) Rect       { return Rect{Point{r[0], r[1]}, Point{r[2], r[3]}} }
func (b *Board) rosseries() []Rect { return b.Rosserie[:b.Rosseries] }
func (b *Board) walls() []Wall     { return b.Walls[:b.NWalls] }
func (b *Board) posts() []Circle   { return b.Posts[:b.NPosts] }
func (b *Board) has(p Point) bool  { return p.X >= 0 && p.X <= b.W && p.Y >= 0 && p.Y <= b.H }
func (b *Board) hasRect(r Rect) bool {
	return b.has(r.From) && b.has(r.To) && r.From.X < r.To.X && r.From.Y < r.To.Y
}

// MarshalJSON writes the whole board as an object.
func (b Board) MarshalJSON() ([]byte, error) {
	w := boardJSON{
		W: b.W, H: b.H, Circle: b.Circle.json(), Nichee: b.Nichee.json(),
		Rosserie: [][4]int32{}, Walls: [][2]pointJSON{}, Posts: []circleJSON{},
	}
	for _, r := range b.rosseries() {
		w.Rosserie = append(w.Rosserie, r.json())
	}
	for _, x := range b.walls() {
		w.Walls = append(w.Walls, [2]pointJSON{x.A.json(), x.B.json()})
	}
	for _, p := range b.posts() {
		w.Posts = append(w.Posts, p.json())
	}
	if b.HasLoup {
		w.Loup = &b.Loup
	}
	if b.Ramp.On {
		w.Ramp = &rampJSON{
			Rect:      b.Ramp.Rect.json(),
			Direction: b.Ramp.Direction,
			Lip:       b.Ramp.Lip,
			Angle:     b.Ramp.Angle,
		}
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads the whole board; every key is needed, loup_um and ramp may be null.
func (b *Board) UnmarshalJSON(text []byte) error {
	var w *boardJSON
	if err := strict.Decode(text, &w); err != nil {
		return err
	}
	if w == nil {
		return &strict.Error{Reason: "must not be null"}
	}
	for _, list := range []struct {
		key string
		n   int
	}{{"/rosserie", len(w.Rosserie)}, {"/walls_um", len(w.Walls)}, {"/posts", len(w.Posts)}} {
		if list.n > MaxThings {
			return &strict.Error{Pointer: list.key, Reason: fmt.Sprintf("has %d, a board has room for %d zones, walls and posts in all", list.n, MaxThings)}
		}
	}
	out := Board{W: w.W, H: w.H, Circle: circleOf(w.Circle), Nichee: rectOf(w.Nichee)}
	for _, r := range w.Rosserie {
		out.Rosserie[out.Rosseries] = rectOf(r)
		out.Rosseries++
	}
	for _, x := range w.Walls {
		out.Walls[out.NWalls] = Wall{pointOf(x[0]), pointOf(x[1])}
		out.NWalls++
	}
	for _, p := range w.Posts {
		out.Posts[out.NPosts] = circleOf(p)
		out.NPosts++
	}
	if w.Loup != nil {
		out.HasLoup, out.Loup = true, *w.Loup
	}
	if r := w.Ramp; r != nil {
		out.Ramp = Ramp{
			On:        true,
			Rect:      rectOf(r.Rect),
			Direction: r.Direction,
			Lip:       r.Lip,
			Angle:     r.Angle,
		}
	}
	*b = out
	return nil
}

// validate names what is wrong with a board.
func (b *Board) validate() error {
	const least, most = 100_000, 1_000_000
	things := 2 + int(b.Rosseries) + int(b.NWalls) + int(b.NPosts)
	switch {
	case b.W < least || b.W > most:
		return fmt.Errorf("board.w_um: want %d to %d, got %d", least, most, b.W)
	case b.H < least || b.H > most:
		return fmt.Errorf("board.h_um: want %d to %d, got %d", least, most, b.H)
	case things > MaxThings:
		return fmt.Errorf("board: want at most %d zones, walls and posts (the circle and the nichee are two), got %d", MaxThings, things)
	case !b.has(b.Circle.At) || b.Circle.R < 1 || b.Circle.R > most:
		return fmt.Errorf("board.circle: want its centre on the board and r_um from 1 to %d", most)
	case !b.hasRect(b.Nichee):
		return fmt.Errorf("board.nichee: want [x0,y0,x1,y1] on the board with x0 < x1 and y0 < y1, got %v", b.Nichee.json())
	case b.HasLoup && (b.Loup < 0 || b.Loup > b.H):
		return fmt.Errorf("board.loup_um: want 0 to %d or null, got %d", b.H, b.Loup)
	}
	for i, r := range b.rosseries() {
		if !b.hasRect(r) {
			return fmt.Errorf("board.rosserie[%d]: want [x0,y0,x1,y1] on the board with x0 < x1 and y0 < y1, got %v", i, r.json())
		}
	}
	for i, w := range b.walls() {
		if !b.has(w.A) || !b.has(w.B) || w.A == w.B {
			return fmt.Errorf("board.walls_um[%d]: want two different points of the board, got %v and %v", i, w.A.json(), w.B.json())
		}
	}
	for i, p := range b.posts() {
		if !b.has(p.At) || p.R < 1 || p.R > most {
			return fmt.Errorf("board.posts[%d]: want its centre on the board and r_um from 1 to %d", i, most)
		}
	}
	if err := b.validateRamp(); err != nil {
		return err
	}
	return b.validateRoom()
}

func (b *Board) validateRamp() error {
	r := &b.Ramp
	if !r.On {
		return nil
	}
	from, to := r.Rect.From.X, r.Rect.To.X
	if r.Direction%180_000 != 0 {
		from, to = r.Rect.From.Y, r.Rect.To.Y
	}
	switch {
	case !b.hasRect(r.Rect):
		return fmt.Errorf("board.ramp.rect: want [x0,y0,x1,y1] on the board with x0 < x1 and y0 < y1, got %v", r.Rect.json())
	case r.Direction < 0 || r.Direction > 270_000 || r.Direction%90_000 != 0:
		return fmt.Errorf("board.ramp.direction_mdeg: want 0, 90000, 180000 or 270000, got %d", r.Direction)
	case r.Lip < from || r.Lip > to:
		return fmt.Errorf("board.ramp.lip_um: want %d to %d, within the ramp along its direction, got %d", from, to, r.Lip)
	case r.Angle < 1 || r.Angle > maxLift:
		return fmt.Errorf("board.ramp.angle_mdeg: want 1 to %d, got %d", maxLift, r.Angle)
	}
	return nil
}

// validateRoom checks that every round can begin.
func (b *Board) validateRoom() error {
	if !b.clear(Circle{b.Circle.At, moleRadius}) {
		return fmt.Errorf("board.circle: a wall or post stands where the mole begins")
	}
	var list [maxPlaces]Point
	if n := b.places(&list); n < Mignettes {
		return fmt.Errorf("board.nichee: want room for %d mignettes side by side, clear of walls, posts and the mole; there is room for %d", Mignettes, n)
	}
	return nil
}
