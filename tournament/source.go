package tournament

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

// SourceOf is the source of a match with this tournament and ladder; either may be "".
func SourceOf(tournamentID, ladderID string) Source {
	switch {
	case tournamentID != "":
		return SourceTournament
	case ladderID != "":
		return SourceLadder
	}
	return SourceChallenge
}

// Source is what the match was made for.
func (m *Match) Source() Source { return SourceOf(m.TournamentID, m.LadderID) }
