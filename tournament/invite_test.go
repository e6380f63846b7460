package tournament_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestOnlyItsCodeLetsIn(t *testing.T) {
	code, invite, err := tournament.NewInvite(rand.Reader)
	must.OK(t, err)
	other, _, err := tournament.NewInvite(rand.Reader)
	must.OK(t, err)
	if !strings.HasPrefix(code, "mi_") || len(code) != 3+32 || code == other || !invite.Needed() {
		t.Errorf("got %q and %q, needed: %v; want two codes, mi_ and 32 more, needed", code, other, invite.Needed())
	}
	if err := invite.Admit(code); err != nil {
		t.Errorf("the code itself: %v", err)
	}
	for _, wrong := range []string{"", other, code[:len(code)-1], code + "=", strings.ToLower(code), " " + code} {
		if err := invite.Admit(wrong); !errors.Is(err, tournament.ErrInvite) || strings.Contains(err.Error(), code) {
			t.Errorf("%q: got %v, want %v", wrong, err, tournament.ErrInvite)
		}
	}
	for _, any := range []string{"", code} {
		if err := (tournament.Invite{}).Admit(any); err != nil {
			t.Errorf("open to everybody, with %q: %v", any, err)
		}
	}
	if _, _, err := tournament.NewInvite(strings.NewReader("short")); err == nil {
		t.Error("a code was made without randomness")
	}
}

func TestOnlyARunningTournamentRests(t *testing.T) {
	now := tournament.Tournament{}.CreatedAt
	for _, row := range []struct {
		status        tournament.Status
		paused        bool
		pause, resume bool
	}{
		{tournament.Scheduled, false, false, false},
		{tournament.Running, false, true, false},
		{tournament.Running, true, false, true},
		{tournament.Finished, false, false, false},
		{tournament.Cancelled, false, false, false},
		{tournament.Cancelled, true, false, false},
	} {
		x := tournament.Tournament{Status: row.status}
		if row.paused {
			x.PausedAt = &now
		}
		for what, got := range map[string]struct {
			err error
			ok  bool
		}{"pause": {tournament.CanPause(x), row.pause}, "resume": {tournament.CanResume(x), row.resume}} {
			if (got.err == nil) != got.ok || got.err != nil && !errors.Is(got.err, tournament.ErrState) {
				t.Errorf("%s a %s one, paused %v: got %v, want allowed %v", what, row.status, row.paused, got.err, got.ok)
			}
		}
	}
}
