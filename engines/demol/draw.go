package demol

import (
	"fmt"
	"math"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
)

// Measures of the drawing, in SVG user units.
const (
	margin      = 16
	missionTop  = 84
	missionWide = 128
	missionHigh = 118
	tableX      = svg.Width / 2
	tableY      = 500
	plateHigh   = 64
	plotTop     = 744
	kindWide    = 221
	kindHigh    = 72
	kindColumns = 3
)

// style is the whole look: ink on paper, blue and red; a tick or a cross and words say all that they do.
const style = `
.felt{fill:#cfe0cd;stroke:#6f8f6b;stroke-width:3}
.good{fill:#d9e8fa;stroke:#2458a6;stroke-width:2}
.bad{fill:#fbdfda;stroke:#b3261e;stroke-width:2}
.yes{fill:#2458a6}
.no{fill:#b3261e}
.hidden{fill:#5b5248}
.token{stroke:#fff;stroke-width:2}
.sign{fill:none;stroke:#fff;stroke-width:4;stroke-linecap:round;stroke-linejoin:round}
.big{fill:none;stroke-width:6;stroke-linecap:round;stroke-linejoin:round}
.ticks{stroke:#2458a6}
.crosses{stroke:#b3261e}
.fine{stroke-width:3.5}
.line{stroke:#c9bfa9}
.on-team{fill:#e6dcc4}
.crown{fill:#e0a400;stroke:#5f4500;stroke-width:1.5}
.lit{fill:#ffd23f;stroke:#5f4500;stroke-width:2}
.frame{fill:none;stroke:#2a241c;stroke-width:2}
.knows{fill:none;stroke:#2458a6;stroke-width:3;stroke-dasharray:9 6}
.knows-mole{stroke:#b3261e}
.by{fill:#b3261e}`

const dark = `
.felt{fill:#24382a;stroke:#5c7a5f}
.good{fill:#1f3556;stroke:#8fb8ee}
.bad{fill:#56241f;stroke:#f0968c}
.ticks{stroke:#8fb8ee}
.crosses{stroke:#f0968c}
.line{stroke:#4a4338}
.on-team{fill:#453c2d}
.frame{stroke:#f3ecde}
.knows{stroke:#8fb8ee}
.knows-mole{stroke:#f0968c}
.by{fill:#f0968c}`

// Paths of a tick and a cross, relative to their middle.
const (
	tick  = "m-9 1l6 7l12 -15"
	cross = "m-8 -8l16 16m0 -16l-16 16"
)

// drawing collects the SVG.
type drawing struct {
	svg.Document
	v     View
	names []string
}

// Draw returns the view as an SVG: the missions, the seats round the table with the roles known, the team and its votes, the plot
// cards, and who voted how so far. Its height depends on the number of seats and on plot cards alone.
func (Rules) Draw(v View, names []string) []byte {
	d := &drawing{v: v, names: names}
	title := "De Mol as a spectator sees it"
	switch {
	case v.open != nil:
		title = "De Mol with all that was hidden"
	case v.Me != nil:
		title = fmt.Sprintf("De Mol as seat %d sees it", v.Me.Seat)
	}
	voteTop := plotTop
	if v.plotted() {
		voteTop += 48 + (len(heldCards)+kindColumns-1)/kindColumns*(kindHigh+8)
	}
	d.Begin(svg.Head{
		ID:     "demol",
		Height: voteTop + 74 + len(v.Seats)*voteRow,
		Title:  title,
		Desc:   Rules{}.Describe(v),
		Style:  style,
		Dark:   dark,
	})
	d.heading()
	for i := range v.Missions {
		d.mission(i)
	}
	d.attempts()
	d.table()
	if v.plotted() {
		d.plot()
	}
	d.votes(voteTop)
	return d.End()
}

// heading says where the match stands and what is due.
func (d *drawing) heading() {
	words := strings.TrimPrefix(headline(d.v), "De Mol, ")
	d.Raw(`<g data-turn="%d">`, d.turned().cards) // it has the score
	d.Text(margin, 36, "h", strings.ToUpper(words[:1])+words[1:])
	d.EndGroup()
	due := game.ReadBy(status(d.v), game.Seat(svg.Addressed(d.names)), game.Spectator)
	for seat := range d.v.Seats {
		if rest, of := strings.CutPrefix(due, fmt.Sprintf("Seat %d ", seat)); of {
			due = svg.Fit(svg.Name(d.names, seat), 230, 20) + " " + rest
		}
	}
	d.Text(margin, 68, "", svg.Fit(due, svg.Width, 20))
}

// mission draws field i: its number, size and fails needed; once played the result, the fails and the team.
func (d *drawing) mission(i int) {
	m := d.v.Missions[i]
	x := margin + i*(missionWide+12)
	mid := x + missionWide/2
	class := "plate"
	switch {
	case m.Result != nil && *m.Result == "fail":
		class = "bad"
	case m.Result != nil:
		class = "good"
	case d.v.Mission != nil && int(*d.v.Mission) == i+1:
		class = "plate due"
	}
	d.BeginTarget(fmt.Sprintf("mission %d", i+1))
	defer d.EndGroup()
	if t := d.turned(); t.mission == i+1 {
		d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="10" class="plate"/><g data-turn="%d">`, x, missionTop, missionWide, missionHigh, t.cards)
		defer d.EndGroup()
	}
	d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="10" class="%s"/>`, x, missionTop, missionWide, missionHigh, class)
	d.Text(mid, missionTop+27, "b m", fmt.Sprintf("Mission %d", i+1))
	switch {
	case m.Result == nil:
		d.Text(mid, missionTop+62, "m", fmt.Sprintf("team of %d", m.Size))
		if m.FailsNeeded > 1 {
			d.Text(mid, missionTop+98, "m", fmt.Sprintf("fails at %d", m.FailsNeeded))
		}
	default:
		path, look := tick, "ticks"
		if *m.Result == "fail" {
			path, look = cross, "crosses"
		}
		d.Raw(`<path d="M%d %d%s" class="big %s"/>`, x+28, missionTop+55, path, look)
		d.Text(x+46, missionTop+62, "", game.Plural(*m.Fails, "fail"))
		if d.v.open != nil && *m.Fails > 0 {
			d.Text(mid, missionTop+98, "s m by", "by "+list(d.v.open.failed[i]))
			return
		}
		d.Text(mid, missionTop+98, "m", list(m.Team))
	}
}

// turnedCards is the mission whose cards lie open on the table: from 1, or 0 while none do.
type turnedCards struct{ mission, cards, fails int }

// turned returns the mission that was played last, until the next team is proposed.
func (d *drawing) turned() turnedCards {
	n := len(d.v.Votes)
	if n == 0 || d.v.Team != nil {
		return turnedCards{}
	}
	last := d.v.Votes[n-1]
	m := d.v.Missions[last.Mission-1]
	if !last.Approved || last.NoConfidence != nil || m.Result == nil {
		return turnedCards{}
	}
	return turnedCards{int(last.Mission), m.Size, *m.Fails}
}

// cards draws the cards of the mission that was played last as they were turned: shuffled, shown with the successes first.
// data-turn is when a viewer turns what has it.
func (d *drawing) cards() {
	t := d.turned()
	for k := range t.cards {
		class, path := "yes", tick
		if k >= t.cards-t.fails {
			class, path = "no", cross
		}
		d.BeginPiece(fmt.Sprintf("turned-%d-%d", t.mission, k), tableX+17*(2*k-t.cards+1), tableY+59)
		const card = `<rect x="-14" y="-18" width="28" height="36" rx="4" class="%s token"/>`
		d.Raw(card+`<g data-turn="%d">`+card+`<path d="M0 0%s" class="sign"/>`, "hidden", k, class, path)
		d.EndGroup()
		d.EndGroup()
	}
}

// knowledge joins whoever has seen a role card to whose it is, in the colour of the role.
func (d *drawing) knowledge() {
	if d.v.open == nil {
		return
	}
	for i, known := range d.v.open.known {
		for j := range d.v.Seats {
			role, ok := known[game.Seat(j)]
			if !ok || j < i && d.v.open.known[j][game.Seat(i)] != "" { // one line for two who know each other
				continue
			}
			class := map[string]string{agent: "knows", mole: "knows knows-mole"}[role]
			_, _, x1, y1, _ := d.place(i)
			_, _, x2, y2, _ := d.place(j)
			d.Raw(`<path d="M%d %dL%d %d" class="%s"><title>seat %d knew that seat %d was %s</title></path>`, x1, y1, x2, y2, class, i, j, roleWords[role])
		}
	}
}

// attempts draws the five attempts of the round: the rejected ones crossed.
func (d *drawing) attempts() {
	y := missionTop + missionHigh + 32
	d.Text(svg.Width-margin-maxAttempts*40-8, y+7, "s e", "teams rejected in this round")
	for k := range maxAttempts {
		x := svg.Width - margin - (maxAttempts-k)*40 + 20
		class, path := "plate", ""
		switch rejected := int(d.v.Attempt) - 1; {
		case k < rejected || d.v.Phase == phaseOver.String() && d.lost():
			class, path = "no token", cross
		case k == rejected && d.v.Phase != phaseOver.String():
			class = "plate due"
		}
		d.Raw(`<circle cx="%d" cy="%d" r="15" class="%s"/>`, x, y, class)
		if path != "" {
			d.Raw(`<path d="M%d %d%s" class="sign"/>`, x, y, path)
		}
	}
}

// lost reports whether the last attempt that there is was rejected.
func (d *drawing) lost() bool {
	n := len(d.v.Votes)
	return n > 0 && !d.v.Votes[n-1].Approved && d.v.Votes[n-1].Attempt == maxAttempts
}

// place returns where seat i sits, x and y of its plate's middle; nearer the middle of the table, where its tokens lie, x and y; and
// how wide a plate is.
func (d *drawing) place(i int) (int, int, int, int, int) {
	n := len(d.v.Seats)
	wide := min(190, 240-9*n)
	angle := 2*math.Pi*float64(i)/float64(n) - math.Pi/2
	round := func(r int, f func(float64) float64) int { return int(math.Round(float64(r) * f(angle))) }
	x := tableX + round(svg.Width/2-8-wide/2, math.Cos)
	y := tableY + round(190, math.Sin)
	inX := tableX + round(116, math.Cos)
	inY := tableY + round(112, math.Sin)
	return x, y, inX, inY, wide
}

// table draws the table, who sits round it, the team and the votes.
func (d *drawing) table() {
	d.Raw(`<ellipse cx="%d" cy="%d" rx="238" ry="182" class="felt"/>`, tableX, tableY)
	d.knowledge()
	if d.v.Mission != nil && d.v.Phase != phaseOver.String() {
		d.Raw(`<rect x="%d" y="%d" width="136" height="66" rx="10" class="plate"/>`, tableX-68, tableY-33)
		d.Text(tableX, tableY-6, "b m", fmt.Sprintf("Mission %d", *d.v.Mission))
		d.Text(tableX, tableY+20, "m", fmt.Sprintf("team of %d", d.v.Missions[*d.v.Mission-1].Size))
	}
	for i := range d.v.Seats {
		d.seat(i)
	}
	for i := range d.v.Seats {
		d.tokens(i)
	}
	d.cards()
	if d.v.Phase != phaseOver.String() {
		x, y, _, _, wide := d.place(int(d.v.Leader))
		d.BeginPiece("leader", x+wide/2-20, y-18)
		d.Tooltip("leader")
		d.Raw(`<path d="M-13 9L-15 -9L-6 -1L0 -12L6 -1L15 -9L13 9z" class="crown"/>`)
		d.EndGroup()
	}
}

// seat draws the plate of seat i: number, role as far as known, name.
func (d *drawing) seat(i int) {
	x, y, _, _, wide := d.place(i)
	seat := game.Seat(i)
	role := d.v.roleOf(seat)
	class := map[string]string{agent: "good", mole: "bad", "": "plate"}[role]
	if d.v.Due.Has(seat) {
		class += " due"
	}
	d.BeginTarget(fmt.Sprint(i))
	d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="10" class="%s"/>`, x-wide/2, y-plateHigh/2, wide, plateHigh, class)
	d.Token(i, x-wide/2+21, y-12, fmt.Sprint(i))
	if role != "" {
		d.Text(x-wide/2+44, y-5, "", role)
	}
	name := svg.Name(d.names, i)
	if d.v.Me != nil && d.v.Me.Seat == seat && i != svg.Addressed(d.names) {
		name = "you: " + name
	}
	d.Text(x, y+24, "b m", svg.Fit(name, wide-12, 20))
	d.EndGroup()
}

// tokens draws what lies before seat i: a pawn if it is on the team, its vote, its open mission card, the spotlight.
func (d *drawing) tokens(i int) {
	_, _, x, y, _ := d.place(i)
	seat := game.Seat(i)
	if d.v.Team != nil && d.v.Team.Has(seat) {
		d.BeginPiece(fmt.Sprintf("team-%d", i), x-18, y)
		d.Tooltip("on the team")
		if d.v.Spotlit.Has(seat) {
			d.Raw(`<circle r="21" class="lit"/>`)
		}
		d.Raw(`<path d="M-12 15Q-11 2 -5 -2A8 8 0 1 1 5 -2Q11 2 12 15z" class="hidden token"/>`)
		d.EndGroup()
	}
	if success, ok := d.v.OpenMission[seat]; ok {
		d.token(fmt.Sprintf("card-%d", i), x+18, y, success, `<rect x="-14" y="-18" width="28" height="36" rx="4" class="%s token"/>`)
		return
	}
	if d.v.Team != nil {
		x += 18
	}
	yes, known := d.vote(seat)
	switch {
	case known:
		d.token(fmt.Sprintf("vote-%d", i), x, y, yes, `<circle r="16" class="%s token"/>`)
	case d.v.Phase == phaseVote.String():
		d.BeginPiece(fmt.Sprintf("vote-%d", i), x, y)
		d.Raw(`<circle r="16" class="hidden token"/><circle r="8" class="ring"/>`)
		d.EndGroup()
	}
}

// token draws a vote or a card that lies open.
func (d *drawing) token(id string, x, y int, yes bool, shape string) {
	class, path := "no", cross
	if yes {
		class, path = "yes", tick
	}
	d.BeginPiece(id, x, y)
	d.Raw(shape, class)
	d.Raw(`<path d="M0 0%s" class="sign"/>`, path)
	d.EndGroup()
}

// vote returns how a seat voted, if that is known, on the team that lies on the table, or on the last one while none does; all turn at once.
func (d *drawing) vote(seat game.Seat) (bool, bool) {
	if yes, ok := d.v.OpenVotes[seat]; ok {
		return yes, true
	}
	n := len(d.v.Votes)
	if n == 0 {
		return false, false
	}
	last := d.v.Votes[n-1]
	if d.v.Team != nil && (last.Round != d.v.Round || last.Attempt != d.v.Attempt) {
		return false, false
	}
	return last.Approve[seat], true
}

// roleOf returns the role of a seat as far as the view tells, else empty.
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

// list puts seats into words: 0 1 4.
func list(m game.Seats) string {
	words := make([]string, 0, m.Len())
	for seat := range m.Each() {
		words = append(words, fmt.Sprint(seat))
	}
	return strings.Join(words, " ")
}
