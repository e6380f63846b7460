package pages

// Game is the page of a game.
type Game struct {
	Page
	GameCard
	Rules    string // path of the rules
	Version  int    // of the rules
	Play     string // path of the page on which a person takes a seat, "" where nobody may
	Facts    []Fact
	Top      []LadderRow
	Matches  []MatchRow // those that run first
	Variants []string
}

// Game returns the page of a game.
func (s *Site) Game(p Game) ([]byte, error) { return s.render("game", "frame.html", p) }
