package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/tournament"
)

// Review is what the page of a match says of its review.
type Review struct {
	State  tournament.ReviewState // "" while nobody has asked for one
	Reason string                 // why it failed
	Chart  template.HTML          // the chances by step
	Of     string                 // what they are
	Seats  []ReviewedSeat
	Rows   []ChanceRow // the chances at some steps, in words
	Costly []Costly    // the decisions that cost most, at most three
	Luck   bool        // it is known of the seats
	marks  map[int]stepMark
}

// Going reports whether the review is still to come.
func (r Review) Going() bool {
	return r.State == tournament.ReviewWaiting || r.State == tournament.ReviewRunning
}

// ReviewedSeat sums up a seat.
type ReviewedSeat struct {
	Name, Luck string
	Phases     []Fact // how accurate it was in each
}

// ChanceRow holds the chances of all seats after a step.
type ChanceRow struct {
	Step    int
	Chances []string // by seat, with the error
}

// Costly is a decision that cost much.
type Costly struct {
	Step                    int
	Name, Did, Better, Cost string
	Mark                    report.Mark
	Fork                    string // the command that tries what was better
}

// stepMark is what the list of moves says of the decisions of a step.
type stepMark struct {
	Class report.Mark `json:"class"` // the worst
	Words string      `json:"words"`
}

// chanceRows is how many steps the table of chances has, about.
const chanceRows = 50

// chartPoints is how many points a curve of chances has at most.
const chartPoints = 400

// ReviewOf returns the review of a match as its page shows it; names are those of its seats.
func ReviewOf(r tournament.MatchReview, names []string) (Review, error) {
	out := Review{State: r.State, Reason: r.Reason}
	if r.State != tournament.ReviewDone {
		return out, nil
	}
	made, err := reportOf(r)
	if err != nil {
		return out, err
	}
	out.Of = "Chance to win"
	if len(names) > 2 {
		out.Of = "Expected share of the places"
	}
	out.marks = marksOf(made.Decisions, names)
	out.chances(made.Steps, names)
	out.seats(made, names)
	var worst []int
	for _, s := range made.Seats {
		worst = append(worst, s.Costliest...)
	}
	slices.SortStableFunc(worst, func(a, b int) int { return cmp.Compare(made.Decisions[b].Regret, made.Decisions[a].Regret) })
	for _, i := range worst[:min(3, len(worst))] {
		out.Costly = append(out.Costly, costly(made.Decisions[i], names, RecordName(r.MatchID)))
	}
	return out, nil
}

// CostliestOf returns the decision of a seat that cost most by a review that is done; nil if none is certain to have cost anything.
func CostliestOf(r tournament.MatchReview, seat int) (*Costly, error) {
	made, err := reportOf(r)
	if err != nil {
		return nil, err
	}
	for _, s := range made.Seats {
		if int(s.Seat) == seat && len(s.Costliest) > 0 {
			return new(costly(made.Decisions[s.Costliest[0]], nil, RecordName(r.MatchID))), nil
		}
	}
	return nil, nil
}

func reportOf(r tournament.MatchReview) (report.Report, error) {
	var out report.Report
	err := json.Unmarshal(r.Report, &out)
	if err != nil {
		err = fmt.Errorf("pages: review of match %s: %w", r.MatchID, err)
	}
	return out, err
}

// percent formats a chance.
func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }

func costly(d report.Decision, names []string, file string) Costly {
	out := Costly{
		Step: d.Step,
		Name: nameOf(int(d.Seat), names),
		Did:  cmp.Or(Named(d.Words, names), string(d.Action)),
		Cost: fmt.Sprintf("%.0f points of a hundred (%s to %.0f)", 100*d.Regret, tournament.Number("%.0f", 100*d.Low), 100*d.High),
		Mark: d.Mark,
	}
	if d.Better != nil {
		out.Better = cmp.Or(Named(d.BetterWords, names), string(d.Better))
		out.Fork = fmt.Sprintf("molerun replay fork %s --at %d --seat %d --action '%s'", file, d.Step-1, d.Seat, strings.ReplaceAll(string(d.Better), "'", `'\''`))
	}
	return out
}

// chances fills in the curves and the rows.
func (r *Review) chances(steps []report.Position, names []string) {
	if len(steps) == 0 {
		return
	}
	last := steps[len(steps)-1].Step
	curves := make([]curve, len(names))
	for seat := range curves {
		at := make([]float64, last+1)
		for i := range at {
			at[i] = math.NaN()
		}
		curves[seat] = curve{class: fmt.Sprintf("s%d", seat), mark: fmt.Sprint(seat), at: at}
	}
	thin, rare := 1+last/chartPoints, 1+last/chanceRows
	for i, p := range steps {
		end := i == len(steps)-1
		row := ChanceRow{Step: p.Step}
		for seat, v := range p.Values[:min(len(names), len(p.Values))] {
			if p.Step%thin == 0 || end {
				curves[seat].at[p.Step] = math.Round(100 * v.Value)
			}
			chance := percent(v.Value)
			if v.Error > 0 {
				chance = fmt.Sprintf("%s ± %.0f", chance, 196*v.Error)
			}
			row.Chances = append(row.Chances, chance)
		}
		if p.Step%rare == 0 || end {
			r.Rows = append(r.Rows, row)
		}
	}
	var moments []Move
	for step, m := range r.marks {
		if m.Class == report.Blunder || m.Class == report.Mistake {
			moments = append(moments, Move{Step: step, Key: fmt.Sprintf("step %d: %s", step, m.Words)})
		}
	}
	slices.SortFunc(moments, func(a, b Move) int { return a.Step - b.Step })
	r.Chart = chart(r.Of+" by step, in percent; a table below says the same in numbers.", curves, 0, 100, moments)
}

// seats sums the seats up.
func (r *Review) seats(made report.Report, names []string) {
	for _, s := range made.Seats {
		line := ReviewedSeat{Name: nameOf(int(s.Seat), names), Luck: tournament.Number("%+.0f", 100*s.Luck)}
		for _, p := range s.Phases {
			line.Phases = append(line.Phases, Fact{Name: tournament.Spaced(p.Phase), Value: fmt.Sprintf("%s in %d", percent(p.Accuracy), p.Decisions)})
		}
		r.Seats, r.Luck = append(r.Seats, line), r.Luck || s.Luck != 0
	}
}

// marksOf returns what the list of moves says of the steps that have a mark.
func marksOf(list []report.Decision, names []string) map[int]stepMark {
	order := []report.Mark{report.Best, report.Good, report.Doubtful, report.Mistake, report.Blunder}
	out := map[int]stepMark{}
	for _, d := range list {
		if d.Mark == "" {
			continue
		}
		m, seen := out[d.Step]
		if m.Words != "" {
			m.Words += ", "
		}
		m.Words += nameOf(int(d.Seat), names)
		if d.House {
			m.Words += ", by the house"
		}
		m.Words += ": " + string(d.Mark)
		if !seen || slices.Index(order, d.Mark) > slices.Index(order, m.Class) {
			m.Class = d.Mark
		}
		out[d.Step] = m
	}
	return out
}

// Marks returns the marks of the review as JSON, for the viewer's list of moves.
func (r Review) Marks() (string, error) {
	if len(r.marks) == 0 {
		return "", nil
	}
	text, err := json.Marshal(r.marks)
	return string(text), err
}
