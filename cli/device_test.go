package cli_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/internal/issuertest"
	"github.com/molerun/molerun/internal/must"
)

// monitor is where a command line writes while somebody reads along.
type monitor struct {
	mu   sync.Mutex
	text bytes.Buffer
	wake chan struct{}
	over chan struct{} // closed when nothing more will be written
}

func newMonitor() *monitor { return &monitor{wake: make(chan struct{}, 1), over: make(chan struct{})} }

func (s *monitor) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return s.text.Write(b)
}

func (s *monitor) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// find waits until the screen shows what matches.
func (s *monitor) find(t *testing.T, what *regexp.Regexp) string {
	t.Helper()
	for {
		if found := what.FindStringSubmatch(s.String()); found != nil {
			return found[1]
		}
		select {
		case <-s.wake:
		case <-s.over:
			if !what.MatchString(s.String()) {
				t.Fatalf("%s is not shown: %s", what, s)
			}
		}
	}
}

var userCode = regexp.MustCompile(`type (\S+) there`)

// devices logs in with the device flow; person does what the person in the browser does.
func devices(t *testing.T, ctx context.Context, in io.Reader, url string, person func(code string), more ...string) (int, string, string) {
	t.Helper()
	return logsIn(t, ctx, in, person, append([]string{url, "--device"}, more...)...)
}

// logsIn logs in; person does what the person in the browser does, once a code for them is shown.
func logsIn(t *testing.T, ctx context.Context, in io.Reader, person func(code string), args ...string) (int, string, string) {
	t.Helper()
	var out bytes.Buffer
	errs, ended := newMonitor(), make(chan int, 1)
	go func() {
		defer close(errs.over)
		ended <- cli.MainContext(ctx, append([]string{"login"}, args...), in, &out, errs)
	}()
	person(errs.find(t, userCode))
	code := <-ended
	return code, out.String(), errs.String()
}

// trusting returns the address of a platform where new accounts begin with a login, and its issuer.
func trusting(t *testing.T) (*issuertest.Issuer, string) {
	t.Helper()
	issuer := issuertest.New(t)
	t.Setenv("MOLERUN_OIDC_ISSUER", issuer.URL)
	t.Setenv("MOLERUN_OIDC_CLIENT_ID", issuertest.ClientID)
	t.Setenv("MOLERUN_OIDC_CLIENT_SECRET", issuertest.ClientSecret)
	t.Setenv("MOLERUN_PUBLIC_URL", "https://molerun.example")
	t.Setenv("MOLERUN_REGISTRATION", "login")
	return issuer, serving(t, migrated(t))
}

// A look that comes to nothing, on the way or at the platform, ends no login.
func TestALoginOutlastsALookThatFails(t *testing.T) {
	settingsIn(t)
	issuer, platform := trusting(t)
	at, err := url.Parse(platform)
	must.OK(t, err)
	proxy, looks := httputil.NewSingleHostReverseProxy(at), atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" && strings.HasSuffix(r.URL.Path, "/token") {
			switch looks.Add(1) {
			case 1:
				panic(http.ErrAbortHandler)
			case 2:
				w.WriteHeader(http.StatusBadGateway)
				return
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	code, out, errs := devices(t, t.Context(), strings.NewReader(""), s.URL, func(code string) { issuer.Agree(code, "ada") }, "--name", "ada")
	if code != 0 || out != "ada at "+s.URL+"\n" || strings.Count(errs, "asks again until the code ends, at ") != 1 {
		t.Errorf("login prints %q and %q, exit code %d after %d looks", out, errs, code, looks.Load())
	}
}

func TestAnAuthorLogsInOnAnotherDevice(t *testing.T) {
	file := settingsIn(t)
	issuer, url := trusting(t)

	fails(t, 1, []string{"login", url, "--name", "ada"}, "registration_closed", "--device")
	agree := func(code string) { issuer.Agree(code, "ada") }
	code, _, errs := devices(t, t.Context(), strings.NewReader("x\u202ey\nada\n"), url, agree)
	if code != 1 || !strings.Contains(errs, "/name") {
		t.Errorf("a name that cannot be: exit code %d, %q", code, errs)
	}
	code, out, errs := devices(t, t.Context(), strings.NewReader("ada\n"), url, agree)
	if code != 0 || out != "ada at "+url+"\n" {
		t.Fatalf("login prints %q and %q, exit code %d", out, errs, code)
	}
	kept, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(kept), `"token": "mr_`) || strings.Contains(errs, "mr_") {
		t.Errorf("the token is kept as %s (%v), and shown: %v", kept, err, strings.Contains(errs, "mr_"))
	}
	if out := told(t, "", "bot", "list"); out != "" {
		t.Errorf("the token lists %q, want no bots", out)
	}
	bob := func(code string) { issuer.Agree(code, "bob") }
	if code, out, errs = devices(t, t.Context(), strings.NewReader("bob\n"), url, bob, "--name", "ADA", "--replace"); code != 0 || out != "bob at "+url+"\n" {
		t.Errorf("a name that is taken, then another: prints %q and %q, exit code %d", out, errs, code)
	}

	must.OK(t, os.Remove(file))
	if code, _, errs = devices(t, t.Context(), strings.NewReader(""), url, func(code string) { issuer.Agree(code, "") }); code != 1 || !strings.Contains(errs, "access_denied") {
		t.Errorf("who does not agree: exit code %d, %q; want 1 and access_denied", code, errs)
	}
	ctx, stop := context.WithCancel(t.Context())
	if code, _, errs = devices(t, ctx, strings.NewReader(""), url, func(string) { stop() }); code != 1 || !strings.Contains(errs, "stopped: nobody was logged in") {
		t.Errorf("who gives up: exit code %d, %q; want 1 and that it stopped", code, errs)
	}
	if rest, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(rest) != 0 {
		t.Errorf("logins that failed leave %v", rest)
	}
}
