package login

import (
	"context"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/issuertest"
)

// TestATabThatIsClosedTakesNoLoginDown: who closes it while the issuer is asked for its endpoints asks for all.
func TestATabThatIsClosedTakesNoLoginDown(t *testing.T) {
	at := issuertest.New(t)
	i := newIssuer(Settings{Issuer: at.URL, ClientID: "molerun", PublicURL: "https://cup.example.org"}, time.Now)
	closed, closeTab := context.WithCancel(t.Context())
	closeTab()
	if _, err := i.ask(closed); err != nil {
		t.Errorf("the one who closes the tab: %v", err)
	}
	if _, err := i.ask(t.Context()); err != nil {
		t.Errorf("the next: %v", err)
	}
}
