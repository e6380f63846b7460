package demol

import (
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func (d *desk) give(card Card, to game.Seat) {
	d.t.Helper()
	d.step(func(game.Seat) Action { return Action{Kind: ActGive, Target: Target{card, to}} })
}

func (d *desk) look(at game.Seat) {
	d.t.Helper()
	d.step(func(game.Seat) Action { return Action{Kind: ActLook, Target: Target{Seat: at}} })
}

func (d *desk) show(to game.Seat) {
	d.t.Helper()
	d.step(func(game.Seat) Action { return Action{Kind: ActShow, Target: Target{Seat: to}} })
}

func (d *desk) take(from game.Seat, card Card) {
	d.t.Helper()
	d.step(func(game.Seat) Action { return Action{Kind: ActTake, Target: Target{card, from}} })
}

// play answers a window of Strong Leader or No Confidence, name one of Spotlight or Close Eye.
func (d *desk) play(seat game.Seat, yes bool) {
	d.t.Helper()
	d.want("asked", Rules{}.Due(&d.s), seatsOf(seat))
	d.step(func(game.Seat) Action { return Action{Kind: d.s.wants(), Yes: yes} })
}

func (d *desk) name(seat, at game.Seat) {
	d.t.Helper()
	d.want("asked", Rules{}.Due(&d.s), seatsOf(seat))
	d.step(func(game.Seat) Action { return Action{Kind: d.s.wants(), Target: Target{Seat: at}} })
}

// declined is naming nobody.
const declined = game.Spectator

// on goes on to a phase: everything is declined, cards go to the left neighbour, the lowest seats are named and sent, all
// approve and all succeed.
func (d *desk) on(phase Phase) {
	d.t.Helper()
	for i := 0; d.s.Phase != phase; i++ {
		if i > 60 || d.s.Phase == phaseOver {
			d.t.Fatalf("phase %s does not come, it is %s", phase, d.s.Phase)
		}
		d.any()
	}
}

// any is one step of on.
func (d *desk) any() {
	d.t.Helper()
	d.step(func(seat game.Seat) Action {
		a := Action{Kind: d.s.wants(), Target: Target{Seat: game.Spectator}}
		switch a.Kind { // the others decline
		case ActVote, ActMission:
			a = Action{Kind: a.Kind, Yes: true}
		case ActTeam:
			m := d.s.Round
			for d.s.Targeting && !d.s.selectable(m) {
				m = m%missions + 1
			}
			a = Action{Kind: ActTeam, Proposal: Proposal{d.s.asked(m), game.FirstSeats(d.s.size(m))}}
		case ActGive:
			a.Target = Target{d.s.Drawn[0], (d.s.Leader + 1) % game.Seat(d.s.Seats)}
		case ActLook, ActShow:
			a.Seat = d.s.targets(d.s.Phase, seat).Lowest()
		case ActTake:
			var o game.Offer[Action]
			Rules{}.Offer(&d.s, seat, &o)
			a = o.List[0]
		}
		return a
	})
}

// nextRound goes on to the first decision of the next mission round.
func (d *desk) nextRound() {
	d.t.Helper()
	for round := d.s.Round; d.s.Round == round; {
		d.any()
	}
}

// send proposes the seats and gets them approved.
func (d *desk) send(members ...game.Seat) {
	d.t.Helper()
	d.on(phaseTeam)
	d.team(0, members...)
	if d.s.Phase == phaseVoteOpen {
		d.vote(d.all()...)
	}
	if d.s.Phase == phaseVote {
		d.vote(d.all()...)
	}
}

func (d *desk) hand(seat game.Seat) []string {
	return Rules{}.View(&d.s, game.Spectator).Seats[seat].Cards
}

func (d *desk) offer(seat game.Seat) string {
	var o game.Offer[Action]
	Rules{}.Offer(&d.s, seat, &o)
	return string(o.AppendJSON(nil))
}

// heard returns the seats that hear the last step's private events.
func (d *desk) heard() (out []game.Seats) {
	for _, n := range d.notes {
		if n.For != game.All {
			out = append(out, n.For)
		}
	}
	return out
}

func (d *desk) me(seat game.Seat) *Me { return Rules{}.View(&d.s, seat).Me }

// plays returns the cards written down: card, by, at, taken.
func (d *desk) plays() string {
	out := ""
	for _, p := range d.s.Plays[:d.s.PlayCount] {
		out += fmt.Sprintf("%s %d %d %s; ", p.Card, p.By, p.At, p.Taken)
	}
	return out
}

func TestPlotDeck(t *testing.T) {
	for _, row := range []struct{ seats, perRound, deck int }{{5, 1, 7}, {6, 1, 7}, {7, 2, 15}, {8, 2, 15}, {9, 3, 15}, {10, 3, 15}} {
		t.Run(fmt.Sprintf("1.1 %d seats", row.seats), func(t *testing.T) {
			d := lay(t, Config{PlotCards: true}, row.seats, 0, slicesOf(row.seats)...)
			var copies [cardEnd]int
			for _, card := range d.s.Deck[:d.s.DeckLen] {
				copies[card]++
			}
			want := [cardEnd]int{0, 2, 2, 1, 1, 3, 2, 2, 1, 1}
			if row.seats <= 6 {
				want = [cardEnd]int{0, 1, 1, 1, 1, 1, 1, 1, 0, 0}
			}
			d.want("1.2 copies", copies, want)
			d.want("deck", d.s.DeckLen, row.deck)
			d.s.advance(phaseStrongLeader, nil)
			for round := 1; ; round++ {
				view := Rules{}.View(&d.s, game.Spectator)
				d.want("drawn", len(view.Drawn), row.perRound)
				d.want("deck after the draw", view.Deck, row.deck-round*row.perRound)
				if round == missions {
					break
				}
				d.on(phaseMission)
				d.cards(d.all()[:round%2]...) // seat 0 is a mole: in turn a fail and a success
				for d.s.Phase == phaseStrongLeader || d.s.Phase == phaseCloseEye {
					d.any()
				}
			}
			d.want("1.1 the deck lasts five rounds", d.s.DeckLen, row.deck-missions*row.perRound)
		})
	}
}

func TestPlotDeckIsShuffled(t *testing.T) {
	const deals = 7000
	var count [cardEnd]int
	var s State
	r := game.Stream(game.Seed{7}, 0, "deal")
	c := Rules{}.Defaults()
	c.PlotCards = true
	for range deals {
		Rules{}.Deal(&s, c, 5, r, nil)
		count[s.Drawn[0]]++
	}
	if x := chiSquare(count[Overheard : StrongLeader+1]); x > 22.5 { // 6 degrees of freedom, one in a thousand
		t.Errorf("first cards %v: chi-square %.1f, want at most 22.5", count, x)
	}
}

func TestDraw(t *testing.T) {
	d := openDeck(t, Config{}, []Card{NoConfidence, CloseEye, OpinionMaker, OpenUp}, 7, 2, 0, 1, 3)
	d.want("the first leader is due", Rules{}.Due(&d.s), seatsOf(2))
	d.want("1.5-5 all cards are drawn at once, in order", Rules{}.View(&d.s, 5).Drawn, "[no_confidence close_eye]")
	d.want("1.5-5 drawn is in the spectator's view", Rules{}.View(&d.s, game.Spectator).Drawn, "[no_confidence close_eye]")
	d.give(CloseEye, 3)
	d.want("1.3 handing out: he chooses the order", Rules{}.View(&d.s, 2).Drawn, "[no_confidence]")
	d.want("events", d.kinds, "[give]")
	d.give(NoConfidence, 3)
	d.want("1.3 handing out: several to one seat", d.hand(3), "[no_confidence close_eye]")
	d.want("then the team", d.s.Phase, phaseTeam)
	d.team(0, 0, 1)
	d.vote()
	d.want("1.3 draw: the next leader of the round draws nothing", d.s.Phase, phaseTeam)
	d.want("leader", d.s.Leader, 3)
	d.send(0, 1)
	d.play(3, true)
	d.want("1.4-7 no new cards after No Confidence", d.s.Phase, phaseTeam)
	d.send(0, 1)
	d.cards()
	d.name(3, declined)
	d.want("the first leader of the next round draws", Rules{}.View(&d.s, 0).Drawn, "[opinion_maker open_up]")
	d.want("events", d.kinds, "[mission score leader draw]")
}

func TestGive(t *testing.T) {
	d := openDeck(t, Config{}, []Card{NoConfidence, NoConfidence, OpenUp}, 9, 2, 0, 1, 3)
	for _, row := range []struct {
		name  string
		a     Action
		words string
	}{
		{"1.3 handing out: not to himself", Action{Kind: ActGive, Target: Target{OpenUp, 2}}, "to: the leader, seat 2, keeps no card"},
		{"a card not drawn", Action{Kind: ActGive, Target: Target{CloseEye, 1}}, "card: close_eye is not among the cards drawn: [no_confidence no_confidence open_up]"},
		{"no card", Action{Kind: ActGive, Target: Target{NoCard, 1}}, "card: nothing is not among"},
		{"no such seat", Action{Kind: ActGive, Target: Target{OpenUp, 9}}, "to: want one of the seats 0 to 8, got 9"},
		{"nobody", Action{Kind: ActGive, Target: Target{OpenUp, -1}}, "to: want one of the seats"},
		{"a team", Action{Kind: ActTeam, Proposal: Proposal{Members: 7}}, "phase give asks for give, not team"},
	} {
		t.Run(row.name, func(t *testing.T) { d.refuses(2, row.a, row.words) })
	}
	var o game.Offer[Action]
	Rules{}.Offer(&d.s, 2, &o)
	d.want("two equal cards are one action", len(o.List), 2*8)
	d.give(OpenUp, 1)
	d.want("1.3 handing out: an immediate card is resolved as soon as it is passed", d.s.Phase, phaseShow)
	d.want("1.5-5 it goes to the discard, not before the seat", fmt.Sprint(Rules{}.View(&d.s, 1).Discard, d.hand(1)), "[open_up] []")
	d.show(2)
	d.want("1.5-5 then the next give", d.s.Phase, phaseGive)
	d.give(NoConfidence, 1)
	o.List = nil
	Rules{}.Offer(&d.s, 2, &o)
	d.want("1.5-11 the last card is asked for too", len(o.List), 8)
	d.give(NoConfidence, 1)
	d.want("two of a kind", d.hand(1), "[no_confidence no_confidence]")

	d = openDeck(t, Config{}, []Card{NoConfidence, OpenUp, NoConfidence}, 9, 2, 0, 1, 3)
	o.List = nil
	Rules{}.Offer(&d.s, 2, &o)
	d.want("two equal cards with another between are one action too", len(o.List), 2*8)
}

func TestOverheard(t *testing.T) {
	for _, row := range []struct{ seat, left, right game.Seat }{{3, 4, 2}, {0, 1, 5}, {5, 0, 4}} {
		t.Run(fmt.Sprintf("1.3 overheard: the neighbours of %d", row.seat), func(t *testing.T) {
			d := openDeck(t, Config{BlindMoles: true}, []Card{Overheard}, 6, 1, 4, 5)
			d.give(Overheard, row.seat)
			d.want("the receiver is due", Rules{}.Due(&d.s), seatsOf(row.seat))
			d.want("targets", d.s.targets(phaseLook, row.seat), seatsOf(row.left, row.right))
			far := (row.seat + 3) % 6
			d.refuses(row.seat, Action{Kind: ActLook, Target: Target{Seat: far}}, fmt.Sprintf("got %d", far))
			d.refuses(row.seat, Action{Kind: ActLook, Target: Target{Seat: row.seat}}, "at: want one of the seats")
			d.refuses(row.seat, Action{Kind: ActLook, Target: Target{Seat: -1}}, "at: want one of the seats 0 to 5, got -1")
			d.look(row.left)
			d.want("events", d.kinds, "[card seenrole]")
			d.want("1.3 information: the looker alone hears", d.heard(), []game.Seats{seatsOf(row.seat)})
			d.want("known", d.me(row.seat).Known, map[game.Seat]string{row.left: d.s.role(row.left)})
			d.want("the one looked at learns nothing", len(d.me(row.left).Known), 0)
			d.want("1.5 plays", d.plays(), fmt.Sprintf("overheard_conversation %d %d nothing; ", row.seat, row.left))
			d.want("the discard", Rules{}.View(&d.s, 2).Discard, "[overheard_conversation]")
		})
	}
	t.Run("a mole learns of an agent beside the moles it knows", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{Overheard}, 5, 0, 2, 4)
		d.give(Overheard, 2)
		d.look(1)
		d.want("known", d.me(2).Known, "map[1:agent 4:mole]")
	})
}

func TestEstablishConfidence(t *testing.T) {
	d := openDeck(t, Config{}, []Card{EstablishConfidence, EstablishConfidence}, 5, 1, 1, 2)
	d.give(EstablishConfidence, 3)
	d.want("1.3 establish confidence and 1.5-6: the leader is due", Rules{}.Due(&d.s), seatsOf(1))
	d.want("1.4-11 any other seat, the receiver too", d.s.targets(phaseShow, 1), seatsOf(0, 2, 3, 4))
	d.refuses(1, Action{Kind: ActShow, Target: Target{Seat: 1}}, "to: want one of the seats [0,2,3,4], got 1")
	d.refuses(1, Action{Kind: ActShow, Target: Target{Seat: 7}}, "to: want one of the seats 0 to 4, got 7")
	d.show(3)
	d.want("1.3 information: who is shown the card alone hears", d.heard(), []game.Seats{seatsOf(3)})
	d.want("he knows the leader", d.me(3).Known, "map[1:mole]")
	d.want("the leader learns nothing new", d.me(1).Known, "map[2:mole]")
	d.want("by is who showed", d.plays(), "establish_confidence 1 3 nothing; ")
	d.nextRound()
	d.want("the leader of round 2", d.s.Leader, 2)
	d.give(EstablishConfidence, 0)
	d.show(1)
	d.want("1.4-11 showing it to who knows already is legal", d.me(1).Known, "map[2:mole]")
}

func TestOpenUp(t *testing.T) {
	d := openDeck(t, Config{}, []Card{OpenUp}, 5, 1, 0, 2)
	d.give(OpenUp, 4)
	d.want("the receiver is due", Rules{}.Due(&d.s), seatsOf(4))
	d.want("1.3 open up: any other seat, the leader too", d.s.targets(phaseShow, 4), seatsOf(0, 1, 2, 3))
	d.refuses(4, Action{Kind: ActShow, Target: Target{Seat: 4}}, "to: want one of the seats [0,1,2,3], got 4")
	d.show(1)
	d.want("the leader knows", d.me(1).Known, "map[4:agent]")
	d.want("the receiver learns nothing", d.me(4).Known, "map[]")
	d.want("spectators see who, not what", d.plays(), "open_up 4 1 nothing; ")
}

func TestTakeResponsibility(t *testing.T) {
	t.Run("1.5-7 no card anywhere: discarded without a step", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{TakeResponsibility, CloseEye}, 7, 0, 1, 2, 3)
		d.give(TakeResponsibility, 4)
		d.want("1.5-7 cards drawn do not count: the leader gives on", d.s.Phase, phaseGive)
		d.want("events", d.kinds, "[give card]")
		d.want("1.4-10 discarded without effect", d.plays(), "take_responsibility 4 -1 nothing; ")
		d.want("at is null", Rules{}.View(&d.s, 0).Plays[0].At == nil, true)
	})
	t.Run("1.5-7 the taker's own cards do not count", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{CloseEye, TakeResponsibility}, 7, 0, 1, 2, 3)
		d.give(CloseEye, 4)
		d.give(TakeResponsibility, 4)
		d.want("phase", d.s.Phase, phaseTeam)
		d.want("he keeps his card", d.hand(4), "[close_eye]")
	})
	t.Run("1.3 take responsibility and 1.4-10: any card of any other seat, the leader included", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{CloseEye, CloseEye, OpinionMaker, TakeResponsibility}, 7, 0, 1, 2, 3)
		d.give(CloseEye, 1)
		d.give(CloseEye, 1)
		d.nextRound() // seat 1 leads
		d.give(OpinionMaker, 5)
		d.give(TakeResponsibility, 4)
		d.want("the receiver is due", Rules{}.Due(&d.s), seatsOf(4))
		d.want("1.5-7 two equal cards are one action", d.offer(4),
			`{"list":[{"type":"take","from":1,"card":"close_eye"},{"type":"take","from":5,"card":"opinion_maker"}]}`)
		d.refuses(4, Action{Kind: ActTake, Target: Target{Spotlight, 1}}, "card: seat 1 does not hold spotlight")
		d.refuses(4, Action{Kind: ActTake, Target: Target{NoCard, 1}}, "card: seat 1 does not hold nothing")
		d.refuses(4, Action{Kind: ActTake, Target: Target{CloseEye, 2}}, "from: want one of the seats [1,5], got 2")
		d.refuses(4, Action{Kind: ActTake, Target: Target{CloseEye, 4}}, "from: want one of the seats [1,5], got 4")
		d.take(1, CloseEye)
		d.want("taken", fmt.Sprint(d.hand(1), d.hand(4)), "[close_eye] [close_eye]")
		d.want("plays tell what", d.plays(), "take_responsibility 4 1 close_eye; ")
		d.want("the card event tells what", d.notes[0].Event.(cardEvent).Taken, "close_eye")
		d.want("the taken card is not discarded", Rules{}.View(&d.s, 0).Discard, "[take_responsibility]")
	})
	t.Run("1.4-10 a taken Opinion Maker keeps working for the new owner", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{OpinionMaker, TakeResponsibility}, 7, 0, 1, 2, 3)
		d.give(OpinionMaker, 5)
		d.give(TakeResponsibility, 4)
		d.want("1.5-11 the only card is asked for too", d.offer(4), `{"list":[{"type":"take","from":5,"card":"opinion_maker"}]}`)
		d.take(5, OpinionMaker)
		d.team(0, 0, 1)
		d.want("first to vote", Rules{}.Due(&d.s), seatsOf(4))
	})
	t.Run("a card can be taken twice", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{OpinionMaker, TakeResponsibility, TakeResponsibility}, 9, 0, 1, 2, 3)
		d.give(OpinionMaker, 5)
		d.give(TakeResponsibility, 4)
		d.take(5, OpinionMaker)
		d.give(TakeResponsibility, 5)
		d.take(4, OpinionMaker)
		d.want("back again", d.hand(5), "[opinion_maker]")
	})
	t.Run("1.5-7 a taken Strong Leader counts as given: it waits for the next window", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{StrongLeader, NoConfidence, TakeResponsibility}, 7, 0, 1, 2, 3)
		d.give(StrongLeader, 3)
		d.give(NoConfidence, 6)
		d.nextRound()
		d.want("the holder is asked", Rules{}.Due(&d.s), seatsOf(3))
		d.play(3, false)
		d.give(TakeResponsibility, 4)
		d.take(3, StrongLeader)
		d.on(phaseTeam)
		d.want("no window in this round", d.s.Round, 2)
		d.nextRound()
		d.want("but in the next", fmt.Sprint(d.s.Phase, Rules{}.Due(&d.s)), fmt.Sprint(phaseStrongLeader, seatsOf(4)))
	})
}

func TestOpinionMaker(t *testing.T) {
	t.Run("1.3 opinion maker: votes first and openly", func(t *testing.T) {
		d := openDeck(t, Config{VoteTalkRounds: 1}, []Card{OpinionMaker}, 5, 0, 1, 2)
		d.give(OpinionMaker, 3)
		d.team(0, 0, 1)
		d.want("talk comes before", d.s.Phase, phaseVoteTalk)
		d.talk()
		d.want("phase", d.s.Phase, phaseVoteOpen)
		d.want("due", Rules{}.Due(&d.s), seatsOf(3))
		d.vote()
		d.want("events", d.kinds, "[openvote]")
		d.want("1.5-8 shown before the rest vote", Rules{}.View(&d.s, 4).OpenVotes, "map[3:false]")
		d.want("the others at once", Rules{}.Due(&d.s), seatsOf(0, 1, 2, 4))
		d.refuses(0, Action{Kind: ActTalk}, "phase vote asks for vote")
		d.vote(0, 1, 2)
		vote := Rules{}.View(&d.s, 0).Votes[0]
		d.want("all votes count", vote.Approve, "[true true true false false]")
		d.want("open votes are over", len(Rules{}.View(&d.s, 0).OpenVotes), 0)
		d.want("approved by three of five", vote.Approved, true)
		d.nextRound()
		d.on(phaseVoteOpen)
		d.want("it stays to the end", Rules{}.Due(&d.s), seatsOf(3))
		d.want("1.5 plays never hold it", d.plays(), "establish_confidence 1 0 nothing; ")
	})
	t.Run("1.4-12 two reveal at once", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{OpinionMaker, OpinionMaker}, 7, 0, 1, 2, 3)
		d.give(OpinionMaker, 3)
		d.give(OpinionMaker, 5)
		d.team(0, 0, 1)
		d.want("due", Rules{}.Due(&d.s), seatsOf(3, 5))
		d.vote(5)
		d.want("shown", Rules{}.View(&d.s, game.Spectator).OpenVotes, "map[3:false 5:true]")
	})
	t.Run("1.5-8 one seat with two votes once", func(t *testing.T) {
		d := openDeck(t, Config{}, []Card{OpinionMaker, OpinionMaker}, 7, 0, 1, 2, 3)
		d.give(OpinionMaker, 3)
		d.give(OpinionMaker, 3)
		d.team(0, 0, 1)
		d.want("due", Rules{}.Due(&d.s), seatsOf(3))
		d.vote(3)
		d.want("the others", Rules{}.Due(&d.s), seatsOf(0, 1, 2, 4, 5, 6))
	})
	t.Run("1.5-8 if every seat holds one there is no second step", func(t *testing.T) {
		opinions := slices.Repeat([]Card{OpinionMaker}, 9)
		d := openDeck(t, Config{}, opinions, 9, 0, 1, 2, 3)
		for _, to := range []game.Seat{1, 2, 3} {
			d.give(OpinionMaker, to)
		}
		d.nextRound()
		for _, to := range []game.Seat{4, 5, 6} {
			d.give(OpinionMaker, to)
		}
		d.nextRound()
		for _, to := range []game.Seat{7, 8, 0} {
			d.give(OpinionMaker, to)
		}
		d.team(0, 0, 1, 2, 3)
		d.want("all at once and openly", Rules{}.Due(&d.s), d.s.seats())
		d.vote(0, 1, 2, 3, 4)
		d.want("events", d.kinds, "[openvote vote]")
		d.want("then the mission", d.s.Phase, phaseMission)
	})
}

// Bots on the typed path can name what is no card: it is refused.
func TestNoCardIsTakenThatIsNone(t *testing.T) {
	d := openDeck(t, Config{}, []Card{NoConfidence, TakeResponsibility}, 7, 0, 1, 2, 3)
	d.give(NoConfidence, 4)
	d.give(TakeResponsibility, 3)
	for card, words := range map[Card]string{
		NoCard: "card: seat 4 does not hold nothing", cardEnd: "card: seat 4 does not hold nothing", 99: "card: seat 4 does not hold nothing",
		Spotlight: "card: seat 4 does not hold spotlight",
	} {
		d.refuses(3, Action{Kind: ActTake, Target: Target{Card: card, Seat: 4}}, words)
	}
	d.take(4, NoConfidence)
	d.want("the card", d.hand(3), []string{"no_confidence"})
}
