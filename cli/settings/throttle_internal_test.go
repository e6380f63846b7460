package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/molerun/molerun/internal/must"
)

// A full disk fails everything a process does, many times a second.
func TestAFailureThatRepeatsIsLoggedOnceInAWindowWithTheNumberLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := Settings{LogLevel: "info"}
		log, err := s.Logger(&out)
		must.OK(t, err)
		full := errors.New("the disk is full")
		for range 3 {
			for i := range 42 {
				log.With("match", i).Warn("lease was not renewed; will try again", "error", full)
				log.Error("request failed", "request_id", i, "route", "/v1/bots", "err", full)
			}
			log.Error("request failed", "route", "/v1/me", "err", full)
			time.Sleep(throttleWindow)
		}
		log.Warn("sweep failed; will try again", "error", full)
		for i := range 3 {
			log.Info("match finished", "match", i)
			log.Error("match is void", "match", i, "reason", "x")
		}
		got := map[string][]int{}
		for line := range bytes.Lines(out.Bytes()) {
			var said struct {
				Msg, Route string
				LeftOut    int `json:"left_out"`
			}
			must.OK(t, json.Unmarshal(line, &said))
			got[said.Msg+said.Route] = append(got[said.Msg+said.Route], said.LeftOut)
		}
		for kind, want := range map[string][]int{
			"lease was not renewed; will try again": {0, 41, 41}, "request failed/v1/bots": {0, 41, 41}, "request failed/v1/me": {0, 0, 0},
			"sweep failed; will try again": {0}, "match finished": {0, 0, 0}, "match is void": {0, 0, 0},
		} {
			if g, w := got[kind], want; len(g) != len(w) || len(g) > 1 && (g[1] != w[1] || g[2] != w[2]) {
				t.Errorf("%s: lines with %v left out, want %v", kind, g, w)
			}
		}
	})
}
