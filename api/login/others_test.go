package login_test

import (
	"bufio"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/internal/must"
)

// The secret of both clients of the issuer of others, and its user.
const (
	othersSecret   = "a secret of both clients"
	othersUser     = "ada"
	othersPassword = "verysecure"
)

// builtIssuer is the program of an issuer that others have written.
func builtIssuer(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "issuer")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = "testdata/issuer"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// trusts makes the platform trust an issuer that is started with it, as one of its clients.
func trusts(t *testing.T, program, client string) func(*api.Config) {
	return func(cfg *api.Config) {
		issuer := exec.CommandContext(t.Context(), program, othersSecret, cfg.Login.PublicURL+"/login/callback")
		issuer.Stderr = os.Stderr
		keep, err := issuer.StdinPipe()
		must.OK(t, err)
		said, err := issuer.StdoutPipe()
		must.OK(t, err)
		must.OK(t, issuer.Start())
		t.Cleanup(func() {
			_ = keep.Close()
			_ = issuer.Wait()
		})
		address, err := bufio.NewReader(said).ReadString('\n')
		must.OK(t, err)
		cfg.Now = time.Now // as the issuer's
		cfg.Login.Issuer, cfg.Login.ClientID, cfg.Login.ClientSecret = strings.TrimSpace(address), client, othersSecret
	}
}

// passes logs in at the issuer of others, and returns where the platform leads to then.
func (p *person) passes() string {
	p.w.Helper()
	sent, err := url.Parse(p.goes(303, "GET", "/login", nil).to())
	must.OK(p.w, err)
	issuer := "http://" + sent.Host
	form, err := url.Parse(p.goes(302, "GET", sent.String(), nil).to())
	must.OK(p.w, err)
	id := form.Query().Get("authRequestID")
	back := p.goes(302, "POST", issuer+"/login/username", url.Values{"id": {id}, "username": {othersUser}, "password": {othersPassword}}).to()
	return p.goes(303, "GET", p.goes(302, "GET", back, nil).to(), nil).to()
}

// At night: what we have read of the standard is not only what our own issuer has read of it.
func TestAnIssuerOfOthersLogsPeopleIn(t *testing.T) {
	if os.Getenv("MOLERUN_NIGHTLY") == "" {
		return
	}
	program := builtIssuer(t)
	onSQLite(t, trusts(t, program, "web"), func(t *testing.T, w *world) {
		ada := w.person()
		if to := ada.passes(); to != "/login/name" {
			t.Fatalf("somebody new is led to %s, want /login/name", to)
		}
		ada.goes(303, "POST", "/login/name", url.Values{"name": {"ada"}})
		again := w.person()
		if to := again.passes(); to != "/me" || again.is() != "ada" {
			t.Errorf("the same person is led to %s as %q, want /me as ada", to, again.is())
		}
	})
	onSQLite(t, trusts(t, program, "device"), func(t *testing.T, w *world) {
		d := w.begun()
		w.looks(d.Handle, "ada", "pending")
		p := w.person()
		issuer := strings.TrimSuffix(d.At, "/device")
		p.goes(200, "POST", issuer+"/device/login", url.Values{"user_code": {d.UserCode}, "username": {othersUser}, "password": {othersPassword}})
		p.goes(200, "POST", issuer+"/device/confirm", url.Values{"action": {"allowed"}})
		w.clock.Move(time.Duration(d.IntervalMS) * time.Millisecond)
		if made := w.looks(d.Handle, "ada", "done").Made; made == nil || made.User.Name != "ada" {
			t.Errorf("got %+v, want ada's account; the log: %s", made, w.log)
		}
	})
}
