package scorecard

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/engines/game/strict"
)

// ErrCard means that a card does not follow from its records; the text names the first place that differs.
var ErrCard = errors.New("card_refused")

// Verify derives a card once more from the records in files, and has the bots of this program's pool decide again. It needs no network. The error is
// [ErrCard], with the first place that differs.
func Verify(ctx context.Context, b []byte, files fs.FS, here card.Pool, atOnce int, tell Progress) (card.Card, error) {
	c, err := verify(ctx, b, files, here, atOnce, tell)
	for _, known := range []error{ErrPlan, matches.ErrProof} {
		if errors.Is(err, known) {
			err = fmt.Errorf("%w: %w", ErrCard, err)
		}
	}
	return c, err
}

// Read reads a card and does not check what it says. The error is [ErrCard].
func Read(b []byte) (card.Card, error) {
	var c card.Card
	if len(b) > card.MaxBytes {
		return c, fmt.Errorf("%w: the card has %d bytes; want %d at most", ErrCard, len(b), card.MaxBytes)
	}
	if err := strict.Decode(b, &c); err != nil {
		return c, fmt.Errorf("%w: the card: %w", ErrCard, err)
	}
	if c.Format != card.Format {
		return c, fmt.Errorf("%w: /format is %q, this program reads %q", ErrCard, c.Format, card.Format)
	}
	return c, nil
}

func verify(ctx context.Context, b []byte, files fs.FS, here card.Pool, atOnce int, tell Progress) (card.Card, error) {
	none := card.Card{}
	c, err := Read(b)
	if err != nil {
		return none, err
	}
	plan, err := FindPlan(c.Plan.Name)
	if err != nil {
		return none, err
	}
	head := card.Card{
		Subject: c.Subject, Program: c.Program, Clock: c.Clock,
		Plan: card.Plan{Name: plan.Name, Hash: plan.Hash()}, Pool: here,
	}
	for _, x := range []struct{ at, got, want string }{
		{"/plan/hash", c.Plan.Hash, head.Plan.Hash},
		{"/pool/version", fmt.Sprint(c.Pool.Version), fmt.Sprint(head.Pool.Version)},
		{"/pool/hash", c.Pool.Hash, head.Pool.Hash},
	} {
		if x.got != x.want {
			return none, fmt.Errorf("%w: %s is %s, this program has %s: use the release that played it (%s)", ErrCard, x.at, x.got, x.want, c.Program)
		}
	}
	var games []string
	for i, g := range c.Games {
		if slices.Contains(games, g.Game) {
			return none, fmt.Errorf("%w: /games/%d: %s a second time", ErrCard, i, g.Game)
		}
		games = append(games, g.Game)
	}
	if games == nil {
		return none, fmt.Errorf("%w: /games: there are none", ErrCard)
	}
	sums := map[string]string{}
	for _, r := range c.Run.Records {
		sums[r.File] = r.SHA256
	}
	d := derivation{files: files, again: true, atOnce: atOnce, tell: tell, sum: func(file string) (sum [32]byte, ok bool) {
		raw, err := hex.DecodeString(sums[file])
		return [32]byte(append(raw, sum[:]...)[:32]), err == nil && len(raw) == 32
	}}
	derived, err := d.derive(ctx, head, plan, games)
	if err != nil {
		return none, err
	}
	return derived, compare(c, derived)
}

// compare refuses a card that is not the derived one.
func compare(c, derived card.Card) error {
	var a, b any
	for _, x := range []struct {
		card card.Card
		to   *any
	}{{c, &a}, {derived, &b}} {
		text, err := x.card.JSON()
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, x.to); err != nil {
			return err
		}
	}
	if where := difference(a, b, ""); where != "" {
		return fmt.Errorf("%w: %s", ErrCard, where)
	}
	return nil
}

// difference returns the first place where a card is not as its records have it; "" if there is none.
func difference(card, records any, at string) string {
	switch a := card.(type) {
	case map[string]any:
		b, ok := records.(map[string]any)
		if !ok {
			break
		}
		keys := maps.Clone(a)
		maps.Copy(keys, b)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if where := difference(a[key], b[key], at+"/"+key); where != "" {
				return where
			}
		}
		return ""
	case []any:
		if b, ok := records.([]any); ok && len(a) == len(b) {
			for i := range a {
				if where := difference(a[i], b[i], fmt.Sprintf("%s/%d", at, i)); where != "" {
					return where
				}
			}
			return ""
		}
	}
	if reflect.DeepEqual(card, records) {
		return ""
	}
	a, _ := json.Marshal(card) // was JSON
	b, _ := json.Marshal(records)
	return fmt.Sprintf("%s is %s in the card, and the records give %s", at, a, b)
}
