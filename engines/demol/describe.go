package demol

import (
	"fmt"
	"strings"
)

// headline is where the match stands in one line.
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
	case v.Phase != PhaseOver.String():
		return fmt.Sprintf("De Mol, round %d, attempt %d: %s", v.Round, v.Attempt, score)
	case successes == scoreToWin:
		return "De Mol, over: the agents win by three successes"
	case fails == scoreToWin:
		return "De Mol, over: the moles win by three fails"
	}
	return "De Mol, over: the moles win by five rejections"
}

// status is what is being decided and by whom.
func status(v View) string {
	switch v.Phase {
	case PhaseTalk.String(), PhaseVoteTalk.String():
		return fmt.Sprintf("All talk; rounds of talk left: %d.", v.TalkLeft)
	case PhaseTeam.String():
		if v.Mission == nil {
			return fmt.Sprintf("Seat %d proposes a mission and a team.", v.Leader)
		}
		return fmt.Sprintf("Seat %d proposes a team of %d for mission %d.", v.Leader, v.Missions[*v.Mission-1].Size, *v.Mission)
	case PhaseVote.String():
		return "All vote on the team."
	case PhaseMission.String():
		return "The team is on the mission."
	}
	return "The match is over."
}

// Describe tells the view in words, one fact a line.
func (Rules) Describe(v View) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s.", headline(v))
	say("%s", status(v))
	if v.Me != nil {
		say("You are seat %d of 0 to %d, and you are %s.", v.Me.Seat, len(v.Seats)-1, map[string]string{agent: "an agent", mole: "a mole"}[v.Me.Role])
		for i := range v.Seats {
			if role, ok := v.Me.Known[v.Seats[i].Seat]; ok {
				say("You know: seat %d is %s.", i, map[string]string{agent: "an agent", mole: "a mole"}[role])
			}
		}
	}
	if v.Phase != PhaseOver.String() {
		say("Leader: seat %d. Due: %s.", v.Leader, list(v.Due))
	}
	if v.Team != nil && v.Mission != nil {
		say("Proposed for mission %d: seats %s.", *v.Mission, list(*v.Team))
	}
	for i, m := range v.Missions {
		if m.Result == nil {
			say("Mission %d: open, a team of %d, spoilt by %s.", i+1, m.Size, plural(m.FailsNeeded, "fail"))
		} else {
			say("Mission %d: %s, %s from seats %s.", i+1, *m.Result, plural(*m.Fails, "fail"), list(m.Team))
		}
	}
	for _, vote := range v.Votes {
		var yes []string
		for i, y := range vote.Approve {
			if y {
				yes = append(yes, fmt.Sprint(i))
			}
		}
		say("Vote %d.%d: seat %d proposed %s for mission %d; %d of %d approved (%s): %s.", vote.Round, vote.Attempt, vote.Leader,
			list(vote.Team), vote.Mission, len(yes), len(vote.Approve), strings.Join(yes, " "),
			map[bool]string{true: "approved", false: "rejected"}[vote.Approved])
	}
	if v.Me != nil {
		for _, card := range v.Me.Played {
			say("You played %s on mission %d.", resultWord(!card.Success), card.Mission)
		}
	}
	for i, role := range v.Roles {
		say("Seat %d was %s.", i, map[string]string{agent: "an agent", mole: "a mole"}[role])
	}
	return b.String()
}
