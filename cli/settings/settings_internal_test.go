package settings

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/internal/must"
)

func TestTheTableOfTheEnvironmentIsThatOfTheSettings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "7-operate.md"))
	must.OK(t, err)
	told := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(MOLERUN_\\w+)` \\| (?:`--[a-z-]+` )?\\| (.*?) \\|").FindAllStringSubmatch(string(text), -1) {
		told[m[1]] = strings.Trim(m[2], "`")
	}
	s := reflect.TypeFor[Settings]()
	for i := range s.NumField() {
		name, standard := s.Field(i).Tag.Get("env"), s.Field(i).Tag.Get("envDefault")
		got, found := told[name]
		if !found || (standard != "" && got != standard) {
			t.Errorf("docs/7-operate.md says of %s: %q (%v), the program's default is %q", name, got, found, standard)
		}
		delete(told, name)
	}
	for name := range told {
		t.Errorf("docs/7-operate.md tells of %s, which nothing reads", name)
	}
}

func TestACertificateThatCannotBeReadIsTheFaultOfTheURL(t *testing.T) {
	err := CheckDatabase("postgres://me:hunter22@db/mole?sslmode=verify-full&sslrootcert=/nowhere/ca.pem")
	if err == nil || !strings.Contains(err.Error(), "open /nowhere/ca.pem") || strings.Contains(err.Error(), "hunter22") {
		t.Errorf("%v, want the file that is not there, without the password", err)
	}
}

func TestAnEmptyAddressForMetricsIsNone(t *testing.T) {
	t.Setenv("MOLERUN_METRICS", "")
	if s, err := New(); err != nil || s.Metrics != "" {
		t.Errorf("MOLERUN_METRICS= says %q (%v), want none", s.Metrics, err)
	}
}

func TestASettingThatNoProcessCanRunWithIsRefusedByItsName(t *testing.T) {
	for _, row := range [][2]string{
		{"MOLERUN_WORKERS", "-1"},
		{"MOLERUN_KEEP_EVENTS_DAYS", "-1"},
		{"MOLERUN_PACK_DAYS", "-1"},
		{"MOLERUN_DRAIN_SECONDS", "-1"},
		{"MOLERUN_DATABASE_CONNECTIONS", "-1"},
		{"MOLERUN_KEEP_EVENTS_DAYS", "36501"},
		{"MOLERUN_KEEP_EVENTS_DAYS", "213504"}, // as a time.Duration it is negative
		{"MOLERUN_PACK_DAYS", "213504"},
		{"MOLERUN_DRAIN_SECONDS", "2147483647"},
		{"MOLERUN_LISTEN", "127.0.0.1"},
		{"MOLERUN_LISTEN", "127.0.0.1:http:"},
		{"MOLERUN_METRICS", "127.0.0.1:99999"},
		{"MOLERUN_DATABASE", "mysql://x"},
		{"MOLERUN_DATABASE", "postgres://me:hunter2@db:54x/mole"},
		{"MOLERUN_DATABASE", "sqlite::memory:"},
		{"MOLERUN_DATABASE", "sqlite:file:x.db"},
		{"MOLERUN_DATABASE", "sqlite:x.db?mode=ro"},
		{"MOLERUN_PUBLIC_URL", "http://x/"},
		{"MOLERUN_PUBLIC_URL", "https://:8080"},
		{"MOLERUN_PUBLIC_URL", "https://x:"},
		{"MOLERUN_PUBLIC_URL", "https://x:99999"},
		{"MOLERUN_REQUESTS_PER_MINUTE", "0"},
		{"MOLERUN_REQUESTS_PER_MINUTE", "12000001"}, // the limiter would refuse it, by no name
		{"MOLERUN_TRUSTED_PROXIES", "10.0.0.0/8,here"},
		{"MOLERUN_CURSOR_KEY", "short"},
		{"MOLERUN_ALLOW_PRIVATE_BOTS", "here"},
	} {
		t.Run(row[0], func(t *testing.T) {
			t.Setenv(row[0], row[1])
			s, err := New()
			must.OK(t, err)
			flag := "--" + strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(row[0], "MOLERUN_")), "_", "-")
			if err := s.Check(); !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), row[0]) && !strings.Contains(err.Error(), flag) {
				t.Errorf("%s=%s: %v, want a usage error that names it", row[0], row[1], err)
			}
		})
	}
	s, err := New()
	must.OK(t, err)
	s.Proxies = []string{"10.0.0.0/8", "::1"}
	if err := s.Check(); err != nil {
		t.Errorf("the defaults and two proxies: %v", err)
	}
	s.Proxies = []string{"::ffff:10.0.0.0/104"}
	if err := s.Check(); !errors.Is(err, command.ErrUsage) {
		t.Errorf("a network of IPv4 written as one of IPv6, which no caller is in: %v, want a usage error", err)
	}
}

// What a file for docker, or a list as people write it, puts around a value is no part of it.
func TestSettingsAreReadAsTheyAreMeant(t *testing.T) {
	t.Setenv("MOLERUN_TRUSTED_PROXIES", "10.0.0.0/8, ::1 ,172.16.0.0/12, ::ffff:192.0.2.1")
	t.Setenv("MOLERUN_ALLOW_PRIVATE_BOTS", `"10.0.0.0/8, 172.16.0.0/12"`)
	for _, none := range []string{`""`, " ", "''", "\r"} {
		t.Setenv("MOLERUN_METRICS", none)
		s, err := New()
		if err != nil || s.Check() != nil || s.Metrics != "" {
			t.Errorf("%q: %v, %v, metrics at %q; want no metrics", none, err, s.Check(), s.Metrics)
		}
	}
	t.Setenv("MOLERUN_METRICS", "127.0.0.1:9191 ")
	s, err := New()
	networks, errNetworks := s.TrustedNetworks()
	guard, errGuard := s.Guard()
	if errors.Join(err, errNetworks, errGuard) != nil || s.Metrics != "127.0.0.1:9191" || len(networks) != 4 || networks[3].String() != "192.0.2.1/32" || len(guard.AllowPrivate) != 2 {
		t.Errorf("got metrics at %q, proxies %v, bots in %v (%v, %v, %v)", s.Metrics, networks, guard.AllowPrivate, err, errNetworks, errGuard)
	}
}

func TestConnectionsToTheDatabaseGrowWithTheSlots(t *testing.T) {
	least := max(8, runtime.NumCPU())
	for _, row := range []struct {
		name     string
		settings Settings
		want     int
	}{
		{"no slots", Settings{Database: "postgres://db/x"}, least},
		{"a few", Settings{Database: "postgres://db/x", Workers: 7}, least},
		{"many", Settings{Database: "postgres://db/x", Workers: 256}, least + 32},
		{"as the URL says", Settings{Database: "postgres://db/x?pool_max_conns=3", Workers: 64}, 0},
		{"as the setting says", Settings{Database: "postgres://db/x?pool_max_conns=3", Workers: 64, ToDatabase: 5}, 5},
	} {
		if got := row.settings.DatabaseConns(); got != row.want {
			t.Errorf("%s: %d connections, want %d", row.name, got, row.want)
		}
	}
}

// Without its secret a command would send messages that the bot refuses, and nobody would see why.
func TestAMisspeltSecretIsRefusedWhereNoneIsKnown(t *testing.T) {
	t.Setenv("MOLERUN_SECRT", "whsec_misspelt")
	t.Setenv("MOLERUN_WORKER", "8") // of another command
	_, err := Secret("")
	if !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), "MOLERUN_SECRT is no setting; did you mean MOLERUN_SECRET?") ||
		strings.Contains(err.Error(), "WORKER") || strings.Contains(err.Error(), "misspelt") {
		t.Errorf("got %v, want the variable that is meant, and no value", err)
	}
	if s, err := Secret("whsec_flag"); err != nil || s != "whsec_flag" {
		t.Errorf("by a flag: %q, %v", s, err)
	}
	t.Setenv("MOLERUN_SECRET", "whsec_right")
	if s, err := Secret(""); err != nil || s != "whsec_right" {
		t.Errorf("by its variable: %q, %v", s, err)
	}
}

func TestAllThatIsWrongWithTheSettingsIsToldAtOnceByName(t *testing.T) {
	for name, value := range map[string]string{
		"MOLERUN_WORKERS": "abc", "MOLERUN_GUESTS": "1.5", "MOLERUN_PACK_DAYS": "a week", "MOLERUN_DRAIN_SECONDS": "10s", "MOLERUN_CONNECTIONS": "99999999999999999999",
		"MOLERUN_DATABSE": "postgres://db/x", "MOLERUN_WORKER": "8", "molerun_workers": "8", "MOLERUN_SERVICE_HOST": "10.0.0.1", "MOLERUN_SECRET": "s",
		"MOLERUN_REGISTRATION": "maybe", "MOLERUN_REQUESTS_PER_MINUTE": "0", "MOLERUN_TRUSTED_PROXIES": "here", "MOLERUN_CURSOR_KEY": "short",
		"MOLERUN_ALLOW_PRIVATE_BOTS": "here", "MOLERUN_LOG_LEVEL": "loud", "MOLERUN_DATABASE_DIRECT": "postgres://db/x",
	} {
		t.Setenv(name, value)
	}
	s, envErr := New()
	err := together(envErr, s.Check())
	if !errors.Is(err, command.ErrUsage) {
		t.Fatalf("%v is no usage error", err)
	}
	for _, want := range []string{
		"MOLERUN_WORKERS is not a whole number", "MOLERUN_GUESTS is not", "MOLERUN_PACK_DAYS is not", "MOLERUN_DRAIN_SECONDS is not", "MOLERUN_CONNECTIONS is not a whole number within ±2147483647",
		"MOLERUN_DATABSE is no setting; did you mean MOLERUN_DATABASE", "MOLERUN_WORKER is no setting; did you mean MOLERUN_WORKERS?", "molerun_workers is no setting; did you mean MOLERUN_WORKERS?",
		"MOLERUN_REGISTRATION:", "MOLERUN_REQUESTS_PER_MINUTE:", "--trusted-proxies:", "MOLERUN_CURSOR_KEY:", "--allow-private-bots:", "--log-level:", "MOLERUN_DATABASE_DIRECT",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not among\n%v", want, err)
		}
	}
	for _, unwanted := range []string{"field", "Workers", "SERVICE_HOST", "MOLERUN_SECRET"} {
		if strings.Contains(err.Error(), unwanted) {
			t.Errorf("%q is among\n%v", unwanted, err)
		}
	}
	if got := Unknown(); !slices.Contains(got, "MOLERUN_SERVICE_HOST") || slices.Contains(got, "MOLERUN_SECRET") || slices.Contains(got, "MOLERUN_WORKERS") {
		t.Errorf("unknown are %v", got)
	}
}
