package molehill

import (
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// View is what everybody sees: nothing is hidden. At the end of the match it shows the second round as it ended.
type View struct {
	Round     int        `json:"round"`      // 1 or 2
	Phase     string     `json:"phase"`      // start, rod, move or over
	MoleSeat  game.Seat  `json:"mole_seat"`  // in this round; the other seat is the gardener
	Mole      *string    `json:"mole"`       // its square; null before its start
	Visited   []string   `json:"visited"`    // squares with a disc, in order; the mole's own is the last
	Rods      []string   `json:"rods"`       // edges with a rod, in the order laid
	Flowers   FlowerView `json:"flowers"`    // by square number, visited or not
	DiscsLeft int        `json:"discs_left"` // not yet on the board
	RodsLeft  int        `json:"rods_left"`  // not yet on the board
	Jump      bool       `json:"jump"`       // the mole may jump at its next turn
	Score     int        `json:"score"`      // the mole's points of this round so far
	Scores    []int      `json:"scores"`     // of the finished rounds, in order: the mole's points

	size geometry // what the drawing needs of the configuration; every seat has that anyway
}

// FlowerView lists the squares of the flowers, in ascending order (a1, b1, …).
type FlowerView struct {
	Red   []string `json:"red"`
	White []string `json:"white"`
}

type geometry struct{ columns, rows, orange int }

// View builds the view from the public state; it is the same for both seats and spectators.
func (Rules) View(s *State, _ game.Seat) View {
	v := View{
		Round: int(s.Round) + 1, Phase: s.Phase.String(), MoleSeat: s.seat(),
		Visited: make([]string, s.Laid), Rods: s.rodNames(),
		Flowers:   FlowerView{s.squareNames(s.Red), s.squareNames(s.White)},
		DiscsLeft: int(s.Discs - s.Laid), RodsLeft: int(s.Rods - s.RodsLaid),
		Jump: s.Jump, Score: int(s.score()), Scores: s.finished(),
		size: geometry{int(s.Columns), int(s.Rows), int(s.Orange)},
	}
	for k := range v.Visited {
		v.Visited[k] = s.square(s.Path[k]).String()
	}
	if s.Laid > 0 {
		v.Mole = &v.Visited[s.Laid-1]
	}
	return v
}

func (s *State) squareNames(m uint64) []string {
	list := make([]string, 0, flowersEach)
	each(m, func(i uint8) { list = append(list, s.square(i).String()) })
	return list
}

// rodNames cuts all names from one string: one allocation for the text, whatever the number of rods.
func (s *State) rodNames() []string {
	list := make([]string, s.RodsLaid)
	var text strings.Builder
	text.Grow(len("a10-a11") * len(list))
	for k := range list {
		at, up := s.square(s.RodOrder[k]>>1), s.RodOrder[k]&1 == 1
		from := text.Len()
		text.WriteString(at.String())
		text.WriteByte('-')
		text.WriteString(other(at, up).String())
		list[k] = text.String()[from:]
	}
	return list
}

// finished returns the scores of the finished rounds.
func (s *State) finished() []int {
	rounds := int(s.Round)
	if s.Phase == phaseOver {
		rounds = 2
	}
	list := make([]int, rounds)
	for k := range list {
		list[k] = int(s.Scores[k])
	}
	return list
}

// Event is something that happened; all events are public. Kind says which fields hold: round (MoleSeat), played (Seat,
// Action), score (Scores, the first Rounds of them), over (none).
type Event struct {
	Kind     string
	MoleSeat game.Seat
	Seat     game.Seat
	Action   Action
	Scores   [2]uint8 // of the finished rounds, in order: the mole's points
	Rounds   uint8    // how many are finished
}

// MarshalJSON writes what AppendJSON does.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends {"kind":"round","mole_seat":0}, {"kind":"played","seat":0,"action":{…}}, {"kind":"score","scores":[…]}
// or {"kind":"over"}.
func (e Event) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"kind":"`...), e.Kind...), '"')
	switch e.Kind {
	case "round":
		b = game.AppendNumber(b, "mole_seat", e.MoleSeat)
	case "played":
		b = game.AppendNumber(b, "seat", e.Seat)
		b = e.Action.AppendJSON(append(b, `,"action":`...))
	case "score":
		b = append(b, `,"scores":[`...)
		for k, score := range e.Scores[:e.Rounds] {
			if k > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendUint(b, uint64(score), 10)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}
