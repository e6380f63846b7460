package account_test

import (
	"os"
	"testing"

	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// A token that is made once there is a draft can be kept, whatever else has filled the disk by then.
func TestADraftHasRoomForAnAccount(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	clitest.OnAFullDisk(t, func() {
		if _, err := account.NewDraft(); err == nil {
			t.Error("there is a draft on a full disk")
		}
	})
	if left, err := os.ReadDir(dir + "/molerun"); err != nil || len(left) > 0 {
		t.Errorf("%v (%v) are left, want nothing", left, err)
	}
	draft, err := account.NewDraft()
	must.OK(t, err)
	want := account.Account{URL: "https://molerun.example.org", Name: "ada", Token: "mr_x"}
	must.OK(t, draft.Keep(want))
	if got, err := account.Read(); err != nil || got != want {
		t.Errorf("kept %+v (%v), want %+v", got, err, want)
	}
}
