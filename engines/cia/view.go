package cia

import (
	"github.com/molerun/molerun/engines/game"
)

// View is all that a seat may know; a bot that remembers nothing plays from it.
type View struct {
	Phase   string     `json:"phase"`
	Turn    game.Seat  `json:"turn"`    // the active seat
	Turns   int32      `json:"turns"`   // begun so far
	Roll    string     `json:"roll"`    // of this turn
	Agents  places     `json:"agents"`  // those in play
	Stones  scores     `json:"stones"`  // without bonus
	Safe    string     `json:"safe"`    // its building
	Flags   []flagView `json:"flags"`   // oldest first
	Hands   []int8     `json:"hands"`   // sizes by seat
	Fresh   []int8     `json:"fresh"`   // by seat: at least so many of them were drawn this turn
	Discard []string   `json:"discard"` // oldest first
	Deck    int8       `json:"deck"`    // cards in it
	Removed []string   `json:"removed"` // cards that have left the game
	Drawn   bool       `json:"drawn"`   // the active seat has used its draw of this turn
	Extra   []int8     `json:"extra"`   // free agents taken, by seat
	Free    int        `json:"free"`    // free agents left
	Filed   bool       `json:"dossier_filed"`
	Round   *roundView `json:"round"` // null outside a reaction round
	Trail   *trailView `json:"trail"` // null while any hidden card can be anywhere
	Me      *Me        `json:"me,omitempty"`
	Reveal  *reveal    `json:"reveal,omitempty"` // once over

	hands [][]string // by seat, in [Rules.Open] alone
}

// flagView is an agent that was moved into the safe's building, and who moved it.
type flagView struct {
	Agent string    `json:"agent"`
	Seat  game.Seat `json:"seat"`
}

// roundView is where a reaction round stands, also while the dossiers interrupt it.
type roundView struct {
	Asked  game.Seat `json:"asked"`
	Passes int8      `json:"passes"` // in a row since the last card, skipped seats included
	Again  bool      `json:"again"`  // it has just played and is asked again; its pass will not count
}

// trailView is what the table has seen of the cards since some may no longer be anywhere.
type trailView struct {
	Hands   []int8      `json:"hands"`   // sizes at its beginning
	Fresh   []int8      `json:"fresh"`   // how many of them had been drawn that turn
	Discard []string    `json:"discard"` // at its beginning, in the order of the kinds
	Steps   []trailStep `json:"steps"`
}

// trailStep is one entry: draw, card (played or removed), reshuffle, none_left (the last free agent was taken) or turn (a
// turn with a draw ended). Card is left out for the draws of others.
type trailStep struct {
	Kind string     `json:"kind"`
	Seat *game.Seat `json:"seat,omitempty"`
	Card string     `json:"card,omitempty"`
}

// Me is what only one seat knows.
type Me struct {
	Seat    game.Seat `json:"seat"`
	Agent   string    `json:"agent"`
	Extra   []string  `json:"extra_agents"`
	Cards   []string  `json:"cards"` // in the order drawn
	Fresh   []string  `json:"fresh"` // those of them drawn this turn
	Dossier *owners   `json:"dossier"`
}

// reveal is what was hidden, once over, by seat. Dossiers is empty if none were filled in.
type reveal struct {
	Agents   []string   `json:"agents"`
	Extra    [][]string `json:"extra_agents"`
	Dossiers []owners   `json:"dossiers"`
}

// file is a dossier and whose it is.
type file struct {
	by    game.Seat
	names owners
}

// files returns the dossiers that the viewer may read, by seat.
func (v *View) files() (list []file) {
	switch {
	case v.Reveal != nil:
		for by, names := range v.Reveal.Dossiers {
			list = append(list, file{game.Seat(by), names})
		}
	case v.Me != nil && v.Me.Dossier != nil:
		list = append(list, file{v.Me.Seat, *v.Me.Dossier})
	}
	return list
}

// places returns where the agents in play are.
func (s *State) places() places {
	p := nowhere()
	for m := s.InPlay; m != 0; m &= m - 1 {
		p[m.Lowest()] = s.Pos[m.Lowest()]
	}
	return p
}

// scores returns where the stones of the agents in play are.
func (s *State) scores() scores {
	var x scores
	for i := range x {
		if x[i] = absent; s.InPlay.Has(Agent(i)) {
			x[i] = s.Stone[i]
		}
	}
	return x
}

// View returns what seat may know of s.
func (Rules) View(s *State, seat game.Seat) View {
	v := View{
		Phase: s.Phase.String(), Turn: s.Turn, Turns: s.Turns, Roll: s.Roll.String(), Agents: s.places(), Stones: s.scores(),
		Safe: s.Safe.String(), Flags: make([]flagView, s.FlagN), Hands: append([]int8{}, s.HandN[:s.Seats]...),
		Fresh: append([]int8{}, s.Shown[:s.Seats]...), Discard: game.WordsOf(s.Discard[:s.DiscardN]), Deck: s.DeckN,
		Removed: make([]string, s.Removed), Drawn: s.Drew, Extra: make([]int8, s.Seats), Free: s.freeLeft(), Filed: s.Filed,
		Trail: s.trailView(seat),
	}
	for i := range v.Flags {
		v.Flags[i] = flagView{s.Flags[i].Agent.String(), s.Flags[i].Seat}
	}
	for i := range v.Removed {
		v.Removed[i] = TakeFreeAgent.String()
	}
	for i := range v.Extra {
		v.Extra[i] = int8(s.Extra[i].Len())
	}
	switch {
	case s.Phase == PhaseRound:
		v.Round = &roundView{s.Asks, s.Passes, s.Again}
	case s.Phase == PhaseDossier && s.Paused: // the state counts the card when the round goes on
		v.Round = &roundView{s.Asks, 0, s.askable(s.Asks)}
	}
	if s.seats().Has(seat) {
		v.Me = s.me(seat)
	}
	if s.Phase == PhaseOver {
		v.Reveal = s.reveal()
	}
	return v
}

// Open returns the view of a spectator with everybody's agents, cards and dossiers.
func (r Rules) Open(s *State) View {
	v := r.View(s, game.Spectator)
	v.Reveal = s.reveal()
	for seat := range s.seats().Each() {
		v.hands = append(v.hands, game.WordsOf(s.Hand[seat][:s.HandN[seat]]))
	}
	return v
}

// me returns what seat alone knows.
func (s *State) me(seat game.Seat) *Me {
	hand := s.Hand[seat][:s.HandN[seat]]
	me := &Me{
		Seat: seat, Agent: s.Agent[seat].String(), Extra: s.Extra[seat].words(), Cards: game.WordsOf(hand),
		Fresh: game.WordsOf(hand[s.HandN[seat]-s.Fresh[seat]:]),
	}
	if s.Filed {
		file := s.fileOf(seat)
		me.Dossier = &file
	}
	return me
}

func (s *State) fileOf(seat game.Seat) owners {
	a := Action{Agents: s.InPlay, Owners: s.Files[seat]}
	return a.owners()
}

// reveal returns what was hidden.
func (s *State) reveal() *reveal {
	x := &reveal{Agents: []string{}, Extra: [][]string{}, Dossiers: []owners{}}
	for seat := range s.seats().Each() {
		x.Agents = append(x.Agents, s.Agent[seat].String())
		x.Extra = append(x.Extra, s.Extra[seat].words())
		if s.Filed {
			x.Dossiers = append(x.Dossiers, s.fileOf(seat))
		}
	}
	return x
}

// The kinds of a trail step.
const (
	stepDraw  = "draw"
	stepCard  = "card"
	stepNew   = "reshuffle"
	stepNone  = "none_left"
	stepTurns = "turn"
)

// trailView returns the trail as seat saw it.
func (s *State) trailView(seat game.Seat) *trailView {
	x := &s.Trail
	if !x.On {
		return nil
	}
	v := &trailView{
		Hands: append([]int8{}, x.Hands[:s.Seats]...), Fresh: append([]int8{}, x.Fresh[:s.Seats]...), Discard: []string{},
		Steps: make([]trailStep, x.N),
	}
	for c, copies := range x.Discard {
		for range copies {
			v.Discard = append(v.Discard, cardNames[c])
		}
	}
	for i, op := range x.ops() {
		step := &v.Steps[i]
		switch op {
		case markNew:
			step.Kind = stepNew
		case markNone:
			step.Kind = stepNone
		case markTurn:
			step.Kind = stepTurns
		default:
			who, card := split(op)
			step.Kind, step.Seat = stepCard, &who
			if op&opDraw != 0 {
				step.Kind = stepDraw
			}
			if step.Kind == stepCard || who == seat {
				step.Card = card.String()
			}
		}
	}
	return v
}
