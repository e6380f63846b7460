package demol

import (
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// split parts seats into those that say yes and those that say no.
func split(open map[game.Seat]bool) (yes, no game.Seats) {
	for seat, say := range open {
		if say {
			yes = yes.With(seat)
		} else {
			no = no.With(seat)
		}
	}
	return yes, no
}

// verbs says what some seats and some others do, and leaves out whom there are none of: "seat 1 approves, seats 2 and 3 reject".
func verbs(yes game.Seats, one, many string, no game.Seats, noOne, noMany string) string {
	var out []string
	for _, x := range []struct {
		seats     game.Seats
		one, many string
	}{{yes, one, many}, {no, noOne, noMany}} {
		switch x.seats.Len() {
		case 0:
		case 1:
			out = append(out, x.seats.Words()+" "+x.one)
		default:
			out = append(out, x.seats.Words()+" "+x.many)
		}
	}
	return strings.Join(out, ", ")
}

// Words says who leads first.
func (e dealEvent) Words() string {
	return fmt.Sprintf("The roles are dealt; seat %d {is} the first leader.", e.Leader)
}

// Words tells a seat its role and whom it knows.
func (e roleEvent) Words() string {
	known := map[string]game.Seats{}
	for seat, role := range e.Known {
		known[role] = known[role].With(seat)
	}
	out := "You are " + roleWords[e.Role]
	for _, role := range []string{agent, mole} {
		if known[role] != 0 {
			out += fmt.Sprintf("; %s", verbs(known[role], "is "+roleWords[role], "are "+role+"s", 0, "", ""))
		}
	}
	return out + "."
}

// Words says what the leader draws.
func (e drawEvent) Words() string {
	return fmt.Sprintf("Leader %d {draws} %s.", e.Leader, game.Titles(e.Cards))
}

// Words says who is given what.
func (e giveEvent) Words() string {
	return fmt.Sprintf("Leader %d {gives} %s to seat %d.", e.Leader, game.Title(e.Card), e.To)
}

// Words says who uses a card for what.
func (e cardEvent) Words() string {
	who, at := fmt.Sprintf("%s: seat %d ", game.Title(e.Card), e.By), game.Spectator
	if e.At != nil {
		at = *e.At
	}
	switch e.Card {
	case Overheard.String():
		return who + fmt.Sprintf("{looks} at {the role card of seat %d}.", at)
	case EstablishConfidence.String(), OpenUp.String():
		return who + fmt.Sprintf("{shows} {its} role card to seat %d.", at)
	case TakeResponsibility.String():
		if e.Taken == "" {
			return who + "{finds} no card to take."
		}
		return who + fmt.Sprintf("{takes} %s from seat %d.", game.Title(e.Taken), at)
	case StrongLeader.String():
		return who + "{takes} the lead."
	case NoConfidence.String():
		return who + "{stops} the team."
	case Spotlight.String():
		return who + fmt.Sprintf("{makes} seat %d play {its} mission card openly.", at)
	case CloseEye.String():
		return who + fmt.Sprintf("{looks} at {the mission card of seat %d}.", at)
	}
	return who + "{plays} it."
}

// Words tells the looker a role.
func (e seenRoleEvent) Words() string {
	return fmt.Sprintf("You see that seat %d is %s.", e.At, roleWords[e.Role])
}

// Words tells the looker a mission card.
func (e seenCardEvent) Words() string {
	return fmt.Sprintf("You see that seat %d has played %s.", e.At, resultWord(!e.Success))
}

// Words describes the open votes.
func (e openVoteEvent) Words() string {
	yes, no := split(e.Approve)
	return game.Capitalize(verbs(yes, "{votes} first, for the team", "vote first, for the team", no, "{votes} first, against the team", "vote first, against the team")) + "."
}

// Words describes the open mission cards.
func (e openMissionEvent) Words() string {
	yes, no := split(e.Success)
	return fmt.Sprintf("%s on mission %d.", game.Capitalize(verbs(yes, "openly {plays} success", "openly play success", no, "openly {plays} fail", "openly play fail")), e.Mission)
}

// Words says who leads now.
func (e leaderEvent) Words() string {
	out := fmt.Sprintf("Seat %d {leads} now: round %d, team %d of at most %d.", e.Leader, e.Round, e.Attempt, maxAttempts)
	if e.Attempt == maxAttempts {
		out += " " + lastTeam
	}
	return out
}

// Words describes the proposal.
func (e teamEvent) Words() string {
	return fmt.Sprintf("Leader %d {proposes} %s for mission %d.", e.Leader, e.Team.Words(), e.Mission)
}

// Words says who voted how and what came of it.
func (e voteEvent) Words() string {
	var yes, no game.Seats
	for i, y := range e.Approve {
		if seat := game.Seat(i); y {
			yes = yes.With(seat)
		} else {
			no = no.With(seat)
		}
	}
	outcome := map[bool]string{true: fmt.Sprintf("Approved for mission %d", e.Mission), false: "Rejected"}[e.Approved]
	if e.NoConfidence != nil {
		outcome = fmt.Sprintf("Approved, then stopped by seat %d", *e.NoConfidence)
	}
	votes := game.Capitalize(verbs(yes, "{approves}", "approve", no, "{rejects}", "reject"))
	return fmt.Sprintf("%s: the team of %s. %s (%d to %d).", outcome, e.Team.Words(), votes, yes.Len(), no.Len())
}

// Words says how a mission ended.
func (e missionEvent) Words() string {
	cards := fmt.Sprintf("the %d cards of %s", e.Team.Len(), e.Team.Words())
	switch {
	case e.Fails == 0:
		return fmt.Sprintf("Mission %d succeeds: %s are all successes.", e.Mission, cards)
	case e.Result == resultWord(true):
		return fmt.Sprintf("Mission %d fails, with %s among %s.", e.Mission, game.Plural(e.Fails, "fail"), cards)
	}
	return fmt.Sprintf("Mission %d succeeds, with %s among %s: it takes more to spoil it.", e.Mission, game.Plural(e.Fails, "fail"), cards)
}

// Words describes the score.
func (e scoreEvent) Words() string {
	return fmt.Sprintf("The agents have %d of %d missions, the moles %d.", e.Successes, scoreToWin, e.Fails)
}

// lastTeam warns before the last vote of a round.
const lastTeam = "If this team is rejected, the moles win."

// endWords are the ends of a match in words.
var endWords = map[string]string{
	threeSuccesses.String(): "the agents win by three successes", threeFails.String(): "the moles win by three fails",
	fiveRejections.String(): "the moles win by five rejections",
}

// Words describes the end and who was what.
func (e overEvent) Words() string {
	var moles game.Seats
	for i, role := range e.Roles {
		if role == mole {
			moles = moles.With(game.Seat(i))
		}
	}
	if endWords[e.Why] == "" {
		return ""
	}
	return fmt.Sprintf("The match is over: %s. The moles were %s.", endWords[e.Why], moles.Words())
}

// keepable are the cards whose holder is asked whether to play them.
var keepable = map[Kind]Card{ActStrongLeader: StrongLeader, ActNoConfidence: NoConfidence, ActSpotlight: Spotlight, ActCloseEye: CloseEye}

// Words returns what a seat does.
func (a Action) Words() string {
	if card := keepable[a.Kind]; card != NoCard && !a.Yes && (!a.Kind.declines() || a.Seat == game.Spectator) {
		return "{keeps} " + game.Title(card.String())
	}
	switch a.Kind {
	case ActTalk:
		return "{talks}"
	case ActTeam:
		out := "{proposes} " + a.Members.Words()
		if a.Mission != 0 {
			out += fmt.Sprintf(" for mission %d", a.Mission)
		}
		return out
	case ActVote:
		return map[bool]string{true: "{approves} the team", false: "{rejects} the team"}[a.Yes]
	case ActMission:
		return "{plays} " + resultWord(!a.Yes)
	case ActStrongLeader, ActNoConfidence:
		return "{plays} " + game.Title(keepable[a.Kind].String())
	case ActGive:
		return fmt.Sprintf("{gives} %s to seat %d", game.Title(a.Card.String()), a.Seat)
	case ActLook:
		return fmt.Sprintf("{looks} at {the role card of seat %d}", a.Seat)
	case ActShow:
		return fmt.Sprintf("{shows} {its} role card to seat %d", a.Seat)
	case ActTake:
		return fmt.Sprintf("{takes} %s from seat %d", game.Title(a.Card.String()), a.Seat)
	case ActSpotlight:
		return fmt.Sprintf("{puts} seat %d in the Spotlight", a.Seat)
	case ActCloseEye:
		return fmt.Sprintf("{looks} at {the mission card of seat %d} with Close Eye", a.Seat)
	case kindEnd:
	}
	return ""
}
