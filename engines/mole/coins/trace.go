package coins

// Segment is a straight piece of a disc's motion: enough to draw it. In the plane the speed falls evenly from V0 to V1; in
// the air it is constant and the height is Z0 + VZ0·t − g·t²/2.
type Segment struct {
	Disc     int
	Air      bool
	T0, T1   float64 // s since the flick
	From, To Vec
	V0, V1   float64 // mm/s in the plane
	Z0, VZ0  float64 // mm and mm/s, at T0; in the air only
}

// markKind is what a [Mark] says.
type markKind uint8

// The marks: a contact, a disc that has left.
const (
	markContact markKind = iota
	MarkLeft
)

// Mark is something that happened at an instant.
type Mark struct {
	Kind  markKind
	T     float64 // s since the flick
	A     int     // the disc
	B     int     // contacts: the other disc; −1 at a wall or post
	Wall  int     // contacts with B = −1: the wall, −1 if it is a post
	Post  int     // contacts with B = −1: the post, −1 if it is a wall
	Edge  Edge    // left only
	Speed float64 // contacts: of the approach along the impulse, mm/s
}

// Trace is all that happens in a flick: segments in the order in which they end, marks in the order of time.
type Trace struct {
	Segments []Segment
	Marks    []Mark
}

// Order puts first in each contact of two discs the one that struck the other: the one that came faster, or, of two that lay still until
// that instant, the one that was struck before. flicked moved first.
func (t *Trace) Order(flicked int) {
	moved := map[int]bool{flicked: true}
	for i := range t.Marks {
		m := &t.Marks[i]
		if m.Kind != markContact || m.B < 0 {
			continue
		}
		a, b := t.speed(m.A, m.T), t.speed(m.B, m.T)
		if b > a || b == a && moved[m.B] && !moved[m.A] {
			m.A, m.B = m.B, m.A
		}
		moved[m.B] = true
	}
}

// speed returns how fast a disc came to where it was at a time; 0 if it lay there.
func (t *Trace) speed(disc int, at float64) float64 {
	for _, x := range t.Segments {
		if x.Disc == disc && x.T1 == at {
			return x.V1
		}
	}
	return 0
}

func (s *Sim) mark(m Mark) {
	if s.Trace != nil {
		s.Trace.Marks = append(s.Trace.Marks, m)
	}
}

// begin opens a segment of disc i.
func (s *Sim) begin(i int) {
	d := &s.Discs[i]
	d.from = Segment{Disc: i, Air: d.Mode == Flying, T0: s.Time, From: d.At, V0: d.Speed}
	if d.Mode == Flying {
		d.from.Z0, d.from.VZ0 = d.Z, d.ZSpeed
	}
}

// end closes the segment of disc i; one of no duration is none.
func (s *Sim) end(i int) {
	d := &s.Discs[i]
	if s.Time == d.from.T0 {
		return
	}
	seg := d.from
	seg.T1, seg.To, seg.V1 = s.Time, d.At, d.Speed
	if s.NPath < maxPath {
		s.Path[s.NPath] = seg
		s.NPath++
	}
	if s.Trace != nil {
		s.Trace.Segments = append(s.Trace.Segments, seg)
	}
}
