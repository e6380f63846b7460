package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/store/database"
)

// Settings are what a server process reads from its flags and, where a flag is missing, from the environment.
type Settings struct {
	Database string   `env:"MOLERUN_DATABASE" envDefault:"sqlite:molerun.db" secret:"password"`
	Direct   string   `env:"MOLERUN_DATABASE_DIRECT" secret:"password"`
	Listen   string   `env:"MOLERUN_LISTEN" envDefault:"127.0.0.1:8080"`
	Metrics  string   `env:"MOLERUN_METRICS" envDefault:"127.0.0.1:9090"`
	Workers  int      `env:"MOLERUN_WORKERS" least:"0"`
	Private  []string `env:"MOLERUN_ALLOW_PRIVATE_BOTS" envSeparator:","`
	Proxies  []string `env:"MOLERUN_TRUSTED_PROXIES" envSeparator:","`
	Cursor   string   `env:"MOLERUN_CURSOR_KEY" secret:"whole"`
	Requests int      `env:"MOLERUN_REQUESTS_PER_MINUTE" envDefault:"600" least:"1" most:"12000000"` // and five times as many of pages that follow: one a microsecond
	PackDays int      `env:"MOLERUN_PACK_DAYS" envDefault:"0" least:"0" most:"36500"`
	LogLevel string   `env:"MOLERUN_LOG_LEVEL" envDefault:"info"`
	Drain    int      `env:"MOLERUN_DRAIN_SECONDS" envDefault:"0" least:"0" most:"86400"`
	KeepDays int      `env:"MOLERUN_KEEP_EVENTS_DAYS" envDefault:"90" least:"0" most:"36500"`
	Guests   int      `env:"MOLERUN_GUESTS" envDefault:"0" least:"0"`

	Issuer       string `env:"MOLERUN_OIDC_ISSUER"`
	ClientID     string `env:"MOLERUN_OIDC_CLIENT_ID"`
	ClientSecret string `env:"MOLERUN_OIDC_CLIENT_SECRET" secret:"whole"`
	PublicURL    string `env:"MOLERUN_PUBLIC_URL"`
	Registration string `env:"MOLERUN_REGISTRATION" envDefault:"open"`

	Connections int `env:"MOLERUN_CONNECTIONS" envDefault:"8192" least:"1"`
	PerAddress  int `env:"MOLERUN_CONNECTIONS_PER_ADDRESS" envDefault:"128" least:"1"`
	// ToDatabase is how many connections to Postgres the process keeps at most; 0: as DatabaseConns says.
	ToDatabase int `env:"MOLERUN_DATABASE_CONNECTIONS" least:"0"`
}

// loopback is what --allow-private-bots without a value opens: bots on this machine.
const loopback = "127.0.0.0/8,::1/128"

// DefaultMetrics is where /metrics listens if nothing else is asked for.
const DefaultMetrics = "127.0.0.1:9090"

// New reads the environment. The error names all that is wrong there.
func New() (Settings, error) {
	s := Settings{Workers: 8 * runtime.NumCPU()} // matches mostly wait for bots
	var faults []error
	if err := env.ParseWithOptions(&s, env.Options{Environment: ours()}); err != nil {
		faults = misread(err)
	}
	if address, set := os.LookupEnv("MOLERUN_METRICS"); set { // empty says none, which the reader takes for unset
		s.Metrics = text.Word(address)
	}
	return s, together(append(faults, mistyped(known()...)...)...)
}

// mistyped returns a fault for each variable that is no setting, but has nearly the name of one of those that may be meant.
func mistyped(meant ...string) []error {
	var faults []error
	for _, name := range Unknown() {
		like := command.Nearest(append(known(), secretVariable), name)
		if slices.ContainsFunc(like, func(near string) bool { return slices.Contains(meant, near) }) {
			faults = append(faults, fmt.Errorf("%s is no setting; did you mean %s?", name, strings.Join(like, " or ")))
		}
	}
	return faults
}

// ours returns our variables, as they are meant: a file for docker keeps the quotes around a value, one from Windows the end of its line.
func ours() map[string]string {
	out := map[string]string{}
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "MOLERUN_") {
			out[name] = text.Word(value)
		}
	}
	return out
}

// Check refuses what no process can run with. The error names all that is wrong.
func (s *Settings) Check() error {
	var faults []error
	if s.Guests > tournament.MaxGuests {
		faults = append(faults, fmt.Errorf("MOLERUN_GUESTS: %d, want %d or less", s.Guests, tournament.MaxGuests))
	}
	if !slices.Contains([]string{"open", "login", "closed"}, s.Registration) {
		faults = append(faults, fmt.Errorf("MOLERUN_REGISTRATION: %q, want open, login or closed", s.Registration))
	}
	for f, v := range reflect.ValueOf(s).Elem().Fields() {
		if least, err := strconv.Atoi(f.Tag.Get("least")); err == nil && v.Int() < int64(least) {
			faults = append(faults, fmt.Errorf("%s: %d, want %d or more", f.Tag.Get("env"), v.Int(), least))
		}
		if most, err := strconv.Atoi(f.Tag.Get("most")); err == nil && v.Int() > int64(most) {
			faults = append(faults, fmt.Errorf("%s: %d, want %d or less", f.Tag.Get("env"), v.Int(), most))
		}
	}
	faults = append(faults, CheckDatabase(s.Database), checkAddress("MOLERUN_LISTEN", "--listen", s.Listen))
	if s.Metrics != "" {
		faults = append(faults, checkAddress("MOLERUN_METRICS", "--metrics", s.Metrics))
	}
	if s.Direct != "" && !IsPostgres(s.Database) {
		faults = append(faults, errors.New("MOLERUN_DATABASE_DIRECT goes past a pooler of Postgres, and MOLERUN_DATABASE names a file: leave it empty"))
	} else if s.Direct != "" {
		faults = append(faults, checkURL("MOLERUN_DATABASE_DIRECT, --database-direct", s.Direct))
	}
	if s.PublicURL != "" {
		faults = append(faults, CheckPublicURL("MOLERUN_PUBLIC_URL", s.PublicURL))
	}
	_, proxies := s.TrustedNetworks()
	_, key := s.CursorKey()
	_, guard := s.Guard()
	_, level := s.Logger(io.Discard)
	return together(append(faults, proxies, key, guard, level)...)
}

// IsPostgres reports whether a database is named by a URL of Postgres; else it is a file of SQLite.
func IsPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// leastDatabaseConns is what a process has that plays nothing: requests, streams, the queue, upkeep.
const leastDatabaseConns = 8

// DatabaseConns returns how many connections to Postgres the process keeps at most; 0: as many as the URL says with pool_max_conns.
// Steps and endings of all matches share commits, so a match needs one only to begin and to renew its lease: one for eight slots.
func (s *Settings) DatabaseConns() int {
	if s.ToDatabase > 0 {
		return s.ToDatabase
	}
	if u, err := url.Parse(s.Database); err == nil && u.Query().Has("pool_max_conns") {
		return 0
	}
	return max(leastDatabaseConns, runtime.NumCPU()) + s.Workers/8
}

// TrustedNetworks returns the networks of the trusted proxies.
func (s *Settings) TrustedNetworks() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range s.Proxies {
		text = strings.TrimSpace(text)
		p, err := netip.ParsePrefix(text)
		if err != nil {
			var a netip.Addr
			if a, err = netip.ParseAddr(text); err == nil {
				a = a.Unmap()
				p, err = a.Prefix(a.BitLen())
			}
		}
		if err != nil || p.Addr().Is4In6() {
			return nil, fmt.Errorf("%w: MOLERUN_TRUSTED_PROXIES, --trusted-proxies: %q is neither a network such as 10.0.0.0/8 nor an address", command.ErrUsage, text)
		}
		out = append(out, p)
	}
	return out, nil
}

// CheckPublicURL refuses a public address to which no path can be added. name is where it was set.
func CheckPublicURL(name, raw string) error {
	u, err := url.Parse(raw)
	if !strings.Contains(raw, "://") {
		return fmt.Errorf("%w: %s: %q, put https:// in front, as in https://molerun.example.org", command.ErrUsage, name, raw)
	}
	if err == nil {
		_, err = net.LookupPort("tcp", u.Port())
	}
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || raw != u.Scheme+"://"+u.Host || u.Hostname() == "" || strings.HasSuffix(raw, ":") {
		return fmt.Errorf("%w: %s: %q, want scheme and host alone, as in https://molerun.example.org", command.ErrUsage, name, raw)
	}
	return nil
}

// checkAddress refuses where nobody can listen.
func checkAddress(name, flag, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("%w: %s, %s: %q, want host and port, as in 127.0.0.1:8080", command.ErrUsage, name, flag, address)
	}
	return nil
}

// CheckDatabase refuses what can be neither a URL of Postgres nor the path of a file. It never repeats what may hold a password.
func CheckDatabase(raw string) error {
	if IsPostgres(raw) {
		return checkURL("MOLERUN_DATABASE, --database", raw)
	}
	path, said := strings.CutPrefix(raw, "sqlite:")
	scheme, _, found := strings.Cut(path, "://")
	switch {
	case !said && (strings.HasPrefix(path, "postgres") || strings.ContainsAny(path, "@=?") && !found):
		return fmt.Errorf("%w: MOLERUN_DATABASE, --database: is neither postgres://user:password@host:port/database nor sqlite:PATH; a file with such a name wants sqlite: before it", command.ErrUsage)
	case found:
		return fmt.Errorf("%w: MOLERUN_DATABASE, --database: %s:// is neither postgres:// nor sqlite:PATH", command.ErrUsage, scheme)
	case path == "" || strings.Contains(path, "?"):
		return fmt.Errorf("%w: MOLERUN_DATABASE, --database: %q is no file path", command.ErrUsage, path)
	case path == ":memory:" || strings.HasPrefix(path, "file:"):
		return fmt.Errorf("%w: MOLERUN_DATABASE, --database: %q is a name of SQLite's own; want the path of a file, sqlite:PATH", command.ErrUsage, path)
	}
	return nil
}

// checkURL refuses what is no URL of Postgres, by where it was set.
func checkURL(name, raw string) error {
	if err := database.CheckURL(raw); err != nil {
		return fmt.Errorf("%w: %s: %w", command.ErrUsage, name, err)
	}
	return nil
}

// DatabaseFlag adds the flag of the database to a command. When it runs, the command fails where a mistyped variable hides which database
// is meant: a command that reads no other setting goes on beside a slip in one.
func (s *Settings) DatabaseFlag(cmd *cobra.Command) {
	cmd.PreRunE = func(*cobra.Command, []string) error {
		return together(mistyped("MOLERUN_DATABASE", "MOLERUN_DATABASE_DIRECT")...)
	}
	cmd.Flags().StringVar(&s.Database, "database", s.Database, "postgres://… or sqlite:PATH (MOLERUN_DATABASE)")
	if f := cmd.Flags().Lookup("database"); os.Getenv("MOLERUN_DATABASE") != "" {
		f.DefValue = "what MOLERUN_DATABASE says" // it may hold a password
	}
}

// DirectFlag adds the flag of the direct database to a command that needs what a pooler cannot pass on.
func (s *Settings) DirectFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Direct, "database-direct", s.Direct, "the same Postgres past a pooler such as PgBouncer, for what one cannot pass on (MOLERUN_DATABASE_DIRECT)")
	cmd.Flags().Lookup("database-direct").DefValue = "" // help would print the password
}

// ProcessFlags adds the flags of a command that runs a server process: the database flag and all that serve and work share.
// The command fails when it runs with all that is wrong in the environment, with them, and by check.
func (s *Settings) ProcessFlags(cmd *cobra.Command, envErr error, check func() error) {
	s.DatabaseFlag(cmd)
	cmd.PreRunE = func(*cobra.Command, []string) error { return together(envErr, s.Check(), check()) }
	s.DirectFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&s.Metrics, "metrics", s.Metrics, "where /metrics listens, for Prometheus only; \"\" is none; where the default is taken, at the next free port (MOLERUN_METRICS)")
	f.IntVar(&s.Workers, "workers", s.Workers, "matches played at once by this process (MOLERUN_WORKERS)")
	f.StringSliceVar(&s.Private, "allow-private-bots", s.Private, "networks outside the public internet where bots may live (MOLERUN_ALLOW_PRIVATE_BOTS); without a value: this machine")
	f.Lookup("allow-private-bots").NoOptDefVal = loopback
	f.StringVar(&s.LogLevel, "log-level", s.LogLevel, "debug, info, warn or error (MOLERUN_LOG_LEVEL)")
}

// Guard returns which addresses may be called. The process adds its own, which may not.
func (s *Settings) Guard() (httpbot.Guard, error) {
	var g httpbot.Guard
	for _, text := range s.Private {
		p, err := netip.ParsePrefix(strings.TrimSpace(text))
		if err != nil {
			_, why, _ := strings.Cut(err.Error(), "): ")
			return g, fmt.Errorf("%w: MOLERUN_ALLOW_PRIVATE_BOTS, --allow-private-bots: %q is not a network such as 127.0.0.0/8: %s", command.ErrUsage, text, why)
		}
		g.AllowPrivate = append(g.AllowPrivate, p)
	}
	return g, nil
}

// PrivateBots returns the networks outside the public internet that are open to bots as text, which is the same for the same networks.
func (s *Settings) PrivateBots() string {
	guard, _ := s.Guard() // Check refuses what is none
	var list []string
	for _, p := range guard.AllowPrivate {
		list = append(list, p.Masked().String())
	}
	slices.Sort(list)
	return cmp.Or(strings.Join(slices.Compact(list), ", "), "none")
}

// minCursorKey is the least length of a key that signs cursors, in bytes.
const minCursorKey = 32

// CursorKey returns what several processes behind one address share, so that a list goes on at any of them. It is a secret, so
// it comes by the environment alone; without it every process draws its own.
func (s *Settings) CursorKey() ([]byte, error) {
	if n := len(s.Cursor); n > 0 && n < minCursorKey {
		return nil, fmt.Errorf("%w: MOLERUN_CURSOR_KEY: %d bytes, want at least %d: openssl rand -hex 32 makes one", command.ErrUsage, n, minCursorKey)
	}
	return []byte(s.Cursor), nil
}

// Logger writes lines of the wanted level to w: for people where w is a terminal, otherwise JSON. Failures that repeat are left out for
// some seconds.
func (s *Settings) Logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return nil, fmt.Errorf("%w: MOLERUN_LOG_LEVEL, --log-level: %q is none of debug, info, warn, error", command.ErrUsage, s.LogLevel)
	}
	if !command.Terminal(w) {
		return slog.New(throttled(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))), nil
	}
	people := tint.NewTextHandler(command.Styled(w), &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !command.Coloured(w), ReplaceAttr: shown})
	return slog.New(throttled(people)), nil
}

// shown makes what is logged safe for a terminal. tint writes ESC for what reads \x1b in a value.
func shown(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Any().(type) {
	case string, error, []string, []byte:
		a.Value = slog.StringValue(strings.ReplaceAll(command.Shown(fmt.Sprint(a.Value.Any())), `\x1b`, `\u001b`))
	}
	return a
}
