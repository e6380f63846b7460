package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
)

// A card that follows from its agent's decisions is shown to everybody; one with a number of one's own is refused with its place.
func TestACardIsUploadedCheckedAndShown(t *testing.T) {
	settingsIn(t)
	url := serving(t, migrated(t))
	dir := t.TempDir()
	told(t, "", "evaluate", "greedy", "--plan", "quick", "--games", "cia", "--out", dir)
	told(t, "", "login", url, "--name", "ada")
	state := func() (hash, said string) {
		t.Helper()
		var up struct{ Hash, State, Reason string }
		must.OK(t, json.Unmarshal([]byte(told(t, "", "card", "upload", dir, "--json")), &up))
		for up.State == "waiting" || up.State == "running" {
			time.Sleep(50 * time.Millisecond)
			must.OK(t, json.Unmarshal([]byte(told(t, "", "card", "show", up.Hash, "--json")), &up))
		}
		return up.Hash, up.State + " " + up.Reason
	}
	hash, said := state()
	if said != "checked " {
		t.Fatalf("the card is %s", said)
	}
	if out := told(t, "", "card", "show", hash); out != url+"/cards/"+hash+"\n" {
		t.Errorf("card show prints %q, want the address of its page", out)
	}
	says(t, told(t, "", "card", "list"), hash)
	page, err := http.Get(url + "/cards/" + hash)
	must.OK(t, err)
	defer page.Body.Close()
	if text, err := io.ReadAll(page.Body); err != nil || page.StatusCode != 200 || !strings.Contains(string(text), "Strength") {
		t.Errorf("its page answers %d (%v)", page.StatusCode, err)
	}
	file := filepath.Join(dir, "card.json")
	text, err := os.ReadFile(file)
	must.OK(t, err)
	must.OK(t, os.WriteFile(file, bytes.Replace(text, []byte(`"matches": 72`), []byte(`"matches": 73`), 1), 0o600))
	if _, said := state(); !strings.Contains(said, "/games/0/matches is 73 in the card") {
		t.Errorf("a card with another number of matches is %s", said)
	}
	for was, is := range map[string]string{`"limit_ms": 1000`: `"limit_ms": 400000`, `"bank_ms": 10000`: `"bank_ms": -1`, `"name": "quick"`: `"name": "easy"`, `"game": "cia"`: `"game": "chess"`} {
		must.OK(t, os.WriteFile(file, bytes.Replace(text, []byte(was), []byte(is), 1), 0o600))
		// The command line is right: it is the card that is refused.
		if _, errs := exits(t, 1, "evaluate", "verify", file, dir); !strings.Contains(errs, "card_refused") || strings.Contains(errs, "usage") || strings.Contains(errs, "--help") {
			t.Errorf("a card with %s is refused with %q", is, errs)
		}
	}
	told(t, "", "card", "delete", hash)
	if _, errs := exits(t, 1, "card", "show", hash); !strings.Contains(errs, hash) {
		t.Errorf("of a card that was deleted it says %q", errs)
	}
}
