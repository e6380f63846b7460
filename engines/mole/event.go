package mole

import (
	"strconv"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// Event is something that happened; all events are public. Kind says which fields hold: placed (Places), nasdaq (Coin),
// flick (Action, Shot, Segments, Marks), contact (Mark), left (Coin, Edge, Mark), died (Coin), put_back and set_down (Coin, At),
// rest (Rest), round (Winner, Why), swap (MoleSeat), over (none).
type Event struct {
	Kind     string
	Coin     Coin
	Edge     coins.Edge
	At       Point
	Places   [Mignettes]Point
	Action   Action // as intended
	Shot     Shot   // as executed
	Segments []coins.Segment
	Marks    []coins.Mark // of the whole flick, for its words; the events after it tell them
	Mark     coins.Mark
	Rest     [1 + Mignettes]Piece
	Winner   winner
	Why      string
	MoleSeat game.Seat
}

// tellFlick reports a flick: its motion, then its contacts and departures in the order of time.
func (s *State) tellFlick(a Action, shot Shot, sim *coins.Sim, log *game.Log[Event]) {
	if !log.Enabled() {
		return
	}
	sim.Trace.Order(int(a.Coin))
	log.Emit(game.All, Event{Kind: "flick", Action: a, Shot: shot, Segments: sim.Trace.Segments, Marks: sim.Trace.Marks})
	for _, m := range sim.Trace.Marks {
		if m.Kind == coins.MarkLeft {
			log.Emit(game.All, Event{Kind: "left", Coin: Coin(m.A), Edge: m.Edge, Mark: m})
		} else {
			log.Emit(game.All, Event{Kind: "contact", Mark: m})
		}
	}
}

// tellRest reports where the coins on the board lie.
func (s *State) tellRest(log *game.Log[Event]) {
	if log.Enabled() {
		log.Emit(game.All, Event{Kind: "rest", Rest: s.Coins})
	}
}

// micro returns a time in µs, a length in µm or a speed in µm/s.
func micro(x, unit float64) int64 { return floor(float64(x*unit) + 0.5) }

// MarshalJSON writes what AppendJSON does.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends {"kind":…} and the fields of the kind, as schemas/event.json says.
func (e *Event) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"kind":"`...), e.Kind...), '"')
	switch e.Kind {
	case "placed":
		b = appendPoints(append(b, `,"at":`...), e.Places[:])
	case "nasdaq", "died":
		b = game.AppendWord(b, "coin", e.Coin.String())
	case "put_back", "set_down":
		b = appendPoint(append(game.AppendWord(b, "coin", e.Coin.String()), `,"at_um":`...), e.At)
	case "flick":
		b = e.appendFlick(b)
	case "contact":
		b = e.appendContact(b)
	case "left":
		b = game.AppendWord(b, "coin", e.Coin.String())
		b = game.AppendWord(b, "edge", e.Edge.String())
		b = game.AppendNumber(b, "t_us", micro(e.Mark.T, 1e6))
	case "rest":
		b = e.appendRest(b)
	case "round":
		b = game.AppendWord(b, "winner", e.Winner.String())
		b = game.AppendWord(b, "why", e.Why)
	case "swap":
		b = game.AppendNumber(b, "mole_seat", e.MoleSeat)
	}
	return append(b, '}')
}

func (e *Event) appendFlick(b []byte) []byte {
	b = e.Action.AppendJSON(append(b, `,"intended":`...))
	b = append(b, `,"executed":{"coin":"`...)
	b = append(append(b, e.Action.Coin.String()...), '"')
	b = game.AppendNumber(b, "angle_mdeg", e.Shot.Angle)
	b = game.AppendNumber(b, "speed_um_s", e.Shot.Speed)
	b = game.AppendNumber(b, "lift_mdeg", e.Shot.Lift)
	b = append(b, `},"segments":[`...)
	for k := range e.Segments {
		if k > 0 {
			b = append(b, ',')
		}
		b = appendSegment(b, &e.Segments[k])
	}
	return append(b, ']')
}

// appendSegment writes a segment: enough to draw the motion without simulating it. In the plane the speed falls evenly; in
// the air it is constant and z_um and up_um_s give the start of the parabola.
func appendSegment(b []byte, x *coins.Segment) []byte {
	um := func(v coins.Vec) Point { return Point{int32(micro(v.X, 1000)), int32(micro(v.Y, 1000))} }
	b = append(append(append(b, `{"coin":"`...), Coin(x.Disc).String()...), '"')
	b = game.AppendNumber(b, "from_us", micro(x.T0, 1e6))
	b = game.AppendNumber(b, "to_us", micro(x.T1, 1e6))
	b = appendPoint(append(b, `,"from_um":`...), um(x.From))
	b = appendPoint(append(b, `,"to_um":`...), um(x.To))
	b = game.AppendNumber(b, "from_um_s", micro(x.V0, 1000))
	b = game.AppendNumber(b, "to_um_s", micro(x.V1, 1000))
	if x.Air {
		b = game.AppendNumber(b, "z_um", micro(x.Z0, 1000))
		b = game.AppendNumber(b, "up_um_s", micro(x.VZ0, 1000))
	}
	return append(b, '}')
}

func (e *Event) appendContact(b []byte) []byte {
	b = game.AppendNumber(b, "t_us", micro(e.Mark.T, 1e6))
	m := e.Mark
	if m.B >= 0 { // records name two coins in the order of their numbers, whichever struck
		m.A, m.B = min(m.A, m.B), max(m.A, m.B)
	}
	b = game.AppendWord(b, "a", Coin(m.A).String())
	return game.AppendWord(b, "b", struck(m))
}

// struck names what a coin strikes: a coin, wall1, post2.
func struck(m coins.Mark) string {
	switch {
	case m.B >= 0:
		return Coin(m.B).String()
	case m.Wall >= 0:
		return "wall" + strconv.Itoa(m.Wall+1)
	}
	return "post" + strconv.Itoa(m.Post+1)
}

// appendRest lists the coins on the board.
func (e *Event) appendRest(b []byte) []byte {
	b = append(b, `,"positions":[`...)
	first := true
	for k, p := range e.Rest {
		if !p.Alive {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(append(b, `{"coin":"`...), coinNames[k]...), '"')
		b = game.AppendNumber(b, "x_um", p.At.X)
		b = append(game.AppendNumber(b, "y_um", p.At.Y), '}')
	}
	return append(b, ']')
}
