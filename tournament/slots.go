package tournament

const (
	// ChallengesAtOnce is how many challenge matches of one asker are queued or running at a time. The others wait outside
	// the queue until one ends, so that they delay nobody else.
	ChallengesAtOnce = 2
	// MaxAsked is how many challenge matches a user may have open, including those that wait.
	MaxAsked = 50
)

// LadderAtOnce returns how many matches of standing ladders the bots of one owner may have open, if a worker has so many slots:
// half of the ladders' share, and at least two.
func LadderAtOnce(slots int) int { return max(2, slots/8) }

// kept returns how many of a worker's slots are a source's own: half are the tournaments', a quarter the ladders', a quarter the
// challenges'. With two or three slots, tournaments and ladders have one each; a single one is nobody's.
func kept(slots int, s Source) int {
	least := 0
	if slots > 1 && s != SourceChallenge {
		least = 1
	}
	if s == SourceTournament {
		return max(least, slots/2)
	}
	return max(least, slots/4)
}

// spare returns how many slots challenges leave free beyond their share, so that a match of a tournament or a ladder need not wait
// for the end of another: an eighth, rounded up, but not the only one there is.
func spare(slots int) int { return min((slots+7)/8, slots-1) }

// GrantSlots shares a worker's free slots among the waiting matches: how many of each source begin now. held are the slots
// that each source's running matches occupy; they are never taken away. First each source gets up to its share. What is left
// goes to tournaments, then ladders, then challenges, which leave some free. So idle slots are lent, and come back when their
// matches end.
func GrantSlots(slots, free int, held, waiting map[Source]int) map[Source]int {
	granted := map[Source]int{}
	give := func(s Source, most int) {
		n := max(0, min(most, waiting[s]-granted[s], free))
		granted[s] += n
		free -= n
	}
	for _, s := range Sources() {
		give(s, kept(slots, s)-held[s])
	}
	for _, s := range Sources() {
		lent := free
		if s == SourceChallenge {
			lent -= spare(slots)
		}
		give(s, lent)
	}
	return granted
}

// Source is what a match is made for. Matches of one source share part of every worker's slots ([GrantSlots]) and the bounds
// of their clocks ([Source.Bounds]).
type Source string

// The sources.
const (
	SourceTournament Source = "tournament"
	SourceLadder     Source = "ladder"
	SourceChallenge  Source = "challenge"
)

// Sources lists all sources in the order in which they are offered free slots.
func Sources() []Source { return []Source{SourceTournament, SourceLadder, SourceChallenge} }

// Source returns what the match was made for.
func (m *Match) Source() Source {
	switch {
	case m.TournamentID != "":
		return SourceTournament
	case m.LadderID != "":
		return SourceLadder
	}
	return SourceChallenge
}
