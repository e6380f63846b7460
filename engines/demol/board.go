package demol

import (
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
)

// Measures of the votes.
const (
	voteRow    = 24
	voteLeft   = 60
	voteColumn = 26
)

// heldCards are the plot cards that lie before seats.
var heldCards = [...]Card{OpinionMaker, NoConfidence, CloseEye, StrongLeader, Spotlight}

// plot draws the deck and what was drawn of it, the kinds of cards with those who hold them, and what the viewer saw.
func (d *drawing) plot() {
	drawn := ""
	if len(d.v.Drawn) > 0 {
		drawn = "; to be given: " + strings.ReplaceAll(strings.Join(d.v.Drawn, ", "), "_", " ")
	}
	d.Text(margin, plotTop+24, "", svg.Fit(fmt.Sprintf("Plot cards in the deck: %d%s", d.v.Deck, drawn), svg.Width, 20))
	for k, kind := range heldCards {
		x, y := margin+k%kindColumns*(kindWide+12), plotTop+40+k/kindColumns*(kindHigh+8)
		d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" class="plate"/>`, x, y, kindWide, kindHigh)
		d.Text(x+10, y+26, "b", game.Title(kind.String()))
		at := x + 26
		for i := range d.v.Seats {
			for _, held := range d.v.Seats[i].Cards {
				if held == kind.String() {
					d.Token(i, at, y+50, fmt.Sprint(i))
					at += 36
				}
			}
		}
	}
	d.peeks(margin+2*(kindWide+12), plotTop+40+kindHigh+8)
}

// peeks lists the mission cards that the viewer alone has looked at, the last ones if there are many.
func (d *drawing) peeks(x, y int) {
	if d.v.Me == nil || len(d.v.Me.Peeks) == 0 {
		return
	}
	d.Text(x, y+26, "b", "You saw")
	list := d.v.Me.Peeks
	var words []string
	for _, p := range list[max(0, len(list)-2):] {
		words = append(words, fmt.Sprintf("%d %s (%d)", p.At, resultWord(!p.Success), p.Mission))
	}
	d.Text(x, y+56, "s", svg.Fit(strings.Join(words, ", "), kindWide, 18))
}

// votes draws a column for each vote, a row for each seat: ticks and crosses, the team tinted, the leader framed, and below
// them how it ended.
func (d *drawing) votes(top int) {
	n := len(d.v.Seats)
	at := func(k, i int) (x, y int) { return voteLeft + k*voteColumn + voteColumn/2, top + 52 + i*voteRow }
	d.Text(margin, top+22, "b", "Votes")
	for i := range n {
		_, y := at(0, i)
		d.Raw(`<path d="M%d %dH%d" class="line"/>`, margin, y+voteRow/2, svg.Width-margin)
		d.Text(voteLeft-12, y+7, "s e", fmt.Sprint(i))
	}
	if _, y := at(0, n); len(d.v.Votes) > 0 {
		d.Text(voteLeft-12, y+11, "s e", "all")
	}
	var ticks, crosses strings.Builder
	for k, vote := range d.v.Votes {
		x, y := at(k, 0)
		if k == 0 || vote.Round != d.v.Votes[k-1].Round {
			d.Raw(`<path d="M%d %dV%d" class="line"/>`, x-voteColumn/2, top+28, y+n*voteRow)
			if x > 120 || k > 0 {
				d.Text(x, top+24, "s m", fmt.Sprint(vote.Round))
			}
		}
		for i, yes := range vote.Approve {
			x, y := at(k, i)
			if vote.Team.Has(game.Seat(i)) {
				d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" class="on-team"/>`, x-12, y-11, voteColumn-2, voteRow-2)
			}
			if game.Seat(i) == vote.Leader {
				d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="3" class="frame"/>`, x-12, y-11, voteColumn-2, voteRow-2)
			}
			small(&ticks, &crosses, yes, x, y)
		}
		x, y = at(k, n)
		small(&ticks, &crosses, vote.Approved && vote.NoConfidence == nil, x, y+4)
	}
	d.Raw(`<path d="%s" class="big fine ticks"/><path d="%s" class="big fine crosses"/>`, ticks.String(), crosses.String())
}

// small adds a tick or a cross to one of the paths that hold them all.
func small(ticks, crosses *strings.Builder, yes bool, x, y int) {
	if yes {
		fmt.Fprintf(ticks, "M%d %dl4 5l8 -11", x-6, y)
	} else {
		fmt.Fprintf(crosses, "M%d %dl10 10m0 -10l-10 10", x-5, y-5)
	}
}
