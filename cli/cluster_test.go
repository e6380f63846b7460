package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/molerun/molerun/internal/must"
)

const (
	nameLabel  = "app.kubernetes.io/name"
	clusterDir = "../deploy/cluster"
)

// clusterKeys lists the keys of the Kubernetes API and of kustomize that deploy/cluster uses, but for labels: look another up, which may be
// misspelt, and write it here.
const clusterKeys = ` allowPrivilegeEscalation apiVersion args automountServiceAccountToken backoffLimit behavior capabilities cidr configMapGenerator
	configMapRef containerPort containers cpu drop egress envFrom envs except external failureThreshold from httpGet image images includeTemplates
	ingress interval ipBlock key kind labelSelector labels limits livenessProbe matchExpressions matchLabels maxReplicas maxSkew maxSurge
	maxUnavailable memory metadata metric metrics minAvailable minReplicas name namespace namespaceSelector newName newTag operator pairs path
	periodSeconds podMetricsEndpoints podSelector policies policyTypes port ports protocol readOnlyRootFilesystem readinessProbe relabelings
	replacement replicas requests resources restartPolicy rollingUpdate runAsGroup runAsNonRoot runAsUser scaleDown scaleTargetRef seccompProfile
	secretRef securityContext selector spec stabilizationWindowSeconds strategy target targetLabel targetPort tcpSocket template
	terminationGracePeriodSeconds to topologyKey topologySpreadConstraints type value values averageValue whenUnsatisfiable `

// kinds are the kinds of objects with the version of the API that has them.
var kinds = map[string]string{
	"Namespace": "v1", "Service": "v1", "Deployment": "apps/v1", "Job": "batch/v1", "PodDisruptionBudget": "policy/v1", "HorizontalPodAutoscaler": "autoscaling/v2",
	"NetworkPolicy": "networking.k8s.io/v1", "PodMonitor": "monitoring.coreos.com/v1", "Kustomization": "kustomize.config.k8s.io/v1beta1",
}

// at follows a path of keys and places into what YAML holds; nil where it leads nowhere.
func at(v any, path string) any {
	for key := range strings.FieldsSeq(path) {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// textAt is what stands at a path, as text; "" if nothing does.
func textAt(v any, path string) string {
	if x := at(v, path); x != nil {
		return fmt.Sprint(x)
	}
	return ""
}

// listAt is the list at a path, of what its entries have at another; "" is the entry itself.
func listAt(v any, path, of string) (out []any) {
	list, _ := at(v, path).([]any)
	for _, x := range list {
		out = append(out, at(x, of))
	}
	return out
}

// spelt fails for each key that the API has not.
func spelt(t *testing.T, file string, v any) {
	t.Helper()
	switch x := v.(type) {
	case map[string]any:
		for key, in := range x {
			if !strings.Contains(key, "/") && !slices.Contains(strings.Fields(clusterKeys), key) {
				t.Errorf("%s: there is no key %s", file, key)
			}
			spelt(t, file, in)
		}
	case []any:
		for _, in := range x {
			spelt(t, file, in)
		}
	}
}

// objectsIn reads the objects of a file of deploy/cluster.
func objectsIn(t *testing.T, file string) (out []any) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader(contents(t, filepath.Join(clusterDir, file))))
	for {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		spelt(t, file, v)
		if kind := textAt(v, "kind"); kinds[kind] == "" || kinds[kind] != textAt(v, "apiVersion") {
			t.Errorf("%s: %s is of %s, want %q", file, kind, textAt(v, "apiVersion"), kinds[kind])
		}
		out = append(out, v)
	}
}

// cluster is what deploy/cluster holds.
type cluster struct {
	objects  []any
	settings map[string]string
}

func readCluster(t *testing.T) cluster {
	t.Helper()
	k := objectsIn(t, "kustomization.yaml")[0]
	c := cluster{settings: map[string]string{}}
	want := []string{"adapter.yaml", "kustomization.yaml"}
	for _, file := range listAt(k, "resources", "") {
		want = append(want, fmt.Sprint(file))
		c.objects = append(c.objects, objectsIn(t, fmt.Sprint(file))...)
	}
	files, err := filepath.Glob(filepath.Join(clusterDir, "*.yaml"))
	must.OK(t, err)
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if slices.Sort(want); !slices.Equal(files, want) {
		t.Errorf("the files are %v; kustomization.yaml and the adapter's values make %v", files, want)
	}
	env := contents(t, filepath.Join(clusterDir, textAt(k, "configMapGenerator 0 envs 0")))
	for _, line := range regexp.MustCompile(`(?m)^(\w+)=(.*)$`).FindAllStringSubmatch(string(env), -1) {
		c.settings[line[1]] = line[2]
	}
	return c
}

// of returns the objects of a kind by name.
func (c cluster) of(kind string) map[string]any {
	out := map[string]any{}
	for _, v := range c.objects {
		if textAt(v, "kind") == kind {
			out[textAt(v, "metadata name")] = v
		}
	}
	return out
}

// picks returns the names of the deployments that a selector picks, by their label; nil is all.
func picks(selector any) []any {
	for _, path := range []string{nameLabel, "matchLabels " + nameLabel} {
		if name := at(selector, path); name != nil {
			return []any{name}
		}
	}
	return listAt(selector, "matchExpressions 0 values", "")
}

// holdsAt wants texts at paths.
func holdsAt(t *testing.T, name string, v any, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if got := textAt(v, path); got != text {
			t.Errorf("%s: %s is %q, want %q", name, path, got, text)
		}
	}
}

func TestEachProcessOfTheClusterIsOneOfOurs(t *testing.T) {
	c := readCluster(t)
	user := regexp.MustCompile(`USER (\d+):`).FindSubmatch(contents(t, "../deploy/Dockerfile"))
	pods := maps.Clone(c.of("Deployment"))
	maps.Copy(pods, c.of("Job"))
	if got := slices.Sorted(maps.Keys(pods)); !slices.Equal(got, []string{"migrate", "serve", "work"}) {
		t.Errorf("the processes are %v", got)
	}
	for name, v := range pods {
		pod := at(v, "spec template")
		holdsAt(t, name, pod, map[string]string{ // the namespace's pod security refuses others, and nobody needs a token of the cluster
			"metadata labels " + nameLabel: name, "spec automountServiceAccountToken": "false", "spec securityContext runAsUser": string(user[1]),
			"spec securityContext runAsNonRoot": "true", "spec securityContext seccompProfile type": "RuntimeDefault",
		})
		for _, one := range listAt(pod, "spec containers", "") {
			holdsAt(t, name, one, map[string]string{ // GOMEMLIMIT is made for the limit of memory
				"name": textAt(one, "args 0"), "image": "molerun", "envFrom 0 configMapRef name": "settings", "envFrom 1 secretRef name": "molerun", "envFrom 2": "",
				"resources limits memory": "1Gi", "securityContext readOnlyRootFilesystem": "true", "securityContext allowPrivilegeEscalation": "false",
				"securityContext capabilities drop": "[ALL]",
			})
			var args []string
			for _, word := range listAt(one, "args", "") {
				args = append(args, fmt.Sprint(word))
			}
			if code, _, errs := call("", append(args, "--help")...); code != 0 || textAt(one, "resources requests cpu") == "" {
				t.Errorf("molerun %v: exit code %d %s; or it requests no processor", args, code, errs)
			}
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

func TestTheClustersPortsProbesAndSelectorsMeet(t *testing.T) {
	c := readCluster(t)
	document := string(contents(t, "../docs/openapi.json"))
	ports := map[any][]any{} // the names of a deployment's ports
	_, metrics, err := net.SplitHostPort(c.settings["MOLERUN_METRICS"])
	must.OK(t, err)
	for name, v := range c.of("Deployment") {
		one := at(v, "spec template spec containers 0")
		listen := map[any]string{"metrics": metrics}
		if args := listAt(one, "args", ""); slices.Contains(args, any("--listen")) {
			_, listen["http"], _ = net.SplitHostPort(fmt.Sprint(args[slices.Index(args, any("--listen"))+1]))
		}
		for _, p := range listAt(one, "ports", "") {
			ports[name] = append(ports[name], at(p, "name"))
			if port := textAt(p, "containerPort"); listen[at(p, "name")] != port {
				t.Errorf("%s: port %s is %s, the process listens at %q", name, at(p, "name"), port, listen[at(p, "name")])
			}
		}
		if got := picks(at(v, "spec selector")); !slices.Equal(got, []any{name}) {
			t.Errorf("%s picks the pods of %v", name, got)
		}
		for _, probe := range []string{"livenessProbe httpGet", "livenessProbe tcpSocket", "readinessProbe httpGet", "readinessProbe tcpSocket"} {
			path := at(one, probe+" path")
			if at(one, probe) != nil && !slices.Contains(ports[name], at(one, probe+" port")) || path != nil && !strings.Contains(document, fmt.Sprintf("%q", path)) {
				t.Errorf("%s: nobody answers the %s %v", name, probe, at(one, probe))
			}
		}
	}
	grace, _ := strconv.Atoi(textAt(c.of("Deployment")["serve"], "spec template spec terminationGracePeriodSeconds"))
	if seconds, _ := strconv.Atoi(c.settings["MOLERUN_DRAIN_SECONDS"]); seconds == 0 || grace < seconds+int(drain.Seconds())+5 {
		t.Errorf("serve is killed after %d s: it drains for %d, and then for %v", grace, seconds, drain)
	}
	for _, v := range c.objects {
		needed := slices.Concat(listAt(v, "spec ports", "targetPort"), listAt(v, "spec podMetricsEndpoints", "port"), listAt(v, "spec ingress 0 ports", "port"))
		for _, name := range append(picks(at(v, "spec selector")), picks(at(v, "spec podSelector"))...) {
			if ports[name] == nil {
				t.Errorf("%s %s picks the pods of %s, which is no deployment", at(v, "kind"), at(v, "metadata name"), name)
			}
			for _, want := range needed {
				if !slices.Contains(ports[name], want) {
					t.Errorf("%s %s wants the port %s of %s", at(v, "kind"), at(v, "metadata name"), want, name)
				}
			}
		}
	}
}

func TestTheClusterScalesByMetricsThatThereAre(t *testing.T) {
	c := readCluster(t)
	known := contents(t, "process/testdata/metrics.golden")
	adapter := string(contents(t, filepath.Join(clusterDir, "adapter.yaml")))
	scaler := c.of("HorizontalPodAutoscaler")["work"]
	target := at(scaler, "spec scaleTargetRef")
	if scaled := c.of(textAt(target, "kind"))[textAt(target, "name")]; scaled == nil || at(scaled, "apiVersion") != at(target, "apiVersion") {
		t.Errorf("what is scaled is %v, which is not there", target)
	}
	values := map[string]int{}
	for _, m := range listAt(scaler, "spec metrics", "external") {
		name := textAt(m, "metric name")
		values[name], _ = strconv.Atoi(textAt(m, "target averageValue"))
		if !regexp.MustCompile(`(?m)^.*\b` + name + `\b`).Match(known) {
			t.Errorf("%s is no metric of ours", name)
		}
		if !strings.Contains(adapter, "("+name+"{<<.LabelMatchers>>}))") {
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
	job := textAt(c.of("PodMonitor")["molerun"], "spec podMetricsEndpoints 0 relabelings 0 replacement")
	if !strings.Contains(string(contents(t, "../deploy/alerts.yml")), `job="`+job+`"`) {
		t.Errorf("the pods are scraped as job %q, which no alert knows", job)
	}
}
