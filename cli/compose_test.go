package cli_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
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
	Healthcheck *struct {
		Test              []string
		Interval, Timeout string
		Retries           int
	}
}

func TestTheComposeFileIsWhole(t *testing.T) {
	text, err := os.ReadFile("../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var c composeFile // a key of a service beside the same one merged in is a duplicate to the reader
	if err := yaml.UnmarshalWithOptions(text, &c, yaml.DisallowUnknownField(), yaml.AllowDuplicateMapKey()); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(c.Services)); !slices.Equal(got, []string{"grafana", "migrate", "postgres", "prometheus", "serve", "work"}) {
		t.Errorf("the services are %v", got)
	}
	port := regexp.MustCompile(`^(127\.0\.0\.1:)?\d+:\d+$`)
	mounted := map[string]bool{}
	for name, s := range c.Services {
		if s.Image == "" || s.Restart != "unless-stopped" && s.Restart != "no" {
			t.Errorf("%s: image %q, restart %q", name, s.Image, s.Restart)
		}
		if s.Build == nil && !regexp.MustCompile(`:v?\d+[.\d]*$`).MatchString(s.Image) {
			t.Errorf("%s: the image %s has no version", name, s.Image)
		}
		if s.Image == "molerun" && (s.Build == nil || !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.SecurityOpt) != 1 ||
			!strings.HasPrefix(s.Environment["MOLERUN_DATABASE"], "postgres://") || s.Environment["MOLERUN_METRICS"] != "0.0.0.0:9090") {
			t.Errorf("%s is not like the others of molerun: %+v", name, s)
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
				continue
			}
			if _, there := c.Volumes[from]; !there {
				t.Errorf("%s mounts the volume %s, which is not declared", name, from)
			}
		}
	}
	for v := range c.Volumes {
		if !mounted[v] {
			t.Errorf("nothing mounts the volume %s", v)
		}
	}
	scraped, err := os.ReadFile("../deploy/prometheus.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(regexp.MustCompile(`names: \[(.*)\]`).FindStringSubmatch(string(scraped))[1], ", ") {
		if s, there := c.Services[name]; !there || !strings.HasSuffix(s.Environment["MOLERUN_METRICS"], ":9090") || !strings.Contains(string(scraped), "port: 9090") {
			t.Errorf("Prometheus asks %s at port 9090, which serves no metrics there", name)
		}
	}
}
