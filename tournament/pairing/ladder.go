package pairing

// LadderBot is a bot that plays on a standing ladder, known by its index.
type LadderBot struct {
	Owner     string
	Rating    float64 // Elo
	Deviation float64 // standard deviation of the rating, Elo
	Matches   int     // rated matches played or under way
	Since     int64   // when it was last given a match, in any unit; smaller has waited longer
	// Room is how many more matches it may be given now: the caller's limits on asks at the same time and matches per
	// hour. 0 for a bot that is paused or dead.
	Room   int
	Recent [][]int // the opponents, ascending, of its last matches
	Sizes  []int   // matches by table size: Sizes[5] at tables of five; may be short
	Seats  []int   // matches by seat; may be short
}

// LadderSettings are the rules of a ladder.
type LadderSettings struct {
	Sizes       []int // the table sizes that are played, each 2 to [game.MaxSeats]
	OwnersApart bool  // hidden teams: one owner never twice at a table
	Tables      int   // make at most so many; 0: as many as can be
}

// LadderTable is a match to be made; Seats holds the bot of each seat. Random tells that the opponents were drawn
// uniformly, which one table in ten is, so that every two bots are linked in the long run.
type LadderTable struct {
	Seats  []int
	Random bool
}
