package author

import (
	"os"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/starters"
)

// Two commands that write a bot into one folder at once leave the files of one of them: the one that comes second to a file takes its own back.
func TestWhoFindsAFileOfAnotherInitLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	late := []starters.File{{Name: "bot.py", Body: []byte("1")}, {Name: "bot.js", Body: []byte("2")}, {Name: "bot.py", Body: []byte("3")}} // the third is there by then
	if _, err := write(late, dir, false); err == nil || !strings.Contains(err.Error(), "bot.py: exists already, nothing was written") {
		t.Errorf("got %v, want a refusal", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v (%v) are left, want nothing", left, err)
	}
}
