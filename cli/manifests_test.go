package cli_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/molerun/molerun/internal/must"
)

// manifest is the part of the Kubernetes API that deploy/cluster uses; a key beside it is an error.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		Name   string
		Labels map[string]string
	}
	Spec spec
}

// spec is that of every kind at once.
type spec struct {
	Replicas     int
	BackoffLimit int `yaml:"backoffLimit"`
	Selector     selector
	Strategy     *struct {
		Type          string
		RollingUpdate struct {
			MaxUnavailable int `yaml:"maxUnavailable"`
			MaxSurge       int `yaml:"maxSurge"`
		} `yaml:"rollingUpdate"`
	}
	Template struct {
		Metadata struct{ Labels map[string]string }
		Spec     podSpec
	}
	Ports []struct {
		Name       string
		Port       int
		TargetPort string `yaml:"targetPort"`
	}
	MinAvailable   int `yaml:"minAvailable"`
	MaxUnavailable int `yaml:"maxUnavailable"`
	ScaleTargetRef struct {
		APIVersion string `yaml:"apiVersion"`
		Kind, Name string
	} `yaml:"scaleTargetRef"`
	MinReplicas int `yaml:"minReplicas"`
	MaxReplicas int `yaml:"maxReplicas"`
	Metrics     []struct {
		Type     string
		External struct {
			Metric struct{ Name string }
			Target struct {
				Type         string
				AverageValue int `yaml:"averageValue"`
			}
		}
	}
	Behavior *struct {
		ScaleDown struct {
			Window   int `yaml:"stabilizationWindowSeconds"`
			Policies []struct {
				Type   string
				Value  int
				Period int `yaml:"periodSeconds"`
			}
		} `yaml:"scaleDown"`
	}
	PodSelector         selector `yaml:"podSelector"`
	PolicyTypes         []string `yaml:"policyTypes"`
	Ingress, Egress     []peers
	PodMetricsEndpoints []struct {
		Port, Interval string
		Relabelings    []struct {
			TargetLabel string `yaml:"targetLabel"`
			Replacement string
		}
	} `yaml:"podMetricsEndpoints"`
}

// selector picks pods; a Service's is the labels themselves.
type selector struct {
	Name             string            `yaml:"app.kubernetes.io/name"`
	MatchLabels      map[string]string `yaml:"matchLabels"`
	MatchExpressions []struct {
		Key, Operator string
		Values        []string
	} `yaml:"matchExpressions"`
}

// names returns the names of the deployments that it picks, by the label app.kubernetes.io/name; nil is all.
func (s selector) names() []string {
	if s.Name != "" {
		return []string{s.Name}
	}
	for _, e := range s.MatchExpressions {
		return e.Values
	}
	if name := s.MatchLabels[nameLabel]; name != "" {
		return []string{name}
	}
	return nil
}

type peers struct {
	From, To []struct {
		NamespaceSelector *selector `yaml:"namespaceSelector"`
		IPBlock           *struct {
			CIDR   string
			Except []string
		} `yaml:"ipBlock"`
	}
	Ports []struct{ Protocol, Port string }
}

type podSpec struct {
	RestartPolicy   string `yaml:"restartPolicy"`
	GracePeriod     int    `yaml:"terminationGracePeriodSeconds"`
	MountToken      *bool  `yaml:"automountServiceAccountToken"`
	SecurityContext struct {
		RunAsNonRoot   bool                  `yaml:"runAsNonRoot"`
		RunAsUser      int                   `yaml:"runAsUser"`
		RunAsGroup     int                   `yaml:"runAsGroup"`
		SeccompProfile struct{ Type string } `yaml:"seccompProfile"`
	} `yaml:"securityContext"`
	Spread []struct {
		MaxSkew     int      `yaml:"maxSkew"`
		TopologyKey string   `yaml:"topologyKey"`
		When        string   `yaml:"whenUnsatisfiable"`
		Labels      selector `yaml:"labelSelector"`
	} `yaml:"topologySpreadConstraints"`
	Containers []container
}

type container struct {
	Name, Image string
	Args        []string
	EnvFrom     []struct {
		ConfigMapRef struct{ Name string } `yaml:"configMapRef"`
		SecretRef    struct{ Name string } `yaml:"secretRef"`
	} `yaml:"envFrom"`
	Ports []struct {
		Name string
		Port int `yaml:"containerPort"`
	}
	Liveness        *probe `yaml:"livenessProbe"`
	Readiness       *probe `yaml:"readinessProbe"`
	Resources       struct{ Requests, Limits map[string]string }
	SecurityContext struct {
		ReadOnly     bool  `yaml:"readOnlyRootFilesystem"`
		Escalation   *bool `yaml:"allowPrivilegeEscalation"`
		Capabilities struct{ Drop []string }
	} `yaml:"securityContext"`
}

type probe struct {
	HTTPGet   *struct{ Path, Port string } `yaml:"httpGet"`
	TCPSocket *struct{ Port string }       `yaml:"tcpSocket"`
	Period    int                          `yaml:"periodSeconds"`
	Failures  int                          `yaml:"failureThreshold"`
}

const (
	nameLabel  = "app.kubernetes.io/name"
	clusterDir = "../deploy/cluster"
)

// cluster is what deploy/cluster holds.
type cluster struct {
	manifests []manifest
	settings  map[string]string
}

// apis are the kinds of objects with the version of the API that has them.
var apis = map[string]string{
	"Namespace": "v1", "Service": "v1", "Deployment": "apps/v1", "Job": "batch/v1", "PodDisruptionBudget": "policy/v1", "HorizontalPodAutoscaler": "autoscaling/v2",
	"NetworkPolicy": "networking.k8s.io/v1", "PodMonitor": "monitoring.coreos.com/v1",
}

func readCluster(t *testing.T) cluster {
	t.Helper()
	var k struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Namespace  string
		Resources  []string
		Labels     []struct {
			Pairs     map[string]string
			Templates bool `yaml:"includeTemplates"`
		}
		Generator []struct {
			Name string
			Envs []string
		} `yaml:"configMapGenerator"`
		Images []struct {
			Name    string
			NewName string `yaml:"newName"`
			NewTag  string `yaml:"newTag"`
		}
	}
	text := contents(t, filepath.Join(clusterDir, "kustomization.yaml"))
	must.OK(t, yaml.UnmarshalWithOptions(text, &k, yaml.DisallowUnknownField()))
	files, err := filepath.Glob(filepath.Join(clusterDir, "*.yaml"))
	must.OK(t, err)
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if want := slices.Sorted(slices.Values(append(k.Resources, "adapter.yaml", "kustomization.yaml"))); !slices.Equal(files, want) {
		t.Errorf("the files are %v; kustomization.yaml and the adapter's values make %v", files, want)
	}
	c := cluster{settings: map[string]string{}}
	for _, name := range k.Resources {
		c.manifests = append(c.manifests, readManifests(t, filepath.Join(clusterDir, name))...)
	}
	env := contents(t, filepath.Join(clusterDir, k.Generator[0].Envs[0]))
	for _, line := range regexp.MustCompile(`(?m)^(\w+)=(.*)$`).FindAllStringSubmatch(string(env), -1) {
		c.settings[line[1]] = line[2]
	}
	return c
}

func readManifests(t *testing.T, name string) (out []manifest) {
	t.Helper()
	text := contents(t, name)
	d := yaml.NewDecoder(bytes.NewReader(text), yaml.DisallowUnknownField())
	for {
		var m manifest
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if apis[m.Kind] == "" || apis[m.Kind] != m.APIVersion {
			t.Errorf("%s: %s is of %s, want %q", name, m.Kind, m.APIVersion, apis[m.Kind])
		}
		out = append(out, m)
	}
}

// of returns the objects of a kind by name.
func (c cluster) of(kind string) map[string]manifest {
	out := map[string]manifest{}
	for _, m := range c.manifests {
		if m.Kind == kind {
			out[m.Metadata.Name] = m
		}
	}
	return out
}
