package scorecard

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/cli/local/matches"
)

// Verify derives a card once more from the records in files, and has the bots of this program's pool decide again. It needs no network. The error is
// [card.ErrCard], with the first place that differs.
func Verify(ctx context.Context, b []byte, files fs.FS, here card.Pool, atOnce int, tell Progress) (card.Card, error) {
	return verify(ctx, b, here, tell, func(c card.Card) derivation {
		sums := map[string]string{}
		for _, r := range c.Run.Records {
			sums[r.File] = r.SHA256
		}
		return records(files, true, atOnce, func(file string) (sum [32]byte, ok bool) {
			raw, err := hex.DecodeString(sums[file])
			return [32]byte(append(raw, sum[:]...)[:32]), err == nil && len(raw) == 32
		})
	})
}

// VerifyDecisions derives a card once more from what its subject decided, as [card.DecisionsFile] has it: this program plays the matches again. The
// hashes of the records it takes from the card, for it sees none. The error is [card.ErrCard], with the first place that differs.
func VerifyDecisions(ctx context.Context, b []byte, decided io.Reader, here card.Pool, tell Progress) (card.Card, error) {
	return verify(ctx, b, here, tell, func(card.Card) derivation { return repeated(decided) })
}

// verify derives a card from the matches that from has, and compares. The error is [card.ErrCard].
func verify(ctx context.Context, b []byte, here card.Pool, tell Progress, from func(card.Card) derivation) (_ card.Card, err error) {
	defer func() {
		if errors.Is(err, ErrPlan) || errors.Is(err, matches.ErrProof) {
			err = fmt.Errorf("%w: %w", card.ErrCard, err)
		}
	}()
	none := card.Card{}
	c, err := card.Read(b)
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
			return none, fmt.Errorf("%w: %s is %s, this program has %s: use the release that played it (%s)", card.ErrCard, x.at, x.got, x.want, c.Program)
		}
	}
	var games []string
	for i, g := range c.Games {
		if slices.Contains(games, g.Game) {
			return none, fmt.Errorf("%w: /games/%d: %s a second time", card.ErrCard, i, g.Game)
		}
		games = append(games, g.Game)
	}
	if games == nil {
		return none, fmt.Errorf("%w: /games: there are none", card.ErrCard)
	}
	d := from(c)
	d.tell = tell
	derived, err := d.derive(ctx, head, plan, games)
	if err != nil {
		return none, err
	}
	for i, r := range derived.Run.Records { // of matches that were played again there is no file
		if r.SHA256 == "" && i < len(c.Run.Records) {
			derived.Run.Records[i].SHA256 = c.Run.Records[i].SHA256
		}
	}
	for i, u := range c.Run.Usage { // cards of earlier releases do not name models
		if u.Models == nil && i < len(derived.Run.Usage) {
			derived.Run.Usage[i].Models = nil
		}
	}
	x, err := matches.Differ(c, derived)
	if x != nil && x.At != "" {
		err = fmt.Errorf("%w: %s is %s in the card, and the records give %s", card.ErrCard, x.At, x.X, x.Y)
	}
	return derived, err
}
