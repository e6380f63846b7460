package settings

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
)

func TestTheTableOfTheEnvironmentIsThatOfTheSettings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "7-operate.md"))
	if err != nil {
		t.Fatal(err)
	}
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
		{"MOLERUN_REQUESTS_PER_MINUTE", "0"},
		{"MOLERUN_TRUSTED_PROXIES", "10.0.0.0/8,here"},
		{"MOLERUN_CURSOR_KEY", "short"},
		{"MOLERUN_ALLOW_PRIVATE_BOTS", "here"},
	} {
		t.Run(row[0], func(t *testing.T) {
			t.Setenv(row[0], row[1])
			s, err := New()
			if err != nil {
				t.Fatal(err)
			}
			flag := "--" + strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(row[0], "MOLERUN_")), "_", "-")
			if err := s.Check(); !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), row[0]) && !strings.Contains(err.Error(), flag) {
				t.Errorf("%s=%s: %v, want a usage error that names it", row[0], row[1], err)
			}
		})
	}
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	s.Proxies = []string{"10.0.0.0/8", "::1"}
	if err := s.Check(); err != nil {
		t.Errorf("the defaults and two proxies: %v", err)
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
