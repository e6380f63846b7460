package pages

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// Round is a round of the schedule.
type Round struct {
	Number int
	Name   string
	Tables []Table
	Byes   []string      // bots that sit it out or, in a bracket, pass a tie
	Notes  []Note        // absences, walkovers, changes by hand
	Lines  template.HTML // from the round before in a bracket, made by [Join]
}

// Note is what happened beside the tables of a round, with its time if that matters.
type Note struct {
	Text string
	At   time.Time
}

// Over counts the tables that are over.
func (r Round) Over() int {
	over := 0
	for _, t := range r.Tables {
		if t.Over {
			over++
		}
	}
	return over
}

// Table is what is compared.
type Table struct {
	Name   string
	Tie    int // its number in a bracket; 0 elsewhere
	Round  int // in a bracket: the last round in which the tie was played
	Sides  []Side
	Over   bool
	Sealed bool
	Before int // games of the tie in earlier rounds
	Games  []TableGame
	Why    string // why its winner won, where the points do not say it
}

// TableGame names a match at a table, and holds the game's own points in the order of the sides; none while they are not open.
type TableGame struct {
	ID     string
	Scores []string
}

// Side is a bot at a table.
type Side struct {
	BotID, Bot string
	Points     float64
	Scored     bool // points are known
	Best       bool // it has won, or goes on at larger tables; of a tie once the whole tie is decided
}

// Call names rounds after their ties, as people do: "Semi-final", "Third place and final". A round whose ties have no names keeps its own; of
// several with one name, as where ties take several games, the later ones are parts.
func Call(rounds []Round) {
	seen := map[string]int{}
	for i := range rounds {
		var ties []string
		for _, t := range rounds[i].Tables {
			ties = append(ties, t.Name)
		}
		name := Capital(StageName(ties))
		if name == "" {
			continue
		}
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s, part %d", name, seen[name])
		}
		rounds[i].Name = name
	}
}

// StageName names a stage of a knockout after its ties, each once: "third place and final"; "" if they have no names.
func StageName(ties []string) string {
	var names []string
	for _, name := range ties {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return game.JoinWords(names...)
}

// CountTies counts, for each table of a tie, the tie's games in earlier rounds, and says why a side wins that has no more points in all than
// the other.
func CountTies(rounds []Round) {
	games, points := map[int]int{}, map[int]map[string]float64{}
	for _, r := range rounds {
		for i := range r.Tables {
			t := &r.Tables[i]
			if t.Tie == 0 {
				continue
			}
			t.Before = games[t.Tie]
			games[t.Tie] += len(t.Games)
			of := points[t.Tie]
			if of == nil {
				of = map[string]float64{}
				points[t.Tie] = of
			}
			decided := false
			for _, s := range t.Sides {
				of[s.Bot] += s.Points
				decided = decided || s.Best
			}
			if decided && t.Why == "" && len(t.Sides) == 2 && of[t.Sides[0].Bot] == of[t.Sides[1].Bot] {
				t.Why = fmt.Sprintf("higher seed after %s–%s", Trim(of[t.Sides[0].Bot]), Trim(of[t.Sides[1].Bot]))
			}
		}
	}
}

// BracketOf gathers rounds by stage: what is played of a tie stands where the tie began, its points added up, with a mark at the side that
// goes on.
func BracketOf(rounds []Round) []Round {
	var out []Round
	at := map[int]*Table{} // by tie
	for _, r := range rounds {
		stage := Round{Number: r.Number, Name: r.Name, Byes: r.Byes}
		for _, t := range r.Tables {
			if first := at[t.Tie]; t.Tie > 0 && first != nil {
				first.add(t)
				first.Round = r.Number
				continue
			}
			t.Sides, t.Round = slices.Clone(t.Sides), r.Number
			stage.Tables = append(stage.Tables, t)
		}
		if len(stage.Tables) == 0 {
			continue
		}
		for i := range stage.Tables {
			at[stage.Tables[i].Tie] = &stage.Tables[i]
		}
		out = append(out, stage)
	}
	Call(out)
	for i := range out {
		if i+1 < len(out) {
			out[i].goesOn(out[i+1])
		}
	}
	return out
}

// add joins what was played later of a tie.
func (t *Table) add(more Table) {
	t.Games = slices.Clip(t.Games)
	for _, g := range more.Games {
		turned := TableGame{ID: g.ID}
		for _, s := range t.Sides { // the seats of a tie's later tables are turned
			at := slices.IndexFunc(more.Sides, func(x Side) bool { return x.Bot == s.Bot })
			if at >= 0 && at < len(g.Scores) {
				turned.Scores = append(turned.Scores, g.Scores[at])
			}
		}
		t.Games = append(t.Games, turned)
	}
	t.Over, t.Sealed, t.Why = more.Over, more.Sealed, more.Why
	for i := range t.Sides {
		side := &t.Sides[i]
		side.Best = false
		for _, again := range more.Sides {
			if again.Bot == side.Bot {
				side.Points += again.Points
				side.Scored, side.Best = side.Scored || again.Scored, again.Best
			}
		}
	}
}

// goesOn marks those of a knockout's larger tables who play in the next round, or pause there.
func (r *Round) goesOn(next Round) {
	on := map[string]bool{}
	for _, bot := range next.Byes {
		on[bot] = true
	}
	for _, t := range next.Tables {
		if t.Sealed {
			return // nobody may know yet
		}
		for _, side := range t.Sides {
			on[side.Bot] = true
		}
	}
	for _, t := range r.Tables {
		for i := range t.Sides {
			if t.Tie == 0 {
				t.Sides[i].Best = on[t.Sides[i].Bot]
			}
		}
	}
}

// The gap between two rounds of a bracket in the units of its lines, and a round with such a gap: the style sheet has 2.4 rem and
// 14 rem more.
const gapWide, roundWide = 100.0, 100.0 * (14 + 2.4) / 2.4

// Join draws how each bot came to a tie from its last one before, dashed from one that it lost. A bot that has not played yet,
// or whose table is sealed, comes from nowhere. The ties of a round stand evenly below each other: tie i of n has its middle at
// (i + ½) / n of the height.
func Join(rounds []Round) {
	for k, r := range rounds {
		var b strings.Builder
		for i, t := range r.Tables {
			for _, side := range t.Sides {
				if from, back, class := cameFrom(rounds[:k], side.BotID); back > 0 {
					fmt.Fprintf(&b, `<path class="%s" d="M%.0f %.1fH%.0fV%.1fH%.0f"/>`, class, roundWide*float64(1-back), from, gapWide/2, middle(i, len(r.Tables)), gapWide)
				}
			}
		}
		if b.Len() > 0 {
			rounds[k].Lines = template.HTML(`<svg class="joins" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">` + b.String() + `</svg>`) // numbers alone
		}
	}
}

// cameFrom returns the height of a bot's last tie, how many rounds back it was, 0 if there is none, and whether it was won or lost.
func cameFrom(rounds []Round, botID string) (float64, int, string) {
	for back := 1; back <= len(rounds); back++ {
		tables := rounds[len(rounds)-back].Tables
		for i, t := range tables {
			at := slices.IndexFunc(t.Sides, func(s Side) bool { return s.BotID == botID })
			if at < 0 {
				continue
			}
			class := "won"
			if !t.Sides[at].Best && slices.ContainsFunc(t.Sides, func(s Side) bool { return s.Best }) {
				class = "lost"
			}
			return middle(i, len(tables)), back, class
		}
	}
	return 0, 0, ""
}

func middle(i, n int) float64 { return 100 * (float64(i) + .5) / float64(n) }
