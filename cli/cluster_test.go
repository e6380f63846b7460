package cli_test

import (
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestEachProcessOfTheClusterIsOneOfOurs(t *testing.T) {
	c := readCluster(t)
	dockerfile := contents(t, "../deploy/Dockerfile")
	user := regexp.MustCompile(`USER (\d+):`).FindSubmatch(dockerfile)
	pods := maps.Clone(c.of("Deployment"))
	maps.Copy(pods, c.of("Job"))
	if got := slices.Sorted(maps.Keys(pods)); !slices.Equal(got, []string{"migrate", "serve", "work"}) {
		t.Errorf("the processes are %v", got)
	}
	for name, m := range pods {
		pod := m.Spec.Template.Spec
		if got := fmt.Sprint(pod.SecurityContext.RunAsUser); got != string(user[1]) {
			t.Errorf("%s runs as user %s, the image as %s", name, got, user[1])
		}
		if s := pod.SecurityContext; !s.RunAsNonRoot || s.SeccompProfile.Type != "RuntimeDefault" {
			t.Errorf("%s: %+v would be refused by the namespace's pod security", name, s)
		}
		if pod.MountToken == nil || *pod.MountToken {
			t.Errorf("%s gets a token of the cluster", name)
		}
		if labels := m.Spec.Template.Metadata.Labels; labels[nameLabel] != name {
			t.Errorf("the pods of %s are labelled %v", name, labels)
		}
		for _, one := range pod.Containers {
			checkContainer(t, one)
		}
	}
	settings := contents(t, "settings/settings.go")
	limit := c.settings["GOMEMLIMIT"] // read by Go itself
	delete(c.settings, "GOMEMLIMIT")
	for key := range c.settings {
		if !strings.Contains(string(settings), `env:"`+key+`"`) {
			t.Errorf("%s is set, but no setting reads it", key)
		}
	}
	if compose := string(contents(t, "../docker-compose.yml")); limit == "" || !strings.Contains(compose, "GOMEMLIMIT: "+limit+"\n") || !strings.Contains(compose, "mem_limit: 1g\n") {
		t.Errorf("GOMEMLIMIT is %q, want what compose sets beside 1g of memory", limit)
	}
}

func checkContainer(t *testing.T, c container) {
	t.Helper()
	if code, _, errs := call("", append(slices.Clone(c.Args), "--help")...); code != 0 || c.Args[0] != c.Name {
		t.Errorf("%s: molerun %v: exit code %d %s", c.Name, c.Args, code, errs)
	}
	if c.Image != "molerun" {
		t.Errorf("%s: kustomization.yaml does not replace the image %s", c.Name, c.Image)
	}
	if len(c.EnvFrom) != 2 || c.EnvFrom[0].ConfigMapRef.Name != "settings" || c.EnvFrom[1].SecretRef.Name != "molerun" {
		t.Errorf("%s: takes its settings from %+v", c.Name, c.EnvFrom)
	}
	s := c.SecurityContext
	if !s.ReadOnly {
		t.Errorf("%s may write on its image", c.Name)
	}
	if s.Escalation == nil || *s.Escalation || !slices.Equal(s.Capabilities.Drop, []string{"ALL"}) {
		t.Errorf("%s: %+v would be refused by the namespace's pod security", c.Name, s)
	}
	if c.Resources.Requests["cpu"] == "" || c.Resources.Limits["memory"] != "1Gi" {
		t.Errorf("%s: resources %+v, want a request of cpu, and the limit of memory that GOMEMLIMIT is made for", c.Name, c.Resources)
	}
}

func TestTheClustersPortsProbesAndSelectorsMeet(t *testing.T) {
	c := readCluster(t)
	document := contents(t, "../docs/openapi.json")
	ports := map[string][]string{} // the names of a deployment's ports
	_, metrics, err := net.SplitHostPort(c.settings["MOLERUN_METRICS"])
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range c.of("Deployment") {
		one := m.Spec.Template.Spec.Containers[0]
		listen := map[string]string{"metrics": metrics}
		if i := slices.Index(one.Args, "--listen"); i >= 0 {
			_, listen["http"], _ = net.SplitHostPort(one.Args[i+1])
		}
		for _, p := range one.Ports {
			ports[name] = append(ports[name], p.Name)
			if listen[p.Name] != strconv.Itoa(p.Port) {
				t.Errorf("%s: port %s is %d, the process listens at %q", name, p.Name, p.Port, listen[p.Name])
			}
		}
		if !slices.Equal(m.Spec.Selector.names(), []string{name}) {
			t.Errorf("%s picks the pods of %v", name, m.Spec.Selector.names())
		}
		for _, p := range []*probe{one.Liveness, one.Readiness} {
			switch {
			case p == nil:
			case p.HTTPGet != nil && (!slices.Contains(ports[name], p.HTTPGet.Port) || !strings.Contains(string(document), `"`+p.HTTPGet.Path+`"`)):
				t.Errorf("%s: nobody answers %+v", name, p.HTTPGet)
			case p.TCPSocket != nil && !slices.Contains(ports[name], p.TCPSocket.Port):
				t.Errorf("%s: nobody answers at port %s", name, p.TCPSocket.Port)
			}
		}
	}
	serve := c.of("Deployment")["serve"].Spec.Template.Spec
	if seconds, _ := strconv.Atoi(c.settings["MOLERUN_DRAIN_SECONDS"]); seconds == 0 || serve.GracePeriod < seconds+int(drain.Seconds())+5 {
		t.Errorf("serve is killed after %d s: it drains for %d, and then for %v", serve.GracePeriod, seconds, drain)
	}
	for _, m := range c.manifests {
		for _, name := range append(m.Spec.Selector.names(), m.Spec.PodSelector.names()...) {
			if ports[name] == nil {
				t.Errorf("%s %s picks the pods of %s, which is no deployment", m.Kind, m.Metadata.Name, name)
			}
		}
		for _, want := range needed(m) {
			for _, name := range append(m.Spec.Selector.names(), m.Spec.PodSelector.names()...) {
				if !slices.Contains(ports[name], want) {
					t.Errorf("%s %s wants the port %s of %s", m.Kind, m.Metadata.Name, want, name)
				}
			}
		}
	}
}

// needed returns the names of ports that an object leads to.
func needed(m manifest) (names []string) {
	for _, p := range m.Spec.Ports {
		names = append(names, p.TargetPort)
	}
	for _, e := range m.Spec.PodMetricsEndpoints {
		names = append(names, e.Port)
	}
	for _, in := range m.Spec.Ingress {
		for _, p := range in.Ports {
			names = append(names, p.Port)
		}
	}
	return names
}

func TestTheClusterScalesByMetricsThatThereAre(t *testing.T) {
	c := readCluster(t)
	known := contents(t, "process/testdata/metrics.golden")
	adapter := contents(t, filepath.Join(clusterDir, "adapter.yaml"))
	alerts := contents(t, "../deploy/alerts.yml")
	scaler := c.of("HorizontalPodAutoscaler")["work"].Spec
	if c.of(scaler.ScaleTargetRef.Kind)[scaler.ScaleTargetRef.Name].APIVersion != scaler.ScaleTargetRef.APIVersion {
		t.Errorf("what is scaled is %+v, which is not there", scaler.ScaleTargetRef)
	}
	values := map[string]int{}
	for _, m := range scaler.Metrics {
		name := m.External.Metric.Name
		values[name] = m.External.Target.AverageValue
		if !regexp.MustCompile(`(?m)^.*\b` + name + `\b`).Match(known) {
			t.Errorf("%s is no metric of ours", name)
		}
		if !strings.Contains(string(adapter), "("+name+"{<<.LabelMatchers>>}))") {
			t.Errorf("the adapter does not serve %s", name)
		}
	}
	slots, _ := strconv.Atoi(c.settings["MOLERUN_WORKERS"])
	if values["molerun_matches_queued"] != slots {
		t.Errorf("a worker is added for %d matches that wait, it plays %d at once", values["molerun_matches_queued"], slots)
	}
	if n := values["molerun_matches_leased"]; n == 0 || n >= slots {
		t.Errorf("a worker is kept for %d matches, want fewer than the %d that it plays at once: else a full one never gets help", n, slots)
	}
	monitor := c.of("PodMonitor")["molerun"].Spec
	if job := monitor.PodMetricsEndpoints[0].Relabelings[0].Replacement; !strings.Contains(string(alerts), `job="`+job+`"`) {
		t.Errorf("the pods are scraped as job %q, which no alert knows", job)
	}
}
