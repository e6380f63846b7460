package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// malformed returns actions that every game refuses at every moment.
func malformed() []string {
	return []string{
		``, ` `, `null`, `true`, `7`, `"type"`, `[]`, `{}`, `[{"type":"x"}]`, `{"type":`, `{"type":null}`, `{"type":7}`, `{"type":""}`,
		`{"type":"no_such_type"}`, `{"type":["x"]}`, "{\"type\":\"\xff\"}", `{"type":"x","type":"x"}`, `{"no_such_key":1}`,
		strings.Repeat(`[`, 1000), strings.Repeat(`{"a":`, 100) + `1` + strings.Repeat(`}`, 100), `{"type":"x"}{"type":"x"}`, `NaN`, `'x'`,
	}
}

// applyEvery thins out Apply, which reads all turns, among the bad actions; Check is asked about each.
const applyEvery = 8

func (s *suite) refuses(c Case, seed game.Seed) error {
	return s.play(c, seed, func(m moment) error {
		if len(m.turns) == 0 {
			return nil
		}
		before, hash := m.table.Snapshot(), m.table.Hash()
		turn := m.turns[m.table.Step()%len(m.turns)]
		sure := slices.Concat(malformed(), s.hostile, malformedFrom(turn.Action))
		for i, action := range slices.Concat(sure, mutatedFrom(turn.Action)) {
			apply := (i+m.table.Step())%applyEvery == 0
			if err := refused(m, turn.Seat, action, i < len(sure), apply); err != nil {
				return err
			}
		}
		return unchanged(m.table, before, hash)
	})
}

// refused checks that Check refuses an action that must be, and that Apply refuses what Check does.
func refused(m moment, seat game.Seat, action string, must, apply bool) error {
	err := m.table.Check(game.Turn{Seat: seat, Action: json.RawMessage(action)})
	if err == nil && !must {
		return nil
	}
	if !errors.Is(err, game.ErrIllegal) {
		return fmt.Errorf("Check of %q: want %v, got %v", action, game.ErrIllegal, err)
	}
	if _, detail := game.Code(err); detail == "" || detail == game.ErrIllegal.Error() {
		return fmt.Errorf("Check of %q gives no reason", action)
	}
	if !apply {
		return nil
	}
	hash := m.table.Hash()
	if _, err := m.table.Apply(exchanged(m.turns, seat, json.RawMessage(action))); !errors.Is(err, game.ErrIllegal) {
		return fmt.Errorf("Apply of %q: want %v, got %v", action, game.ErrIllegal, err)
	}
	if m.table.Hash() != hash {
		return fmt.Errorf("%q was refused, but the table has changed", action)
	}
	return nil
}

// malformedFrom spoils the form of a legal action.
func malformedFrom(action json.RawMessage) []string {
	text := string(action)
	body := text[1 : len(text)-1]
	out := []string{
		text + text, text + "x", text[:len(text)-1], "[" + text + "]", "{" + body + "," + body + "}", "{" + body + `,"no_such_key":1}`,
	}
	keys := keysOf(action)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		out = append(out, with(keys, key, `{"no_such_key":1}`))
		if key == "type" {
			out = append(out, with(keys, key, `"no_such_type"`))
		}
		renamed := maps.Clone(keys)
		delete(renamed, key)
		renamed[strings.ToUpper(key)] = keys[key]
		out = append(out, string(JSON(renamed)))
	}
	return out
}

// mutatedFrom spoils the meaning of a legal action; some of these may still be legal.
func mutatedFrom(action json.RawMessage) []string {
	var out []string
	keys := keysOf(action)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		for _, value := range []string{"", "null", "-1", "0", "1", "6", "99", "1e3", "1.5", "true", `""`, `"x"`, "[]", "[0]", "[0,0]", "[99]"} {
			out = append(out, with(keys, key, value))
		}
	}
	return out
}

func keysOf(action json.RawMessage) map[string]json.RawMessage {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(action, &keys); err != nil {
		panic(fmt.Sprintf("gametest: the legal action %s is not an object: %v", action, err))
	}
	return keys
}

// with returns the object with one value exchanged, or without the key if value is empty.
func with(keys map[string]json.RawMessage, key, value string) string {
	out := maps.Clone(keys)
	if out[key] = json.RawMessage(value); value == "" {
		delete(out, key)
	}
	return string(JSON(out))
}

func (s *suite) refusesTurns(c Case, seed game.Seed) error {
	return s.play(c, seed, func(m moment) error {
		if len(m.turns) == 0 {
			return nil
		}
		before, hash := m.table.Snapshot(), m.table.Hash()
		one := m.turns[0]
		idle := (game.FirstSeats(c.Seats) &^ m.table.Due()).Lowest()
		say := func(words string) []game.Turn {
			turns := slices.Clone(m.turns)
			turns[0].Say = words
			return turns
		}
		for _, bad := range []struct {
			name  string
			turns []game.Turn
			want  error
		}{
			{"no turns", nil, game.ErrSeats},
			{"a turn missing", m.turns[1:], game.ErrSeats},
			{"a turn twice", append(slices.Clone(m.turns), one), game.ErrSeats},
			{"a spectator's turn", append(slices.Clone(m.turns), game.Turn{Seat: game.Spectator, Action: one.Action}), game.ErrSeats},
			{"a turn of no seat", append(slices.Clone(m.turns), game.Turn{Seat: game.Seat(c.Seats), Action: one.Action}), game.ErrSeats},
			{"a turn of a seat that is not due", append(slices.Clone(m.turns), game.Turn{Seat: idle, Action: one.Action}), game.ErrSeats},
			{"too many words", say(strings.Repeat("x", game.MaxSayBytes+1)), game.ErrSay},
			{"words that are no text", say("\xff"), game.ErrSay},
		} {
			if _, err := m.table.Apply(bad.turns); !errors.Is(err, bad.want) {
				return fmt.Errorf("%s: want %v, got %v", bad.name, bad.want, err)
			}
			if err := unchanged(m.table, before, hash); err != nil {
				return fmt.Errorf("%s was refused, but %w", bad.name, err)
			}
		}
		if err := m.table.Check(say("words")[0]); errors.Is(err, game.ErrSay) == s.e.Info().Talk {
			return fmt.Errorf("words: talk is %v, got %v", s.e.Info().Talk, err)
		}
		return nil
	})
}

func (s *suite) configures(c Case, _ game.Seed) error {
	info := s.e.Info()
	canonical, err := s.e.Configure(json.RawMessage(c.Config), c.Seats)
	if err != nil {
		return err
	}
	again, err := s.e.Configure(canonical, c.Seats)
	if err != nil || string(again) != string(canonical) {
		return fmt.Errorf("the canonical form %s becomes %s, %v", canonical, again, err)
	}
	keys := keysOf(canonical)
	bad := slices.Concat(s.badConf, []string{"x", "null", "[]", "7", "{", `{}{}`, `{"no_such_key":1}`})
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		bad = append(bad, with(keys, key, `{"no_such_key":[]}`), with(keys, strings.ToUpper(key), "1"))
	}
	for _, config := range bad {
		if _, err := s.e.Configure(json.RawMessage(config), c.Seats); !errors.Is(err, game.ErrConfig) {
			return fmt.Errorf("configuration %s: want %v, got %v", config, game.ErrConfig, err)
		}
		if _, _, err := s.e.New(json.RawMessage(config), c.Seats, Seed(0)); !errors.Is(err, game.ErrConfig) {
			return fmt.Errorf("New with %s: want %v, got %v", config, game.ErrConfig, err)
		}
	}
	for _, seats := range []int{-1, 0, info.MinSeats - 1, info.MaxSeats + 1, 1000} {
		if _, err := s.e.Configure(json.RawMessage(c.Config), seats); !errors.Is(err, game.ErrConfig) {
			return fmt.Errorf("%d seats: want %v, got %v", seats, game.ErrConfig, err)
		}
	}
	return nil
}
