package rating

// Forecast is the chance, 0 to 1, that one side of a comparison was given before a match, and what that side scored: 1, ½ or 0.
// The side is the earlier of two seats, or the team of the first seat.
type Forecast struct{ Chance, Score float64 }

// Forecasts returns the comparisons that m is rated by, each with the chance that the caller gives: seats is asked for the chance that
// seat i is placed before seat j, teams for the chance that the team of the first seat wins. Two seats of one version are not
// compared; a void match, and a team game from which a seat retired, has no forecasts.
func (m Match) Forecasts(seats func(i, j int) float64, teams func() float64) []Forecast {
	if m.Void {
		return nil
	}
	if m.Teams() {
		return m.teamForecast(teams)
	}
	place := m.Places()
	var list []Forecast
	for j := range m.Seats {
		for i := range j {
			if m.Seats[i].Player != m.Seats[j].Player {
				list = append(list, Forecast{Chance: seats(i, j), Score: versus(place[i], place[j])})
			}
		}
	}
	return list
}

func (m Match) teamForecast(chance func() float64) []Forecast {
	first, alone := m.Seats[0], true
	other := first.Rank
	for _, s := range m.Seats {
		if s.Retired {
			return nil
		}
		alone = alone && s.Player == first.Player
		if s.Team != first.Team {
			other = s.Rank
		}
	}
	if alone {
		return nil
	}
	return []Forecast{{Chance: chance(), Score: versus(first.Rank, other)}}
}

// Expectations returns the forecasts of m that follow from the ratings as they stand before it. It must be one that [Match.Check]
// takes.
func Expectations(m Match, players []State, p Params) []Forecast {
	adv := p.Tables[len(m.Seats)].Seat
	return m.Forecasts(func(i, j int) float64 {
		diff := float64(players[m.Seats[i].Player].Rating-players[m.Seats[j].Player].Rating) / 1000
		if len(adv) > 0 {
			diff += adv[i] - adv[j]
		}
		return Expected(diff)
	}, func() float64 {
		lines, _ := teamed(m.Seats, players, p)
		return lines[0].expected
	})
}
