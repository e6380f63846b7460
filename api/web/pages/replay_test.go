package pages_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/internal/must"
)

// TestAReplayThatGrowsIsTheSame: what was handed out before stays as it was.
func TestAReplayThatGrowsIsTheSame(t *testing.T) {
	spec, _ := played(t, "cia", 3, 60)
	used := []int{0} // after each step, decisions with a usage
	for i, step := range spec.Recorded {
		for k := range step.Turns {
			step.Turns[k].Usage = fmt.Appendf(nil, `{"model":"m%d"}`, 99-i)
		}
		used = append(used, used[i]+len(step.Turns))
	}
	rehash(t, spec)
	claimed := func(f *pages.Replay) int {
		n := 0
		for _, a := range f.Claims() {
			n += a.Decisions
			if !slices.IsSorted(a.Models) {
				t.Errorf("the models %v", a.Models)
			}
		}
		return n
	}
	want, err := pages.NewReplay(spec)
	must.OK(t, err)
	steps := spec.Recorded
	moves := func(f *pages.Replay) []pages.Move { return f.Moves(0, len(steps)+1, true, nil) }
	for _, size := range []int{1, 7, len(steps)} {
		shooting, err := pages.NewRecorder(spec)
		must.OK(t, err)
		var replays []*pages.Replay
		bytes := shooting.Bytes()
		for part := range slices.Chunk(steps, size) {
			replays = append(replays, shooting.Replay())
			if err := shooting.Play(part); err != nil {
				t.Fatalf("%d steps at a time: %v", size, err)
			}
			if now := shooting.Bytes(); now <= bytes {
				t.Errorf("%d steps at a time: the replay takes %d bytes after %d", size, now, bytes)
			}
			bytes = shooting.Bytes()
		}
		if got := shooting.Replay(); !reflect.DeepEqual(moves(got), moves(want)) || got.Last() != want.Last() || shooting.Step() != want.Last() {
			t.Errorf("%d steps at a time: got another replay of %d steps, want that of the whole record, %d", size, got.Last(), want.Last())
		}
		if a, b := shooting.Replay(), shooting.Replay(); a != b {
			t.Error("a replay that has not grown is another one each time")
		}
		for i, f := range replays {
			if last := i * size; f.Last() != last || !reflect.DeepEqual(moves(f), moves(want)[:last+1]) {
				t.Errorf("%d steps at a time: the replay of %d steps has changed since it was handed out", size, last)
			} else if n := claimed(f); n != used[last] {
				t.Errorf("%d steps at a time: %d decisions have a usage after %d steps, want %d", size, n, last, used[last])
			}
		}
	}
}

func TestAReplayRefusesWhatDoesNotFit(t *testing.T) {
	spec, _ := played(t, "cia", 3, 60)
	shooting, err := pages.NewRecorder(spec)
	must.OK(t, err)
	spec.Recorded[2].Hash[0] ^= 1
	if err := shooting.Play(spec.Recorded); err == nil || !strings.Contains(err.Error(), "step 3 does not fit its hash") {
		t.Errorf("another hash: got %v, want a refusal that names step 3", err)
	}
	spec.Header.Seats = nil
	if _, err := pages.NewRecorder(spec); err == nil || !strings.HasPrefix(err.Error(), "pages: ") {
		t.Errorf("without seats: got %v, want a refusal", err)
	}
}
