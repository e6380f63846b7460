package main

import (
	"fmt"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// askWanted is the most that making a view and an offer may cost where the bounds were set, in µs.
const askWanted = 15

// asks measures what is made for each decision: the view and the offer of a seat as JSON, in processor time, garbage
// collection included, in the mean of all decisions of random matches.
func asks(span time.Duration) ([]figure, error) {
	var rows []figure
	machine := paceOf(span, cpu)
	for _, c := range contests(false) {
		cost, err := c.askCost(span)
		if err != nil {
			return nil, err
		}
		rows = append(rows, ceiling("view + offer: "+c.name, "µs", float64(cost.Nanoseconds())/1e3, machine.scaled(askWanted), fmt.Sprintf("%d µs, %s", askWanted, machine), 1))
	}
	return rows, nil
}

// askCost returns the mean for one decision. The asks of a step are made several times over, so that reading the clock does not
// count.
func (c contest) askCost(span time.Duration) (time.Duration, error) {
	const times = 16
	var spent time.Duration
	made := 0
	for match := 0; spent < span; match++ {
		table, _, err := c.engine.New([]byte(c.config), c.seats, game.Seed{3, byte(match), byte(match >> 8)})
		if err != nil {
			return 0, fmt.Errorf("%s: %w", c.name, err)
		}
		for due := table.Due(); due != 0; due = table.Due() {
			at := cpu()
			for range times {
				for seat := range due.Each() {
					table.View(seat)
					table.Offer(seat)
				}
			}
			spent += cpu() - at
			made += times * due.Len()
			var turns []game.Turn
			for seat := range due.Each() {
				turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
			}
			if _, err := table.Apply(turns); err != nil {
				return 0, fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return spent / time.Duration(made), nil
}
