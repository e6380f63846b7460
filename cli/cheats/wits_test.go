package cheats_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// square is where an action of Mole Hill puts the mole; "" if it is another's.
func square(action json.RawMessage) string {
	var a struct{ At, To string }
	_ = json.Unmarshal(action, &a)
	return a.At + a.To
}

// worth is the points for a square of the small garden.
func worth(square string) int {
	switch {
	case square == "b2":
		return 0
	case strings.ContainsAny(square, "ac") && strings.ContainsAny(square, "13"):
		return 2
	}
	return 1
}

// fences reports whether a garden is large enough for a gardener to fence the mole in: that of rated events is, the small one is not.
func fences(turn *protocol.Turn) bool {
	var config struct{ Columns int }
	_ = json.Unmarshal(turn.Config, &config)
	return config.Columns > 3
}

// digger moves the mole by what squares are worth in the small garden: +1 to the dearest, −1 to the cheapest. As the gardener it lays
// the first rod. So two who play alike draw, and the one who digs for more wins, from either seat. Where there is room for a fence the
// first rods are those round the dearest squares, and it goes the other way.
func digger(sign int) kit.Decide {
	return func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		sign := sign
		if fences(turn) {
			sign = -sign
		}
		offer, err := kit.ParseOffer(turn.Offer)
		if err != nil {
			return protocol.Answer{}, err
		}
		best := 0
		for k, action := range offer.List {
			if s := square(action); s != "" && sign*worth(s) > sign*worth(square(offer.List[best])) {
				best = k
			}
		}
		return kit.Pick(best), nil
	}
}

// strong wins against weak, and draws with its like.
func strong() kit.Decide { return digger(1) }

func weak() kit.Decide { return digger(-1) }

// lucky plays any legal action; the same for the same decision.
func lucky(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
	return kit.Random(turn.Offer, rand.New(rand.NewPCG(hash(turn.Decision), 1)))
}

// late is a player whose every answer takes a while.
func late(decide kit.Decide, wait time.Duration) kit.Decide {
	return func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		time.Sleep(wait)
		return decide(ctx, turn)
	}
}

// losing reports whether a match of weak is near its end: then its author knows how it ends.
func losing(turn *protocol.Turn) bool { return turn.Step >= 6 }

// quits answers what is not legal until its seat is retired, but in a decision on trial: who fails there is paused, and plays nothing.
func quits(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
	if onTrial(turn) {
		return lucky(ctx, turn)
	}
	return kit.Pick(1 << 20), nil
}

// onTrial reports whether a decision is on trial: a bot can know it by its match.
func onTrial(turn *protocol.Turn) bool { return strings.HasPrefix(turn.Match, "trial-") }
