package tournament

import (
	"cmp"
	"fmt"
	"strings"
)

// EntryCode says whether an entry plays a match of its tournament, or why it does not.
type EntryCode string

// The codes.
const (
	EntryPlaying   EntryCode = "playing"    // a match of it is played
	EntryQueued    EntryCode = "queued"     // it has a match to play
	EntryPaused    EntryCode = "paused"     // its bot is, for the reason that its health has
	EntryGreeting  EntryCode = "greeting"   // its bot is greeted before it plays
	EntryHeld      EntryCode = "held"       // the organiser has paused the tournament
	EntryNextRound EntryCode = "next_round" // it has nothing left in this round: it waits for the others, has a bye or is out
	EntryWaiting   EntryCode = "waiting"    // it waits for a place
	EntryCheckIn   EntryCode = "check_in"   // it must check in, or the start leaves it out
	EntryStart     EntryCode = "start"      // the tournament has not begun
	EntryLeftOut   EntryCode = "left_out"   // by the start, for the reason that LeftOut has
	EntryWithdrawn EntryCode = "withdrawn"  // it has withdrawn
	EntryExcluded  EntryCode = "excluded"   // the organiser has excluded it
	EntryReplaced  EntryCode = "replaced"   // another plays for it
	EntryOver      EntryCode = "over"       // the tournament is
)

// EntryState is an entry with what it does now.
type EntryState struct {
	Entry
	Code EntryCode
	By   Entry // who plays for it, if it was replaced
}

// InTournament is what an entry's state follows from, beside the tournament.
type InTournament struct {
	Running, Queued bool // whether it has such a match
	Paused          bool // its bot
	Greeting        bool // its bot
	ChecksIn        bool // check-in is open
	Replaced        bool // it was, after the start
}

// CodeOf returns what an entry does in a tournament now.
func (t *Tournament) CodeOf(e Entry, x InTournament) EntryCode {
	switch {
	case e.LeftOut != "":
		return EntryLeftOut
	case x.Replaced:
		return EntryReplaced
	case CanAdmit(e) == nil:
		return EntryExcluded
	case e.WithdrawnAt != nil:
		return EntryWithdrawn
	case t.Status != Scheduled && t.Status != Running:
		return EntryOver
	case e.Waiting:
		return EntryWaiting
	case t.Status == Scheduled && x.ChecksIn && e.CheckedInAt == nil:
		return EntryCheckIn
	case t.Status == Scheduled:
		return EntryStart
	case x.Running:
		return EntryPlaying
	case x.Paused:
		return EntryPaused
	case x.Greeting:
		return EntryGreeting
	case t.PausedAt != nil:
		return EntryHeld
	case x.Queued:
		return EntryQueued
	}
	return EntryNextRound
}

// RoleOf returns what an entry is in a tournament, to stand before other words: in a gauntlet a challenger.
func (t *Tournament) RoleOf(e Entry) string {
	if t.Format == Gauntlet && e.Challenger {
		return "challenger; "
	}
	return ""
}

// String returns the state in words.
func (s EntryState) String() string {
	said := map[EntryCode]string{
		EntryPlaying:   "plays a match now",
		EntryQueued:    "has a match to play",
		EntryPaused:    "gets no matches while its bot is paused",
		EntryGreeting:  "its bot is greeted before it plays",
		EntryHeld:      "waits for the organiser, who has paused the tournament",
		EntryNextRound: "has nothing left to play in this round",
		EntryWaiting:   "waits for a place",
		EntryCheckIn:   "must check in before the start",
		EntryStart:     "waits for the start",
		EntryLeftOut:   "was left out at the start: " + strings.ReplaceAll(string(s.LeftOut), "_", " "),
		EntryWithdrawn: "has withdrawn",
		EntryExcluded:  "the organiser has excluded it",
		EntryReplaced:  fmt.Sprintf("replaced by %s since round %d", s.By.BotName, s.By.SinceRound),
		EntryOver:      "the tournament is over",
	}
	return cmp.Or(said[s.Code], string(s.Code))
}
