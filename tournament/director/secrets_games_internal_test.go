package director

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// secret is a hidden thing of a seat, in classes of known odds.
type secret struct {
	name string
	odds []float64
}

// secretive is a game with hidden things, or with luck to come.
type secretive struct {
	id, config string
	seats      int
	matches    int // looked at in each format
	secrets    []secret
	read       func(t game.Table) ([][]int, error) // the classes, by secret and seat
}

func secretives() []secretive {
	sevenths := slices.Repeat([]float64{1. / 7}, 7)
	return []secretive{
		{"demol", `{}`, 5, 750, []secret{{"role", []float64{.4, .6}}}, readRoles},
		{"cia", `{"top_secret":true}`, 3, 750, []secret{{"agent", sevenths}, {"card", []float64{10. / 26, 9. / 26, 7. / 26}}}, readAgents},
		{"molemajority", `{}`, 2, 250, []secret{{"hand", []float64{2002. / 8568, 4004. / 8568, 2562. / 8568}}}, readHands},
		{"mole", `{}`, 2, 250, []secret{{"flick", []float64{.4996, .5004}}}, readFlicks},
	}
}

func readRoles(t game.Table) ([][]int, error) {
	roles := make([]int, t.Seats())
	for seat, role := range t.Teams() {
		if role != "mole" {
			roles[seat] = 1
		}
	}
	return [][]int{roles}, nil
}

// own is what the views of these games tell a seat alone.
type own struct {
	Phase string `json:"phase"`
	Me    struct {
		Agent string   `json:"agent"`
		Cards []string `json:"cards"`
		Hand  []string `json:"hand"`
	} `json:"me"`
}

func ownOf(t game.Table, seat int) (o own, err error) {
	err = json.Unmarshal(t.View(game.Seat(seat)), &o)
	return o, err
}

// readAgents gives each seat's agent, and of what kind the first of its two cards is.
func readAgents(t game.Table) ([][]int, error) {
	agents, cards := make([]int, t.Seats()), make([]int, t.Seats())
	for seat := range t.Seats() {
		o, err := ownOf(t, seat)
		if err != nil {
			return nil, err
		}
		agents[seat] = slices.Index([]string{"grey", "yellow", "orange", "red", "blue", "green", "purple"}, o.Me.Agent)
		cards[seat] = kindOf(o.Me.Cards[0])
	}
	return [][]int{agents, cards}, nil
}

// kindOf sorts the 26 Top Secret cards of three seats: 10 say back or forward, 9 others name an agent, 7 neither.
func kindOf(card string) int {
	switch {
	case strings.Contains(card, "back"), strings.Contains(card, "forward"):
		return 0
	case strings.Contains(card, "agent"):
		return 1
	}
	return 2
}

// readHands plays the set-up of Mole Majority and counts a kind of card in each first hand.
func readHands(t game.Table) ([][]int, error) {
	for o, err := ownOf(t, 0); o.Phase != "play"; o, err = ownOf(t, 0) {
		if err == nil {
			_, err = houses(t)
		}
		if err != nil {
			return nil, err
		}
	}
	hands := make([]int, t.Seats())
	for seat := range t.Seats() {
		o, err := ownOf(t, seat)
		if err != nil {
			return nil, err
		}
		for _, card := range o.Me.Hand {
			if card == "number_2" && hands[seat] < 2 {
				hands[seat]++
			}
		}
	}
	return [][]int{hands}, nil
}

// houses plays one step by the house.
func houses(t game.Table) ([]game.Event, error) {
	var turns []game.Turn
	for seat := range t.Due().Each() {
		turns = append(turns, game.Turn{Seat: seat, Action: t.House(seat)})
	}
	return t.Apply(turns)
}

// readFlicks plays Mole until the first flick: to which side of where it was aimed it goes, the same for both seats.
func readFlicks(t game.Table) ([][]int, error) {
	for t.Due() != 0 {
		events, err := houses(t)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			var f struct {
				Kind     string `json:"kind"`
				Intended struct {
					Angle int `json:"angle_mdeg"`
				} `json:"intended"`
				Executed struct {
					Angle int `json:"angle_mdeg"`
				} `json:"executed"`
			}
			if err := json.Unmarshal(e.Data, &f); err != nil {
				return nil, err
			}
			if f.Kind == "flick" {
				const turn = 360_000
				side := 0
				if (f.Executed.Angle-f.Intended.Angle+turn)%turn < turn/2 {
					side = 1
				}
				return [][]int{{side, side}}, nil
			}
		}
	}
	return nil, errors.New("a match without a flick")
}
