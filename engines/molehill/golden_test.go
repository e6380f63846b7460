package molehill_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// TestMatchesReplayAsRecorded pins the replay format: one seed gives these events, views and state hashes for ever (or
// Info's Version is raised and the goldens written again).
func TestMatchesReplayAsRecorded(t *testing.T) {
	for _, variant := range engine.Info().Variants {
		x, events, err := engine.New([]byte(variant.Config), 2, game.Seed{0: 1, 31: 2})
		must.OK(t, err)
		var out bytes.Buffer
		for {
			text, err := json.Marshal(events)
			must.OK(t, err)
			fmt.Fprintf(&out, "{\"step\":%d,\"events\":%s,\"view_sha256\":\"%x\",\"hash\":\"%x\"}\n", x.Step(), text, sha256.Sum256(x.View(game.Spectator)), x.Hash())
			if x.Due() == 0 {
				break
			}
			events = gametest.HouseStep(t, x)
		}
		result, _ := x.Result()
		text, err := json.Marshal(result)
		must.OK(t, err)
		fmt.Fprintf(&out, "%s\n%s\n", x.View(game.Spectator), text)
		gametest.Golden(t, "match_"+variant.Name+".jsonl", out.Bytes())
	}
}
