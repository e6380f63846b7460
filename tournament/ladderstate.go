package tournament

import (
	"cmp"
	"fmt"
	"time"
)

// LadderCode says why a bot on a standing ladder has no match to come, or that it has.
type LadderCode string

// The codes.
const (
	LadderPlaying  LadderCode = "playing"   // it has a match
	LadderNext     LadderCode = "next"      // it is given one as soon as there are opponents for it
	LadderPaced    LadderCode = "paced"     // its matches are spread over the hour: the next comes at a time
	LadderHourUsed LadderCode = "hour_used" // it has had all matches of an hour: the next comes at a time
	LadderOwners   LadderCode = "owners"    // it waits for bots of more owners
	LadderGreeting LadderCode = "greeting"  // it is greeted before it plays again
	LadderPaused   LadderCode = "paused"    // the bot is, for the reason that its health has
)

// LadderState is how a bot stands on a ladder that it has joined.
type LadderState struct {
	LadderEntry
	Rating *float64 // of its active version, Elo; nil before its first rated match
	Rated  int      // matches of it
	Code   LadderCode
	Used   int        // matches made for it within the last hour
	NextAt *time.Time // when the next may come, where that is known
	Owners int        // so many more must have a bot there
	Owned  int        // matches of its owner's bots on all ladders that are not over; as an owner may have some at a time, it may wait for those
}

// OnLadder is what a bot's state on a ladder follows from.
type OnLadder struct {
	Active    bool
	Unproven  bool
	Open      int         // matches that are not over
	Made      []time.Time // its matches of the last hour, in order
	Owners    int         // others with a bot there that may play
	FewOwners int         // of others, at the smallest table of the game
	Owned     int         // matches of its owner's bots on all ladders that are not over; 0 where they are not bounded
}

// paceParts is into how many parts an hour is cut: in each a bot is given its share of the hour's matches at most.
const paceParts = 10

// PaceSpan is one of those parts.
const PaceSpan = time.Hour / paceParts

// PaceShare returns how many matches a bot that takes so many an hour is given within a [PaceSpan].
func PaceShare(perHour int) int { return (perHour + paceParts - 1) / paceParts }

// On fills in the state that follows from x at a time.
func (s *LadderState) On(x OnLadder, now time.Time) {
	s.Used = len(x.Made)
	at := func(share int, span time.Duration) *time.Time {
		if len(x.Made) < share {
			return nil
		}
		if t := x.Made[len(x.Made)-share].Add(span); t.After(now) {
			return &t
		}
		return nil
	}
	hour, paced := at(s.MatchesPerHour, time.Hour), at(PaceShare(s.MatchesPerHour), PaceSpan)
	switch {
	case !x.Active:
		s.Code = LadderPaused
	case x.Unproven:
		s.Code = LadderGreeting
	case x.Open > 0:
		s.Code = LadderPlaying
	case x.Owners < x.FewOwners:
		s.Code, s.Owners = LadderOwners, x.FewOwners-x.Owners
	case hour != nil:
		s.Code, s.NextAt = LadderHourUsed, hour
	case paced != nil:
		s.Code, s.NextAt = LadderPaced, paced
	default:
		s.Code, s.Owned = LadderNext, x.Owned
	}
}

// String returns the state in words.
func (s LadderState) String() string {
	next := ""
	if s.NextAt != nil {
		next = s.NextAt.UTC().Format("15:04:05 UTC")
	}
	if s.Code == LadderOwners && s.Owners == 1 {
		return "waits for a bot of 1 more owner"
	}
	if s.Code == LadderNext && s.Owned >= LadderAtOnce(1) {
		return fmt.Sprintf("is next: it waits for opponents that are free, or for one of the %d matches that its owner has open on ladders to end, as only some may be at a time", s.Owned)
	}
	said := map[LadderCode]string{
		LadderPlaying:  "plays a match now",
		LadderNext:     "is next: it waits for opponents that are free",
		LadderPaced:    fmt.Sprintf("%d of %d matches of the hour used, which are spread over it; next at %s", s.Used, s.MatchesPerHour, next),
		LadderHourUsed: fmt.Sprintf("%d of %d matches of the hour used; next at %s", s.Used, s.MatchesPerHour, next),
		LadderOwners:   fmt.Sprintf("waits for bots of %d more owners", s.Owners),
		LadderGreeting: "failed in its last match, or a tournament of it starts: it is greeted before it plays again",
		LadderPaused:   "gets no matches while it is paused",
	}
	return cmp.Or(said[s.Code], string(s.Code))
}
