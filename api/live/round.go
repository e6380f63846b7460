package live

import (
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// RoundsOf returns the rounds of a contest as everyone may see them now.
func RoundsOf(c pairing.Contest, who tournament.Roster, hiddenTeams bool) []wire.Round {
	winners, annulled := pairing.Winners(c), c.Annulled()
	out := make([]wire.Round, len(c.Rounds))
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = roundOf(i+1, c, who, hiddenTeams)
		for k, f := range c.Rounds[i].Forfeits {
			out[i].Forfeits[k].Annulled = annulled(i, f.Winner, f.Loser)
		}
		for k, t := range out[i].Tables {
			out[i].Tables[k].Annulled = annulled(i, c.Rounds[i].Blocks[k].Games[0].Seats...)
			if winner, decided := winners[t.Tie]; decided && t.Over {
				out[i].Tables[k].Winner = who.At(winner, c.Rounds[i].Blocks[k].Games[0].Match).BotName
				delete(winners, t.Tie) // its last table has it
			}
		}
	}
	return out
}

// roundOf returns round number of a contest, from 1.
func roundOf(number int, c pairing.Contest, who tournament.Roster, hiddenTeams bool) wire.Round {
	r := c.Rounds[number-1]
	name := func(e int) string { return who.In(e, number).BotName }
	out := wire.Round{
		Round:    number,
		Playoff:  number > c.Playoff(),
		Final:    r.Final,
		Tables:   []wire.Table{},
		Byes:     []string{},
		Absent:   []wire.Absence{},
		Forfeits: []wire.Walkover{},
	}
	if !r.StartsAt.IsZero() {
		out.StartsAt = &r.StartsAt
	}
	for _, b := range r.Blocks {
		out.Tables = append(out.Tables, tableOf(b, who, hiddenTeams))
	}
	for _, e := range r.Byes {
		out.Byes = append(out.Byes, name(e))
	}
	for _, a := range r.Absent {
		out.Absent = append(out.Absent, wire.Absence{Bot: name(a.Entry), Why: a.Why})
	}
	names := func(list []int) []string {
		out := make([]string, len(list))
		for i, e := range list {
			out[i] = name(e)
		}
		return out
	}
	for _, x := range r.Changes {
		change := wire.Change{At: x.At, ByID: x.ByID, Reason: x.Reason}
		for _, table := range x.Tables {
			if !hiddenTeams {
				change.Tables = append(change.Tables, names(table))
			}
		}
		if len(x.Byes) > 0 {
			change.Byes = names(x.Byes)
		}
		out.Changes = append(out.Changes, change)
	}
	for _, f := range r.Forfeits {
		w := wire.Walkover{Tie: f.Tie, Loser: name(f.Loser), Why: f.Why}
		if f.Winner != pairing.Bye {
			w.Winner = name(f.Winner)
		}
		out.Forfeits = append(out.Forfeits, w)
	}
	return out
}

// tableOf seals a block that is not over, as its matches are.
func tableOf(b pairing.Block, who tournament.Roster, hiddenTeams bool) wire.Table {
	out := wire.Table{
		Tie:   b.Tie,
		Name:  b.Name,
		Games: len(b.Games),
		Over:  !b.Open(),
	}
	for _, g := range b.Games {
		if g.Result != nil && g.Result.Void {
			out.Games--
		}
	}
	out.Void = out.Games == 0
	if !out.Over && hiddenTeams {
		return out
	}
	lineup := b.Games[0].Seats
	points := map[int]float64{}
	for _, g := range b.Games {
		for seat, e := range g.Seats {
			if g.Result != nil && !g.Result.Void {
				points[e] += g.Result.Points[seat]
			}
		}
	}
	for _, e := range lineup {
		out.Bots = append(out.Bots, who.At(e, b.Games[0].Match).BotName)
		if out.Over && !out.Void {
			out.Points = append(out.Points, points[e])
		}
	}
	return out
}
