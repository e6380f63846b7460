package gametest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"

	"github.com/molerun/molerun/engines/game"
)

// recordLine is one step of a recorded match.
type recordLine struct {
	Step   int          `json:"step"`
	Turns  []game.Turn  `json:"turns,omitempty"`
	Events []game.Event `json:"events"`
	Hash   string       `json:"hash"`
	Result *game.Result `json:"result,omitempty"`
}

// Record plays a match by the house and writes it down as JSON Lines: turns, events and state hash of every step and the
// result. A game keeps one such text per variant as its golden: a change of behaviour shows as a difference there.
func Record(e game.Engine, c Case, seed game.Seed) ([]byte, error) {
	t, events, err := e.New(json.RawMessage(c.Config), c.Seats, seed)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	var turns []game.Turn
	for {
		hash := t.Hash()
		line := recordLine{Step: t.Step(), Turns: turns, Events: events, Hash: hex.EncodeToString(hash[:])}
		if result, over := t.Result(); over {
			line.Result = &result
		}
		out.Write(append(JSON(line), '\n'))
		if line.Result != nil {
			return out.Bytes(), nil
		}
		turns = house(t)
		if events, err = t.Apply(turns); err != nil {
			return nil, err
		}
	}
}
