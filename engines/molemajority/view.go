package molemajority

import "github.com/molerun/molerun/engines/game"

// View is all that a seat may know.
type View struct {
	Phase   string       `json:"phase"`
	Turn    int32        `json:"turn"`    // from 1; 0 in set-up
	Active  *game.Seat   `json:"active"`  // who decides; null once over
	Tile    *int8        `json:"tile"`    // the size of the tile to be placed
	Action  *string      `json:"action"`  // the card played as the action of this turn
	Stacked bool         `json:"stacked"` // a card was stacked this turn
	Pending []partView   `json:"pending"` // what is left of the card, in order
	Hexes   []hexView    `json:"hexes"`   // in the order of their names' numbers
	Edges   []string     `json:"edges"`   // with a Cave-In
	Players []playerView `json:"players"` // by seat
	Me      *Me          `json:"me,omitempty"`
	Reveal  *reveal      `json:"reveal,omitempty"`

	worth map[string]int8 // what the home tokens on the hexes are worth, in [Rules.Open] alone
}

// partView is what is left of a part of a card.
type partView struct {
	Do   string `json:"do"`
	Left int8   `json:"left"`
}

// hexView is a tile on the board.
type hexView struct {
	At     string       `json:"at"`
	Size   int8         `json:"size"`
	Claim  *game.Seat   `json:"claim"`
	Spaces []*game.Seat `json:"spaces"` // whose mole, clockwise from north
	Home   bool         `json:"home"`   // a home token lies there
}

// playerView is what everybody knows of a seat: supplies, counts and cards.
type playerView struct {
	Seat     game.Seat  `json:"seat"`
	Moles    int8       `json:"moles"`
	Claims   int8       `json:"claims"`
	CaveIns  int8       `json:"cave_ins"`
	Hand     int8       `json:"hand"`
	Deck     int8       `json:"deck"`
	Homes    int8       `json:"homes"`
	Discard  []string   `json:"discard"` // the top last
	Unseen   cardCounts `json:"unseen"`  // the cards of hand and deck together
	Trail    *trailView `json:"trail"`
	Out      bool       `json:"out"`
	OutOrder int8       `json:"out_order"` // 1 for the first decision that put seats out; 0 in
}

// cardCounts is card → copies.
type cardCounts struct {
	Number4        int8 `json:"number_4"`
	Number3        int8 `json:"number_3"`
	Number2        int8 `json:"number_2"`
	CaveIn         int8 `json:"cave_in"`
	Convert        int8 `json:"convert"`
	Groundskeeper1 int8 `json:"groundskeeper_1"`
	Groundskeeper2 int8 `json:"groundskeeper_2"`
	GopherIt       int8 `json:"gopher_it"`
}

// trailView is what is known of a hand since the deck was last shuffled again.
type trailView struct {
	Known []string   `json:"known"` // the hand at that moment
	Plays []playView `json:"plays"` // the cards played since, oldest first
}

// playView is a card played and how many cards its player held before.
type playView struct {
	Card string `json:"card"`
	Hand int8   `json:"hand"`
}

// Me is what only one seat knows; both lists are in order.
type Me struct {
	Seat  game.Seat `json:"seat"`
	Hand  []string  `json:"hand"`
	Homes []int8    `json:"homes"`
}

// reveal is what was hidden, once over, by seat, and the points.
type reveal struct {
	Hands  [][]string `json:"hands"`
	Homes  [][]int8   `json:"homes"`
	Points []int      `json:"points"`
}

func (x *Counts) view() cardCounts {
	return cardCounts{
		Number4:        x[0],
		Number3:        x[1],
		Number2:        x[2],
		CaveIn:         x[3],
		Convert:        x[4],
		Groundskeeper1: x[5],
		Groundskeeper2: x[6],
		GopherIt:       x[7],
	}
}

func (x *cardCounts) counts() Counts {
	return Counts{x.Number4, x.Number3, x.Number2, x.CaveIn, x.Convert, x.Groundskeeper1, x.Groundskeeper2, x.GopherIt}
}

// View returns what seat may know of s.
func (Rules) View(s *State, seat game.Seat) View {
	v := View{Phase: s.Phase.String(), Turn: s.Turn, Stacked: s.Stacked, Pending: make([]partView, s.PartN), Players: make([]playerView, s.Seats)}
	if s.Phase != PhaseOver {
		active := s.Active
		v.Active = &active
	}
	if s.Tile != 0 {
		tile := s.Tile
		v.Tile = &tile
	}
	if s.Played != noCard {
		action := s.Played.String()
		v.Action = &action
	}
	for i := range v.Pending {
		v.Pending[i] = partView{s.Parts[i].Do.String(), s.Parts[i].Left}
	}
	v.Hexes, v.Edges = s.hexViews(), s.Walls.words()
	for i := range v.Players {
		s.player(game.Seat(i), &v.Players[i])
	}
	if s.seats().Has(seat) {
		v.Me = &Me{Seat: seat, Hand: s.Hand[seat].words(), Homes: s.homes(seat)}
	}
	if s.Phase == PhaseOver {
		v.Reveal = s.reveal()
	}
	return v
}

// Open returns the view of a spectator with everybody's cards, and what all home tokens are worth.
func (r Rules) Open(s *State) View {
	v := r.View(s, game.Spectator)
	v.Reveal, v.worth = s.reveal(), map[string]int8{}
	for m := s.Homed; m != 0; m &= m - 1 {
		v.worth[m.Lowest().String()] = s.Home[m.Lowest()]
	}
	return v
}

func (w walls) words() []string {
	out := make([]string, 0, w.Len())
	for ; w != 0; w &= w - 1 {
		out = append(out, grid.edgeName[w.lowest()])
	}
	return out
}

// hexViews shows the tiles in order.
func (s *State) hexViews() []hexView {
	var name [MaxSeats + 1]*game.Seat // by entry of a space
	var seats [MaxSeats]game.Seat
	for i := range seats {
		seats[i] = game.Seat(i)
		name[i+1] = &seats[i]
	}
	total := 0
	for _, size := range s.Size {
		total += int(size)
	}
	all := make([]*game.Seat, total)
	out := make([]hexView, 0, s.Tiles.Len())
	for m := s.Tiles; m != 0; m &= m - 1 {
		h := m.Lowest()
		spaces := all[:s.Size[h]:s.Size[h]]
		all = all[s.Size[h]:]
		for i := range spaces {
			spaces[i] = name[s.Space[h][i]]
		}
		out = append(out, hexView{
			At:     h.String(),
			Size:   s.Size[h],
			Claim:  name[s.Owner(h)+1],
			Spaces: spaces,
			Home:   s.Homed.Has(h),
		})
	}
	return out
}

func (s *State) hexTiles() []hexTile {
	out := make([]hexTile, 0, s.Tiles.Len())
	for m := s.Tiles; m != 0; m &= m - 1 {
		out = append(out, hexTile{m.Lowest().String(), s.Size[m.Lowest()]})
	}
	return out
}

// player shows what everybody knows of seat.
func (s *State) player(seat game.Seat, v *playerView) {
	unseen := s.unseen(seat)
	*v = playerView{
		Seat: seat, Moles: s.Moles[seat], Claims: s.Claims[seat], CaveIns: s.CaveIns[seat], Hand: s.HandN[seat], Deck: s.DeckN[seat],
		Homes: s.homeCount(seat), Discard: game.WordsOf(s.Junk[seat][:s.JunkN[seat]]), Unseen: unseen.view(),
		Trail: s.Trail[seat].view(), Out: s.Out[seat] != 0, OutOrder: s.Out[seat],
	}
}

func (x *trail) view() *trailView {
	if !x.On {
		return nil
	}
	v := &trailView{Known: x.Known.words(), Plays: make([]playView, x.N)}
	for i, p := range x.Plays[:x.N] {
		v.Plays[i] = playView{p.Card.String(), p.Hand}
	}
	return v
}

// unseen returns the cards of hand and deck together, which everybody knows.
func (s *State) unseen(seat game.Seat) Counts {
	out := s.Hand[seat]
	for _, c := range s.Deck[seat][:s.DeckN[seat]] {
		out[c]++
	}
	return out
}

func (s *State) homeCount(seat game.Seat) int8 { return game.Sum(s.Homes[seat][:]) }

// homes returns the values of a seat's home tokens, ascending.
func (s *State) homes(seat game.Seat) []int8 {
	return game.LayOut(make([]int8, 0, s.homeCount(seat)), 1, s.Homes[seat][:])
}

// reveal returns what was hidden.
func (s *State) reveal() *reveal {
	x := &reveal{}
	for seat := range game.Seat(s.Seats) {
		x.Hands = append(x.Hands, s.Hand[seat].words())
		x.Homes = append(x.Homes, s.homes(seat))
		x.Points = append(x.Points, s.points(seat))
	}
	return x
}
