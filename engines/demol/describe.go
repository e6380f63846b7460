package demol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// headline returns where the match stands in one line.
func headline(v View) string {
	successes, fails := 0, 0
	for _, m := range v.Missions {
		if m.Result != nil && *m.Result == "success" {
			successes++
		} else if m.Result != nil {
			fails++
		}
	}
	score := fmt.Sprintf("agents %d, moles %d", successes, fails)
	switch {
	case v.Phase != phaseOver.String():
		return fmt.Sprintf("De Mol, round %d, attempt %d: %s", v.Round, v.Attempt, score)
	case successes == scoreToWin:
		return "De Mol, over: the agents win by three successes"
	case fails == scoreToWin:
		return "De Mol, over: the moles win by three fails"
	}
	return "De Mol, over: the moles win by five rejections"
}

// status returns what is being decided and by whom.
func status(v View) string {
	switch v.Phase {
	case phaseTalk.String(), phaseVoteTalk.String():
		return fmt.Sprintf("All talk; rounds of talk left: %d.", v.TalkLeft)
	case phaseTeam.String():
		if v.Mission == nil {
			return fmt.Sprintf("Seat %d {proposes} a mission and a team.", v.Leader)
		}
		return fmt.Sprintf("Seat %d {proposes} a team of %d for mission %d.", v.Leader, v.Missions[*v.Mission-1].Size, *v.Mission)
	case phaseVote.String():
		if len(v.OpenVotes) > 0 {
			return "The others vote on the team."
		}
		return "All vote on the team."
	case phaseMission.String():
		if len(v.OpenMission) > 0 {
			return "The others on the team play their mission cards."
		}
		return "The team is on the mission."
	case phaseOver.String():
		return "The match is over."
	}
	return plotStatus(v)
}

// plotStatus returns the status in the phases of the plot cards.
func plotStatus(v View) string {
	due := game.Capitalize(v.Due.Words())
	words := map[string]string{
		"strong_leader": "%s may play Strong Leader and lead.", "give": "%s {gives} away a plot card.",
		"look": "%s {looks} at the role card of a neighbour.", "show": "%s {shows} {its} role card to another seat.",
		"take": "%s {takes} a plot card from another seat.", "vote_open": "%s: the opinion makers vote first and openly.",
		"no_confidence": "%s may stop the team with No Confidence.", "spotlight": "%s may put a team member in the Spotlight.",
		"mission_open": "%s: the spotlit play first and openly.", "close_eye": "%s may look at a mission card with Close Eye.",
	}[v.Phase]
	return strings.Replace(words, "%s", due, 1)
}

// roleWords are the roles in a sentence.
var roleWords = map[string]string{agent: "an agent", mole: "a mole"}

// Describe puts the view into words, one fact a line.
func (Rules) Describe(v View) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s.", headline(v))
	say("%s", game.ReadBy(status(v), game.Spectator, game.Spectator))
	if v.Me != nil {
		say("You are seat %d of the seats 0 to %d, and you are %s.", v.Me.Seat, len(v.Seats)-1, roleWords[v.Me.Role])
		for i := range v.Seats {
			if role, ok := v.Me.Known[v.Seats[i].Seat]; ok {
				say("You know: seat %d is %s.", i, roleWords[role])
			}
		}
	}
	if v.Phase != phaseOver.String() {
		say("Leader: seat %d. Due: %s.", v.Leader, list(v.Due))
	}
	if v.Team != nil && v.Mission != nil {
		say("Proposed for mission %d: seats %s.", *v.Mission, list(*v.Team))
	}
	describeMissions(&v, say)
	describeVotes(&v, say)
	describeCards(&v, say)
	if v.Me != nil {
		for _, card := range v.Me.Played {
			say("You played %s on mission %d.", resultWord(!card.Success), card.Mission)
		}
		for _, card := range v.Me.Peeks {
			say("You saw that seat %d played %s on mission %d.", card.At, resultWord(!card.Success), card.Mission)
		}
	}
	for i, role := range v.Roles {
		say("Seat %d was %s.", i, roleWords[role])
	}
	if v.open != nil {
		describeOpened(&v, say)
	}
	return b.String()
}

// describeOpened says who knew what, and who failed.
func describeOpened(v *View, say func(string, ...any)) {
	for i, known := range v.open.known {
		for j := range v.Seats {
			if role, ok := known[game.Seat(j)]; ok {
				say("Seat %d knew that seat %d was %s.", i, j, roleWords[role])
			}
		}
	}
	for i, failed := range v.open.failed {
		if failed != 0 {
			say("On mission %d fail was played by %s.", i+1, failed.Words())
		}
	}
}

func describeMissions(v *View, say func(string, ...any)) {
	for i, m := range v.Missions {
		if m.Result == nil {
			say("Mission %d: open, a team of %d, spoilt by %s.", i+1, m.Size, game.Plural(m.FailsNeeded, "fail"))
			continue
		}
		openly := ""
		if len(m.Open) > 0 {
			openly = "; openly " + v.said(m.Open, "success", "fail")
		}
		say("Mission %d: %s, %s from seats %s%s.", i+1, *m.Result, game.Plural(*m.Fails, "fail"), list(m.Team), openly)
	}
}

func describeVotes(v *View, say func(string, ...any)) {
	for _, vote := range v.Votes {
		var yes []string
		for i, y := range vote.Approve {
			if y {
				yes = append(yes, fmt.Sprint(i))
			}
		}
		outcome := map[bool]string{true: "approved", false: "rejected"}[vote.Approved]
		if vote.NoConfidence != nil {
			outcome += fmt.Sprintf(", then stopped by seat %d", *vote.NoConfidence)
		}
		say("Vote %d.%d: seat %d proposed %s for mission %d; %d of %d approved (%s): %s.", vote.Round, vote.Attempt, vote.Leader,
			list(vote.Team), vote.Mission, len(yes), len(vote.Approve), strings.Join(yes, " "), outcome)
	}
	if len(v.OpenVotes) > 0 {
		say("Voted openly: %s.", v.said(v.OpenVotes, "approve", "reject"))
	}
}

// describeCards says what lies open of the plot deck.
func describeCards(v *View, say func(string, ...any)) {
	if !v.plotted() {
		return
	}
	say("Plot cards left in the deck: %d.", v.Deck)
	if len(v.Drawn) > 0 {
		say("Drawn, to be given: %s.", strings.Join(v.Drawn, ", "))
	}
	for _, seat := range v.Seats {
		if len(seat.Cards) > 0 {
			say("Seat %d holds %s.", seat.Seat, strings.Join(seat.Cards, ", "))
		}
	}
	for _, p := range v.Plays {
		say("Card %d.%d: %s.", p.Round, p.Attempt, p.words())
	}
	if v.Spotlit != 0 {
		say("In the spotlight: %s.", list(v.Spotlit))
	}
	if len(v.OpenMission) > 0 {
		say("Played openly: %s.", v.said(v.OpenMission, "success", "fail"))
	}
	if v.Passed != 0 {
		say("Asked no more in this round: %s.", list(v.Passed))
	}
}

// words returns the play in a few words: who, what card, at whom.
func (p *playView) words() string {
	out := fmt.Sprintf("seat %d, %s", p.By, p.Card)
	if p.At != nil {
		out += fmt.Sprintf(", at seat %d", *p.At)
	}
	if p.Taken != nil {
		out += ", took " + *p.Taken
	}
	return out
}

// said returns what seats said openly: 0 success, 3 fail.
func (v *View) said(open map[game.Seat]bool, yes, no string) string {
	var out []string
	for i := range v.Seats {
		if say, ok := open[game.Seat(i)]; ok {
			out = append(out, fmt.Sprintf("%d %s", i, map[bool]string{true: yes, false: no}[say]))
		}
	}
	return strings.Join(out, ", ")
}

// plotted reports whether plot cards are in play.
func (v *View) plotted() bool {
	held := slices.ContainsFunc(v.Seats, func(seat seatView) bool { return len(seat.Cards) > 0 })
	return held || v.Deck > 0 || len(v.Drawn) > 0 || len(v.Discard) > 0
}
