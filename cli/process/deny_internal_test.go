package process

import (
	"io"
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/internal/must"
)

// TestBotsAreKeptFromWhatIsOurs tries addresses as texts: nothing is called.
func TestBotsAreKeptFromWhatIsOurs(t *testing.T) {
	for _, x := range []struct {
		name, database, listen, metrics string
		denied, allowed                 []string
	}{
		{"literal addresses", "", "127.0.0.1:8080", "[::1]:9090", []string{"127.0.0.1:8080", "[::ffff:127.0.0.1]:8080", "[::1]:9090"}, []string{"127.0.0.1:9090", "127.0.0.2:8080"}},
		{"every address", "", ":8080", "0.0.0.0:9090", []string{"127.0.0.1:8080", "10.1.2.3:8080", "[::1]:9090", "127.9.9.9:9090"}, []string{"10.1.2.3:8081"}},
		{"by name", "", "localhost:8080", "", []string{"127.0.0.1:8080"}, []string{"127.0.0.1:9090"}},
		{"by the name of a port", "", ":http-alt", "", []string{"127.0.0.1:8080"}, nil},
		{"a free port", "", "127.0.0.1:0", "", nil, []string{"127.0.0.1:8080"}},
		{"one database", "postgres://u:secret@127.0.0.1:6543/x", "127.0.0.1:8080", "", []string{"127.0.0.1:6543"}, []string{"127.0.0.1:5432"}},
		{"the usual port", "postgres://u@localhost/x", "127.0.0.1:8080", "", []string{"127.0.0.1:5432"}, nil},
		{ // wherever it leads later
			"a name that leads nowhere yet", "postgres://u@db.invalid:6432,127.0.0.9:6433/x", "127.0.0.1:8080", "",
			[]string{"10.1.2.3:6432", "127.0.0.1:6432", "[fd00::9]:6432", "127.0.0.9:6433"}, []string{"10.1.2.3:5432", "10.1.2.3:6433"},
		},
		{
			"several hosts", "postgres://u@10.0.0.7:5432,10.0.0.8:5433,[fd00::9]:5434/x?target_session_attrs=read-write", "127.0.0.1:8080", "",
			[]string{"10.0.0.7:5432", "10.0.0.8:5433", "[fd00::9]:5434"}, []string{"10.0.0.8:5432"},
		},
		{"hosts in the query", "postgres:///x?host=10.0.0.7,10.0.0.8&port=5432,6432", "127.0.0.1:8080", "", []string{"10.0.0.7:5432", "10.0.0.8:6432"}, nil},
		{"a socket in a folder", "postgres:///x?host=/run/postgresql", "127.0.0.1:8080", "", nil, []string{"127.0.0.1:5432"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := settings.Settings{Database: x.database, Listen: x.listen, Metrics: x.metrics, Private: []string{"0.0.0.0/0", "::/0"}, Workers: 1}
			if s.Database == "" {
				s.Database = "sqlite:" + filepath.Join(t.TempDir(), "x.db")
			}
			p, err := Open(t.Context(), s, slog.New(slog.NewTextHandler(io.Discard, nil)), Options{Unasked: true, Makes: true})
			must.OK(t, err)
			defer func() { _ = p.Close() }()
			for _, address := range append(x.denied, x.allowed...) {
				network := "tcp6"
				if netip.MustParseAddrPort(address).Addr().Is4() {
					network = "tcp4"
				}
				err := p.guard.Control()(network, address, nil)
				if want := len(x.denied) > 0 && strings.Contains(strings.Join(x.denied, " ")+" ", address+" "); (err != nil) != want {
					t.Errorf("%s: got %v, want it refused: %t", address, err, want)
				}
			}
		})
	}
}

// TestBotsAreKeptFromWhatWasBound: which port is free is known only then.
func TestBotsAreKeptFromWhatWasBound(t *testing.T) {
	s := settings.Settings{Database: "sqlite:" + filepath.Join(t.TempDir(), "x.db"), Listen: "localhost:0", Metrics: ":0", Private: []string{"127.0.0.0/8", "::1/128"}, Workers: 1}
	p, err := Open(t.Context(), s, slog.New(slog.NewTextHandler(io.Discard, nil)), Options{Makes: true})
	must.OK(t, err)
	defer func() { _ = p.Close() }()
	const bound = "127.0.0.1:45678"
	if err := p.guard.Control()("tcp4", bound, nil); err != nil {
		t.Fatalf("before: %v", err)
	}
	must.OK(t, p.Deny(t.Context(), bound))
	if err := p.guard.Control()("tcp4", bound, nil); err == nil {
		t.Error("what was bound may be called")
	}
}
