package demol

import (
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
)

// Measures of the drawing, in SVG user units.
const (
	drawWidth   = 760
	drawMargin  = 20
	missionTop  = 62
	missionSize = 128
	seatTop     = 262
	seatHeight  = 74
	cardRow     = 15 // a kind of plot card in a seat
	playRow     = 16
	playColumns = 2
	voteRow     = 19
	voteFirst   = 250 // where the votes of seat 0 stand
)

// style is the whole look: ink on paper, blue and red, and a pattern for each so that colour is not needed.
const style = `.demol text{font-family:"DejaVu Sans",Verdana,Arial,sans-serif;font-size:13px;fill:#1c1c1c;paint-order:stroke;` +
	`stroke:#fff;stroke-width:2.5px;stroke-opacity:.75}.demol .h{font-size:19px;font-weight:bold}.demol .b{font-weight:bold}` +
	`.demol .s{font-size:11px;fill:#444}.demol .m{text-anchor:middle}.demol .box{fill:#fff;stroke:#555;stroke-width:1.5}` +
	`.demol .now{stroke:#1c1c1c;stroke-width:4}.demol .line{stroke:#bbb}`

const patterns = `<pattern id="demol-good" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" ` +
	`fill="#d6e6f7"/><circle cx="4" cy="4" r="1.2" fill="#8fb4dc"/></pattern><pattern id="demol-bad" width="8" height="8" ` +
	`patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="#f8dcd8"/><path d="M0 8L8 0" stroke="#dd9a92" ` +
	`stroke-width="1.5"/></pattern>`

// The fills of what is good and bad for the agents.
const (
	fillGood = ` style="fill:url(#demol-good)"`
	fillBad  = ` style="fill:url(#demol-bad)"`
)

// drawing collects the SVG.
type drawing struct {
	svg.Document
	v       View
	rows    int // kinds of plot cards before one seat, at most
	voteTop int
}

// shortCards are the held cards as they fit into a seat.
var shortCards = map[string]string{
	OpinionMaker.String(): "opinion", NoConfidence.String(): "no conf.", CloseEye.String(): "close eye", StrongLeader.String(): "strong l.",
	Spotlight.String(): "spotlight",
}

// layOut finds the heights that depend on the plot cards.
func (d *drawing) layOut() int {
	d.voteTop = seatTop + seatHeight + 44
	if d.v.plotted() {
		for i := range d.v.Seats {
			d.rows = max(d.rows, len(d.hand(i)))
		}
		d.rows++ // what the seat shows openly now
		d.voteTop += d.rows*cardRow + 52 + (len(d.v.Plays)+playColumns-1)/playColumns*playRow
	}
	return d.voteTop + 34 + max(1, len(d.v.Votes))*voteRow
}

// hand is the cards before seat i, several of a kind together.
func (d *drawing) hand(i int) []string {
	var out []string
	for card := Overheard; card < cardEnd; card++ {
		n := 0
		for _, held := range d.v.Seats[i].Cards {
			if held == card.String() {
				n++
			}
		}
		switch word := shortCards[card.String()]; n {
		case 0:
		case 1:
			out = append(out, word)
		default:
			out = append(out, fmt.Sprintf("%d %s", n, word))
		}
	}
	return out
}

// Draw is the view as an SVG: the missions, the seats with the roles known, and the votes.
func (Rules) Draw(v View, names []string) []byte {
	d := &drawing{v: v}
	height := d.layOut()
	who := "a spectator"
	if v.Me != nil {
		who = fmt.Sprintf("seat %d", v.Me.Seat)
	}
	d.Begin(svg.Head{
		ID:     "demol",
		Width:  drawWidth,
		Height: height,
		Title:  "De Mol as " + who + " sees it",
		Desc:   Rules{}.Describe(v),
		Style:  style,
		Defs:   patterns,
	})
	d.Text(drawMargin, 30, "h", headline(v))
	d.Text(drawMargin, 50, "s", "Seen by "+who+". "+status(v))
	for i := range v.Missions {
		d.mission(i)
	}
	for i := range v.Seats {
		d.seat(i)
	}
	d.cards()
	d.votes()
	return d.End()
}

// mission draws field i: its number, size and fails needed, and once played the result, the fails and the team.
func (d *drawing) mission(i int) {
	m := d.v.Missions[i]
	step := (drawWidth - 2*drawMargin + 20) / missions
	x := drawMargin + i*step
	mid := x + missionSize/2
	class, fill := "box", ""
	if d.v.Mission != nil && int(*d.v.Mission) == i+1 && m.Result == nil {
		class = "box now"
	}
	if m.Result != nil {
		fill = fillGood
		if *m.Result == "fail" {
			fill = fillBad
		}
	}
	d.Put(`<rect x="%d" y="%d" width="%d" height="%d" rx="10" class="%s"%s/>`, x, missionTop, missionSize, missionSize, class, fill)
	d.Text(mid, missionTop+22, "b m", fmt.Sprintf("Mission %d", i+1))
	d.Text(mid, missionTop+41, "s m", fmt.Sprintf("%d seats, %s", m.Size, plural(m.FailsNeeded, "fail")+" spoil"+map[bool]string{true: "s"}[m.FailsNeeded == 1]))
	switch {
	case m.Result != nil:
		d.Text(mid, missionTop+72, "h m", map[string]string{"success": "✓ success", "fail": "✗ fail"}[*m.Result])
		d.Text(mid, missionTop+90, "m", plural(*m.Fails, "fail")+" played")
		if len(m.Open) > 0 {
			d.Text(mid, missionTop+105, "s m", "openly "+d.v.said(m.Open, "✓", "✗"))
		}
		d.Text(mid, missionTop+121, "b m", "team "+list(m.Team))
	case class != "box":
		d.Text(mid, missionTop+78, "b m", "now")
		if d.v.Team != nil {
			d.Text(mid, missionTop+114, "b m", "team "+list(*d.v.Team))
		}
	}
}

// seat draws seat i: its number, leader, on the team, due, and the role the viewer knows.
func (d *drawing) seat(i int) {
	seat := game.Seat(i)
	step := (drawWidth - 2*drawMargin + 8) / len(d.v.Seats)
	x, width := drawMargin+i*step, step-8
	mid := x + width/2
	role := d.v.roleOf(seat)
	class, fill := "box", ""
	if d.v.Due.Has(seat) {
		class = "box now"
	}
	switch role {
	case agent:
		fill = fillGood
	case mole:
		fill = fillBad
	}
	d.Put(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" class="%s"%s/>`, x, seatTop, width, seatHeight+d.rows*cardRow, class, fill)
	name := fmt.Sprintf("Seat %d", i)
	if seat == d.v.Leader {
		d.Text(mid, seatTop-24, "b m", "leader")
		d.Put(`<path d="M%d %dl7 10h-14z" fill="#1c1c1c" transform="rotate(180 %d %d)"/>`, mid, seatTop-18, mid, seatTop-13)
	}
	d.Text(mid, seatTop+21, "b m", name)
	d.Text(mid, seatTop+41, "m", map[string]string{agent: "A agent", mole: "M mole", "": "?"}[role])
	mark := ""
	if d.v.Team != nil && d.v.Team.Has(seat) {
		mark = "team"
	}
	if d.v.Me != nil && d.v.Me.Seat == seat {
		mark = strings.TrimPrefix(mark+" · you", " · ")
	}
	d.Text(mid, seatTop+61, "s m", mark)
	if d.rows > 0 {
		d.Text(mid, seatTop+61+cardRow, "b m", d.openly(seat))
		for row, words := range d.hand(i) {
			d.Text(mid, seatTop+61+(row+2)*cardRow, "s m", words)
		}
	}
}

// openly is what a seat shows now: its open vote, its open mission card, or that it will play openly.
func (d *drawing) openly(seat game.Seat) string {
	if yes, ok := d.v.OpenVotes[seat]; ok {
		return map[bool]string{true: "vote Y", false: "vote n"}[yes]
	}
	if success, ok := d.v.OpenMission[seat]; ok {
		return map[bool]string{true: "✓ open", false: "✗ open"}[success]
	}
	if d.v.Spotlit.Has(seat) {
		return "☼ open"
	}
	return ""
}

// cards draws what lies open of the plot deck, and below it the cards used, with what the viewer alone has seen.
func (d *drawing) cards() {
	if !d.v.plotted() {
		return
	}
	y := seatTop + seatHeight + d.rows*cardRow + 28
	drawn := "none"
	if len(d.v.Drawn) > 0 {
		drawn = strings.Join(d.v.Drawn, ", ")
	}
	d.Text(drawMargin, y, "b", "Plot cards")
	d.Text(drawMargin+90, y, "", fmt.Sprintf("%d left in the deck; drawn, to be given: %s", d.v.Deck, drawn))
	d.Text(drawMargin, y+18, "s", d.secrets())
	for i, p := range d.v.Plays {
		at := y + 36 + i/playColumns*playRow
		x := drawMargin + i%playColumns*(drawWidth/playColumns-drawMargin)
		d.Text(x, at, "s", fmt.Sprintf("%d.%d  %s", p.Round, p.Attempt, p.words()))
	}
}

// secrets is the mission cards that the viewer alone has looked at.
func (d *drawing) secrets() string {
	used := "Used so far:"
	if len(d.v.Plays) == 0 {
		used = "None used so far."
	}
	if d.v.Me == nil || len(d.v.Me.Peeks) == 0 {
		return used
	}
	seen := make([]string, len(d.v.Me.Peeks))
	for i, p := range d.v.Me.Peeks {
		seen[i] = fmt.Sprintf("seat %d %s (mission %d)", p.At, map[bool]string{true: "✓", false: "✗"}[p.Success], p.Mission)
	}
	return "You looked at " + strings.Join(seen, ", ") + ". " + used
}

// votes draws the table of votes: Y for approve, n for reject.
func (d *drawing) votes() {
	n := len(d.v.Seats)
	column := func(i int) int { return voteFirst + i*36 }
	d.Text(drawMargin, d.voteTop, "b", "Votes")
	d.Text(drawMargin+60, d.voteTop, "s", "Y approves, n rejects; the leader's vote is boxed. Above, a bold border marks who decides now.")
	d.Text(drawMargin, d.voteTop+20, "s", "round.try mission")
	d.Text(drawMargin+118, d.voteTop+20, "s", "team")
	for i := range n {
		d.Text(column(i), d.voteTop+20, "b m", fmt.Sprint(i))
	}
	if len(d.v.Votes) == 0 {
		d.Text(drawMargin, d.voteTop+20+voteRow, "s", "none yet")
	}
	for row, vote := range d.v.Votes {
		y := d.voteTop + 20 + (row+1)*voteRow
		d.Put(`<path d="M%d %dH%d" class="line"/>`, drawMargin, y-14, drawWidth-drawMargin)
		d.Text(drawMargin, y, "", fmt.Sprintf("%d.%d  mission %d", vote.Round, vote.Attempt, vote.Mission))
		d.Text(drawMargin+118, y, "", list(vote.Team))
		for i, yes := range vote.Approve {
			if game.Seat(i) == vote.Leader {
				d.Put(`<rect x="%d" y="%d" width="22" height="16" rx="3" fill="none" stroke="#1c1c1c"/>`, column(i)-11, y-13)
			}
			d.Text(column(i), y, map[bool]string{true: "b m", false: "s m"}[yes], map[bool]string{true: "Y", false: "n"}[yes])
		}
		outcome := map[bool]string{true: "goes", false: "rejected"}[vote.Approved]
		if vote.NoConfidence != nil {
			outcome = fmt.Sprintf("stopped by %d", *vote.NoConfidence)
		}
		d.Text(column(n)-6, y, map[bool]string{true: "b", false: ""}[outcome == "goes"], outcome)
	}
}

// roleOf is the role of a seat as far as the view tells, else empty.
func (v *View) roleOf(seat game.Seat) string {
	switch {
	case int(seat) < len(v.Roles):
		return v.Roles[seat]
	case v.Me == nil:
		return ""
	case v.Me.Seat == seat:
		return v.Me.Role
	}
	return v.Me.Known[seat]
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// list is seats in words: 0 1 4.
func list(m game.Seats) string {
	words := make([]string, 0, m.Len())
	for seat := range m.Each() {
		words = append(words, fmt.Sprint(seat))
	}
	return strings.Join(words, " ")
}
