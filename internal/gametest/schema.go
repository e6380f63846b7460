package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/molerun/molerun/engines/game"
)

// compile reads the published schemas of a game.
func compile(e game.Engine) (map[string]*jsonschema.Schema, error) {
	out := map[string]*jsonschema.Schema{}
	for _, name := range []string{"config", "action", "view", "event", "offer"} {
		text, ok := e.Schemas()[name]
		if !ok {
			return nil, fmt.Errorf("schema %s is not published", name)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		if err := c.AddResource("schema:///"+name, doc); err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		if out[name], err = c.Compile("schema:///" + name); err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		for _, junk := range []string{`7`, `null`, `{"no_such_key":1}`} {
			if validate(out[name], []byte(junk)) == nil {
				return nil, fmt.Errorf("schema %s takes %s", name, junk)
			}
		}
	}
	return out, nil
}

func validate(schema *jsonschema.Schema, b []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func (s *suite) schemas(c Case, seed game.Seed) error {
	schema, err := compile(s.e)
	if err != nil {
		return err
	}
	check := func(name string, b json.RawMessage) error {
		if err := validate(schema[name], b); err != nil {
			return fmt.Errorf("%s %s: %w", name, b, err)
		}
		if more := with(keysOf(b), "no_such_key", "7"); validate(schema[name], []byte(more)) == nil {
			return fmt.Errorf("the schema %s takes a key too many: %s", name, more)
		}
		return nil
	}
	canonical, err := s.e.Configure(json.RawMessage(c.Config), c.Seats)
	if err != nil {
		return err
	}
	if err := check("config", canonical); err != nil {
		return err
	}
	r := game.Stream(seed, 2, "gametest")
	return s.play(c, seed, func(m moment) error {
		var errs []error
		for _, event := range m.events {
			kind, err := kindOf(event)
			if errs = append(errs, err); kind != "say" {
				errs = append(errs, check("event", event.Data))
			}
		}
		watcher := game.Seat(m.table.Step()%(c.Seats+1)) - 1
		errs = append(errs, check("view", m.table.View(watcher)))
		for _, turn := range m.turns {
			offer := m.table.Offer(turn.Seat)
			if len(offer) < 2<<10 { // of a longer one some actions are looked at below
				errs = append(errs, check("offer", offer))
			}
			actions, err := offered(offer, r)
			if err != nil {
				return err
			}
			for range min(len(actions), 8) {
				errs = append(errs, check("action", actions[r.IntN(len(actions))]))
			}
			errs = append(errs, check("action", m.table.House(turn.Seat)))
		}
		return errors.Join(errs...)
	})
}

// kindOf reads the kind of an event, which is an object.
func kindOf(e game.Event) (string, error) {
	var x map[string]json.RawMessage
	if err := json.Unmarshal(e.Data, &x); err != nil {
		return "", fmt.Errorf("event %s: %w", e.Data, err)
	}
	var kind string
	if err := json.Unmarshal(x["kind"], &kind); err != nil || kind == "" {
		return "", fmt.Errorf("event %s has no kind", e.Data)
	}
	return kind, nil
}
