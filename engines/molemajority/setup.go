package molemajority

import "github.com/molerun/molerun/engines/game"

// start sets up the table before the deal: all tokens and cards unshuffled, nothing on the board.
func (s *State) start(c Config, seats int) {
	*s = State{
		Seats: int8(seats), PathNeeded: c.PathNeeded, EndOnEmpty: c.EndOnEmptySupply, Choose: c.ChooseSpaces,
		FullHand: int8(c.Hand), MaxTurns: int32(c.MaxTurns), Played: noCard,
	}
	for seat := range seats {
		s.Moles[seat], s.Claims[seat], s.CaveIns[seat] = int8(c.Moles), int8(c.Claims), int8(c.CaveIns)
		s.DeckN[seat] = int8(len(game.LayOut(s.Deck[seat][:0], Number4, c.Deck[:])))
	}
	c.Tiles[maxSize-minSize] -= homeTiles * seats
	s.Tiled = int8(len(game.LayOut(s.Stack[:0], minSize, c.Tiles[:])))
	s.PileN = int8(len(game.LayOut(s.Pile[:0], 1, c.HomeTokens[:])))
}

// Deal lays the centre and the ring.
func (Rules) Deal(s *State, c Config, seats int, r *game.Rand, log *game.Log[Event]) {
	s.start(c, seats)
	game.Shuffle(r, s.Stack[:s.Tiled])
	for m := grid.ring | 1<<grid.centre; m != 0; m &= m - 1 {
		s.lay(m.Lowest(), s.draw())
	}
	if log.Enabled() {
		log.Emit(game.All, boardEvent{Kind: "board", Hexes: s.hexTiles()})
	}
}

// draw takes the next tile of the pile.
func (s *State) draw() int8 {
	s.Tiled--
	size := s.Stack[s.Tiled]
	s.Stack[s.Tiled] = 0
	return size
}

// lay puts a tile on the board.
func (s *State) lay(h Hex, size int8) {
	s.Tiles |= 1 << h
	s.Free |= 1 << h
	s.Size[h] = size
}

// sites returns where the next Home Base or tile can lie.
func (s *State) sites() Board {
	var out Board
	if s.Phase == PhaseHome {
		return grid.bases &^ s.Tiles
	}
	for h := range Hex(hexes) {
		if near := grid.near[h] & s.Tiles; !s.Tiles.Has(h) && near.Len() >= 2 && near&grid.ring != 0 {
			out |= 1 << h
		}
	}
	return out
}

// placeHome lays a Home Base with its claim and six moles.
func (t *turn) placeHome(h Hex) {
	s, seat := t.s, t.s.Active
	s.lay(h, maxSize)
	for space := range int8(maxSize) {
		s.put(seat, h, space)
	}
	s.Moles[seat] -= maxSize
	s.Claims[seat]--
	s.Claimed[seat] = 1 << h
	if s.Active++; int8(s.Active) == s.Seats {
		s.Active, s.Phase = 0, PhaseTile
		t.drawTile()
	}
}

func (t *turn) drawTile() {
	s := t.s
	s.Tile = s.draw()
	if t.log.Enabled() {
		t.log.Emit(game.All, tileEvent{Kind: "tile", Seat: s.Active, Size: s.Tile})
	}
}

// placeTile lays a tile; after the last one play begins.
func (t *turn) placeTile(h Hex) {
	s := t.s
	s.lay(h, s.Tile)
	s.Tile = 0
	placed := s.Tiles.Len() - inner - int(s.Seats)
	if placed < extraTiles*int(s.Seats) {
		s.Active = game.Seat(placed / extraTiles)
		t.drawTile()
		return
	}
	t.open()
}

// open puts the home tokens on the unclaimed hexes, deals the hands and draws who begins. The tiles left are not used.
func (t *turn) open() {
	s := t.s
	s.Stack, s.Tiled = [maxTiles]int8{}, 0
	game.Shuffle(t.r, s.Pile[:s.PileN])
	s.Homed = s.Tiles
	for seat := range s.Seats {
		s.Homed &^= s.Claimed[seat]
	}
	for m := s.Homed; m != 0; m &= m - 1 {
		s.PileN--
		s.Home[m.Lowest()], s.Pile[s.PileN] = s.Pile[s.PileN], 0
	}
	s.Phase = PhasePlay
	for seat := range game.Seat(s.Seats) {
		game.Shuffle(t.r, s.Deck[seat][:s.DeckN[seat]])
		t.refill(seat)
	}
	t.begin(game.Seat(t.r.IntN(int(s.Seats))))
}
