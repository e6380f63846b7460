package cli_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/molerun/molerun/internal/must"
)

// composeFile is the part of the Compose Specification that ours uses; a key beside it is an error.
type composeFile struct {
	Name     string
	Molerun  service `yaml:"x-molerun"`
	Services map[string]service
	Volumes  map[string]*struct{}
}

type service struct {
	Build       *struct{ Context, Dockerfile string }
	Image       string
	Restart     string
	Profiles    []string
	Command     []string
	Environment map[string]string
	Volumes     []string
	Ports       []string
	ReadOnly    bool                                  `yaml:"read_only"`
	CapDrop     []string                              `yaml:"cap_drop"`
	SecurityOpt []string                              `yaml:"security_opt"`
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	StopGrace   time.Duration                         `yaml:"stop_grace_period"`
	Memory      string                                `yaml:"mem_limit"`
	Shared      string                                `yaml:"shm_size"`
	Processors  float64                               `yaml:"cpus"`
	Pids        int                                   `yaml:"pids_limit"`
	Logging     struct {
		Driver  string
		Options map[string]string
	}
	Healthcheck *struct {
		Test              []string
		Interval, Timeout string
		Start             string `yaml:"start_period"`
		Retries           int
	}
}

// drain is how long a process that is asked to stop may take for the requests under way, as serveOn says.
const drain = 10 * time.Second

func TestTheComposeFileIsWhole(t *testing.T) {
	text := contents(t, "../docker-compose.yml")
	var c composeFile // a key of a service beside the same one merged in is a duplicate to the reader
	must.OK(t, yaml.UnmarshalWithOptions(text, &c, yaml.DisallowUnknownField(), yaml.AllowDuplicateMapKey()))
	if got := slices.Sorted(maps.Keys(c.Services)); !slices.Equal(got, []string{"grafana", "migrate", "postgres", "prometheus", "serve", "work"}) {
		t.Errorf("the services are %v", got)
	}
	// What the environment sets for a process can be set for those of compose, and nothing else is.
	known := map[string]bool{}
	for _, v := range regexp.MustCompile(`env:"(MOLERUN_\w+)"`).FindAllSubmatch(contents(t, "settings/settings.go"), -1) {
		known[string(v[1])] = true
		if _, there := c.Molerun.Environment[string(v[1])]; !there && string(v[1]) != "MOLERUN_LISTEN" { // which serve's command says
			t.Errorf("%s cannot be set in .env", v[1])
		}
	}
	if len(known) < 11 {
		t.Errorf("%d settings were read", len(known))
	}
	port := regexp.MustCompile(`^(127\.0\.0\.1:)?\d+:\d+$`)
	mounted := map[string]bool{}
	for name, s := range c.Services {
		if s.Image == "" || s.Restart != "unless-stopped" && s.Restart != "no" {
			t.Errorf("%s: image %q, restart %q", name, s.Image, s.Restart)
		}
		if s.Memory == "" || s.Processors == 0 || s.Pids == 0 || s.Logging.Options["max-size"] == "" || s.Logging.Options["max-file"] == "" {
			t.Errorf("%s may take the whole machine: memory %q, processors %g, processes %d, log %+v", name, s.Memory, s.Processors, s.Pids, s.Logging)
		}
		if s.Build == nil && !regexp.MustCompile(`:v?\d+[.\d]*$`).MatchString(s.Image) {
			t.Errorf("%s: the image %s has no version", name, s.Image)
		}
		if s.Image == "molerun" && (s.Build == nil || !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.SecurityOpt) != 1 ||
			!strings.HasPrefix(s.Environment["MOLERUN_DATABASE"], "postgres://") || s.Environment["MOLERUN_METRICS"] != "0.0.0.0:9090") {
			t.Errorf("%s is not like the others of molerun: %+v", name, s)
		}
		if s.Image == "molerun" && s.StopGrace <= drain {
			t.Errorf("%s is killed %v after it was asked to stop, but may take %v for the requests under way", name, s.StopGrace, drain)
		}
		for v := range s.Environment {
			if strings.HasPrefix(v, "MOLERUN_") && !known[v] {
				t.Errorf("%s: %s is set, but no setting reads it", name, v)
			}
		}
		if s.Image == "molerun" {
			help, _ := exits(t, 0, s.Command[0], "--help")
			says(t, help, "  molerun "+s.Command[0]) // that of all commands is shown for one that is none
		}
		for other, need := range s.DependsOn {
			o, there := c.Services[other]
			switch {
			case !there:
				t.Errorf("%s waits for %s, which there is not", name, other)
			case need.Condition == "service_healthy" && o.Healthcheck == nil:
				t.Errorf("%s waits for the health of %s, which nothing checks", name, other)
			case need.Condition == "service_completed_successfully" && o.Restart != "no":
				t.Errorf("%s waits for the end of %s, which is started again and again", name, other)
			}
		}
		for _, p := range s.Ports {
			if !port.MatchString(p) || name != "serve" && !strings.HasPrefix(p, "127.0.0.1:") {
				t.Errorf("%s opens %s: only serve is for others than this machine", name, p)
			}
		}
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			if mounted[from] = true; strings.HasPrefix(from, "./") {
				if _, err := os.Stat("." + from); err != nil {
					t.Errorf("%s: a volume: %v", name, err)
				}
				continue
			}
			if _, there := c.Volumes[from]; !there {
				t.Errorf("%s mounts the volume %s, which is not declared", name, from)
			}
		}
	}
	// The image makes its database with a server that only the socket reaches: migrate must not begin then.
	if check := c.Services["postgres"].Healthcheck; !slices.Contains(check.Test, "-h") || check.Start == "" {
		t.Errorf("the health of postgres is asked by %v, grace %q: want TCP, and time to make the database", check.Test, check.Start)
	}
	for v := range c.Volumes {
		if !mounted[v] {
			t.Errorf("nothing mounts the volume %s", v)
		}
	}
	scraped := contents(t, "../deploy/prometheus.yml")
	for _, name := range strings.Split(regexp.MustCompile(`names: \[(.*)\]`).FindStringSubmatch(string(scraped))[1], ", ") {
		if s, there := c.Services[name]; !there || !strings.HasSuffix(s.Environment["MOLERUN_METRICS"], ":9090") || !strings.Contains(string(scraped), "port: 9090") {
			t.Errorf("Prometheus asks %s at port 9090, which serves no metrics there", name)
		}
	}
}
