package demol

import (
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Aid tells a person their role, and who was on which team, how everybody voted on it, and what came of it.
func (Rules) Aid(v View, seat game.Seat) game.Aid {
	if v.Me == nil {
		return game.Aid{}
	}
	out := game.Aid{You: "You are an agent: make three missions succeed, with no mole on the team."}
	if v.Me.Role == mole {
		out.You = "You are a mole: make three missions fail, without being found out."
	}
	known := map[string]game.Seats{}
	for other, role := range v.Me.Known {
		known[role] = known[role].With(other)
	}
	for _, role := range []string{mole, agent} {
		if known[role] != 0 {
			out.You += " " + game.Capitalize(verbs(known[role], "is "+roleWords[role], "are "+role+"s", 0, "", "")) + "."
		}
	}
	if v.Attempt == maxAttempts && v.Phase != phaseOver.String() {
		out.You += " " + lastTeam
	}
	if len(v.Votes) == 0 {
		return out
	}
	out.Head = []string{"team"}
	for i := range v.Seats {
		out.Head = append(out.Head, fmt.Sprintf("seat %d", i))
	}
	out.Head = append(out.Head, "came to")
	for i := range v.Votes {
		out.Rows = append(out.Rows, v.voteRow(&v.Votes[i]))
	}
	return out
}

// voteRow returns what each seat had to do with a team, whether it voted for it, and what came of it.
func (v *View) voteRow(x *VoteView) []string {
	row := []string{fmt.Sprintf("%d.%d", x.Round, x.Attempt)}
	for i, yes := range x.Approve {
		words := []string{map[bool]string{true: "yes", false: "no"}[yes]}
		if x.Team.Has(game.Seat(i)) {
			words = append([]string{"in,"}, words...)
		}
		if game.Seat(i) == x.Leader {
			words = append([]string{"led,"}, words...)
		}
		row = append(row, strings.Join(words, " "))
	}
	outcome := "rejected"
	switch m := v.Missions[x.Mission-1]; {
	case x.NoConfidence != nil:
		outcome = fmt.Sprintf("stopped by seat %d", *x.NoConfidence)
	case x.Approved && m.Result != nil:
		outcome = fmt.Sprintf("mission %d: %s, %s", x.Mission, *m.Result, game.Plural(*m.Fails, "fail"))
	case x.Approved:
		outcome = fmt.Sprintf("mission %d", x.Mission)
	}
	return append(row, outcome)
}

// labels are the words of offers for people.
var labels = map[string]string{"team": "send", "members": "who goes"}

// Label names words of offers for people.
func (Rules) Label(word string) string { return labels[word] }
