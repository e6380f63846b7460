package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
)

// Page is what every page has.
type Page struct {
	Title string
	About string // a sentence for those who are sent a link
	Card  string // the address of a picture for them, 1200 × 630 px; "": there is none
	Live  string // the stream that tells of changes; poll: there is none; "": nothing changes any more
	At    time.Time
	Here  string // the path in the site's navigation that it belongs to

	Refresh int  // after so many seconds a browser loads it again; 0: never
	Bare    bool // on a wall: without the header and the footer
}

// Home is what is going on.
type Home struct {
	Page
	Featured *MatchRow // a match to watch; nil: there is none
	Next     *Coming   // that starts next; nil: none is announced
	Coming   []Coming  // those after it
	Matches  []MatchRow
	Results  []MatchRow
	Games    []GameCard

	Running, Over []tournament.Tournament
}

// GameCard is a game with what is going on in it.
type GameCard struct {
	GameID, Game string
	Players      string // how many may play
	LadderTop           // of its base ladder
	Others       []LadderTop
	Running      int
	HasPicture   bool
	Play         string // path of the page on which a person takes a seat, "" where nobody may
	Rules        string // path of the rules
}

// LadderTop holds a ladder with the bot at its top.
type LadderTop struct {
	Ladder       tournament.Ladder
	Best, BestID string // "" while there is none
	Ranked       bool   // its rating is not provisional
	Past         bool   // it plays no more, or has not for long
	Rating       string
	Bots         int // that are ranked
}

// Ladder is a page of a ladder.
type Ladder struct {
	Asking
	Ladder    tournament.Ladder
	Game      string // its name
	Low, High string // the ends of the scale of the bars, in Elo
	Groups    []LadderGroup
}

// LadderGroup are the lines of one class.
type LadderGroup struct {
	Class, Title string
	Rows         []LadderRow
}

// LadderRow is a bot's line.
type LadderRow struct {
	tournament.LadderRow
	Bar   template.HTML // the interval of the fit drawn, made by [Interval]
	Trend template.HTML // made by [Trend]; "" while one fit alone has seen it
}

// Mark is a result in a letter, with its word.
type Mark struct{ Letter, Word string }

// Bot is the page of a bot.
type Bot struct {
	Page
	ID, Name, Owner, Status, Why string
	Headline                     string // how it stands on its best ladder, as the rest of a sentence
	Since                        time.Time
	Versions                     []Version
	Plots                        []Plot
	By                           []Tally // groups of results
	Matches                      []Played
	Faults, Seats                int
	Used                         string  // that it says it used in these matches; "" if it says nothing
	Beliefs                      []Claim // how those of these matches did, by game
	P95, Slowest                 string  // of the matches' p95s the middle and the greatest; "" if none is known
}

// Version is a version of a bot.
type Version struct {
	Number int
	Build  string
	Made   time.Time
}

// Plot is a rating's history, drawn.
type Plot struct {
	Ladder, Title, Text string
	SVG                 template.HTML // made by [History]
}

// Tally is a table of results.
type Tally struct {
	Title, Column string
	Rows          []TallyRow
}

// TallyRow is how often each result came.
type TallyRow struct {
	Name                        string
	Path                        string // "" without a page
	Wins, Draws, Losses, Faults int
	Share                       string
	Bar                         template.HTML // the share drawn, made by [Share]
}

// Played is a match in a bot's list.
type Played struct {
	ID, Game, Role, Result, P95 string
	When                        time.Time
	Against                     []MatchPlayer
	Seat, Steps, Faults         int
}

// Tournament is the page of a tournament.
type Tournament struct {
	Page
	tournament.Tournament
	Rules         string // path of the game's
	Champion      string // who won, in a sentence; "" until it is over
	Key           []Fact // what everybody asks first: what is at stake, when, how to enter, how far it is
	Facts         []Fact
	Open          bool // it takes entries now
	Texts         []Text
	Podium        []Place // nil: nobody is ahead yet
	RanksBy       string  // what the first column of the standings counts
	Standings     []Standing
	Aside         []Aside // entries without a place
	Adjusted      bool    // the standings have points without the luck of the deals
	Race          *Race   // nil: too few rounds are played, or the format is no race
	Walk          *Walk   // of an sprt
	Cross         []CrossRow
	CrossAdjusted bool // its cells have shares without the luck of the deals
	Groups        []Group
	Bracket       []Round // by stage, see [BracketOf]
	Now           *Round  // the current round; nil before the first
	Earlier       []Round // the last one first
	Later         []Round // made already, as those of a round robin are
	Before, After int     // how many rounds there are before and after the current one, also where not all are shown
	Lines, Seen   string  // on a wall: which of the standings and of the tables it shows, as "1–12 of 64"; "" is all
	Wall          Round   // the tables of the current round that it shows
}

// Turn leaves the standings and tables for which a wall has room: another part with each turn.
func (t *Tournament) Turn(turn, lines, tables int) {
	part := func(n, most int) (from, to int, words string) {
		if n <= most {
			return 0, n, ""
		}
		from = turn % ((n + most - 1) / most) * most
		to = min(from+most, n)
		return from, to, fmt.Sprintf("%d–%d of %d", from+1, to, n)
	}
	var from, to int
	from, to, t.Lines = part(len(t.Standings), lines)
	t.Standings = t.Standings[from:to]
	if t.Now != nil {
		t.Wall = *t.Now
		from, to, t.Seen = part(len(t.Now.Tables), tables)
		t.Wall.Tables = t.Now.Tables[from:to]
	}
}

// Place is a bot in one of the first three places.
type Place struct {
	Place              string // in a word: 1st, leads
	BotID, Bot, Points string
	First              bool
}

// Aside is an entry without a place, and why.
type Aside struct{ BotID, Bot, Why string }

// Series is the page of a series.
type Series struct {
	Page
	ID, Name    string
	How         string         // what counts, in a sentence
	Columns     []series.Event // those that are over; nil: none is, or they are too many for columns
	TooMany     bool
	Rows        []SeriesRow
	Tournaments []SeriesTournament // all, in their order
	Coming      []Coming           // that its schedule will announce
}

// SeriesTournament is a tournament of a series.
type SeriesTournament struct {
	tournament.Tournament
	Winner string // "" until it is over
}

// SeriesRow shows a bot's line in the standings of a series, with a cell for each column; nil without a result.
type SeriesRow struct {
	series.Line
	Cells []*series.Result
}

// Text is what an organiser wrote about an event.
type Text struct {
	Title string
	HTML  template.HTML // made by [Site.Prose]
}

// Fact is a name and a value, words or [template.HTML].
type Fact struct {
	Name  string
	Value any
	Path  string // of the page of what it names; "" for none
}

// Group is the table of one group.
type Group struct {
	Name  string
	Lines []tournament.Standing
}

// Standing is a line of the standings.
type Standing struct {
	tournament.Standing
	Main string // what it is ranked by first
	Note string // what its bot does now, or when it withdrew; "" says nothing
}

// CrossRow is a line of the crosstable; a cell without games is empty, that of the bot itself a dash.
type CrossRow struct {
	Rank       int
	BotID, Bot string
	Cells      []CrossCell
}

// CrossCell is what a bot has of another.
type CrossCell struct {
	Self                   bool
	Share, Interval, Games string
	Adjusted               string // the share without the luck of the deals, with its interval; "" if not known
	Heat                   int    // the fifth of the share, 0 to 4
}

// Problem is the page of an error.
type Problem struct {
	Page
	Detail  string
	Lost    bool   // nothing is at the address
	Nearest string // the address that was perhaps meant; "" if none is like it
	Again   bool   // the same address may answer in a moment
	Request string // the id of the request in our log
}

// Match is the page of a match.
type Match struct {
	Page
	ID, Game, Status, Why string
	Rules                 string // path of the game's
	Sealed                string // why less than all is shown, and until when
	What                  game.About
	In, InPath            string
	Facts                 []Fact
	Proof                 []Fact // what is long: the configuration, and what a match is checked by
	Seats                 []Seat
	Open                  bool // every seat's view, the decisions and the result are open
	Result                string
	Hide                  bool   // the reader wants no results before the last step
	Replay                string // path of the record
	Viewer                Watch
	Review                Review
	Claims                []Claim
	Times                 template.HTML // how long decisions took, see [Timeline]
	TimesText             string
	Script                template.HTML // of a viewer in one file
	Style                 template.CSS
	Alone                 bool   // a viewer in one file
	Framed                bool   // a viewer in a frame
	Base                  string // the address of the host, without a slash
	OEmbed                string // address of what says how the match is embedded
}

// Watch is what the viewer of a match begins with.
type Watch struct {
	Has           bool // there is something to see
	Last, Step    int
	Seat          int  // -1: a spectator; -2: everything is open
	Opens         bool // it can be looked at with everything open
	Stage         Stage
	Sides         []ScoreLine
	Of, Rest      string // what is counted, and what counts beside it
	Chart         template.HTML
	Moments       []Move
	Moves         []Move // those around the step
	Before, After int    // a step of the moves before and after these; -1 if there are none
}

// BySeat reports whether the score is that of each seat.
func (w Watch) BySeat() bool { return len(w.Sides) > 0 && w.Sides[0].Seat >= 0 }

// Hiding reports whether results are hidden at the step that is shown.
func (m Match) Hiding() bool { return m.Hide && m.Open && m.Viewer.Step < m.Viewer.Last }

// First returns the seat as which a step is shown to whoever asks for none.
func (m Match) First(step int) int {
	if m.Viewer.Opens && (!m.Hide || step >= m.Viewer.Last) {
		return int(game.Everything)
	}
	return int(game.Spectator)
}

// RecordName returns what the file of a match's record is called.
func RecordName(matchID string) string { return matchID + ".replay.jsonl.gz" }

// RecordName returns what the file of the record is called.
func (m Match) RecordName() string { return RecordName(m.ID) }

// Names returns the names of the seats.
func (m Match) Names() []string {
	out := make([]string, len(m.Seats))
	for i, s := range m.Seats {
		out[i] = s.Name()
	}
	return out
}

// moves returns the lines of the list of moves. A template takes so long for a hundred of them that a first view would be a tenth slower.
func (m Match) moves() template.HTML {
	var b strings.Builder
	for _, x := range m.Viewer.Moves {
		if m.Hiding() && x.Step > m.Viewer.Step {
			break
		}
		marks := ""
		if x.Key != "" {
			marks = ` class="key"`
		}
		if x.Step == m.Viewer.Step {
			marks += ` aria-current="step"`
		}
		verdict := ""
		if v := m.Review.marks[x.Step]; v.Words != "" {
			verdict = fmt.Sprintf(` <span class="verdict %s spoil">%s</span>`, v.Class, template.HTMLEscapeString(v.Words))
		}
		fmt.Fprintf(&b, `<li><a href="%s" data-step="%d"%s><span class="n">%[2]d</span> %[4]s%[5]s</a></li>`,
			template.HTMLEscapeString(string(m.stepPath(x.Step))), x.Step, marks, template.HTMLEscapeString(x.Text), verdict)
	}
	return template.HTML(b.String()) // numbers, and words escaped
}

// stepPath returns the address of a step, as the same seat sees it.
func (m Match) stepPath(step int) template.URL {
	if m.Viewer.Seat == m.First(m.Viewer.Step) {
		return m.viewPath(step, m.First(step))
	}
	return m.viewPath(step, m.Viewer.Seat)
}

// viewPath returns the address of a step as a seat sees it.
func (m Match) viewPath(step, seat int) template.URL {
	if m.Alone {
		return template.URL(fmt.Sprintf("#step=%d", step))
	}
	path := "/matches/" + m.ID
	if m.Framed {
		path = "/embed" + path
	}
	path += fmt.Sprintf("?step=%d", step)
	if seat != m.First(step) {
		path += fmt.Sprintf("&seat=%d", seat)
	}
	if m.Hide {
		path += "&spoilers=hide"
	}
	return template.URL(path + "#viewer") // an id and numbers
}

// spoilersPath returns the address of the step with results hidden, or shown if they are hidden.
func (m Match) spoilersPath() template.URL {
	m.Hide = !m.Hide
	return m.viewPath(m.Viewer.Step, m.First(m.Viewer.Step))
}

// Roles reports whether the seats have any.
func (m Match) Roles() bool {
	return slices.ContainsFunc(m.Seats, func(s Seat) bool { return s.Role != "" })
}

// Seat is a line of the table of seats.
type Seat struct {
	Seat                                  int
	Alias, Bot, BotID, Role, Rank, Points string
	Faults                                int
	Retired                               bool
}

// Name returns the seat's name: its bot's, once that is public.
func (s Seat) Name() string { return cmp.Or(s.Bot, s.Alias, fmt.Sprintf("seat %d", s.Seat)) }

// Stage is the board with all that happened in a step.
type Stage struct {
	Frame
	Board         template.URL // the address of the drawing; "" without one
	Alt           string
	Width, Height string // of the drawing, in its units
}

// Game is the page of a game.
type Game struct {
	Page
	GameCard
	Version  int // of the rules
	What     game.About
	Top      []tournament.LadderRow
	Matches  []MatchRow // those that run first
	Variants []string
}
