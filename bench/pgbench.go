package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// pgbench is Postgres's own measuring program, for one database.
type pgbench struct{ program, url string }

func newPgbench(url string) (pgbench, error) {
	program, err := exec.LookPath("pgbench")
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench") // where Debian puts it
		if len(found) == 0 {
			return pgbench{}, errors.New("there is no pgbench: install postgresql-contrib")
		}
		slices.Sort(found)
		program = found[len(found)-1]
	}
	return pgbench{program, url}, nil
}

// run runs it and returns what it printed.
func (p pgbench) run(ctx context.Context, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, p.program, append(args, p.url)...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	return out, nil
}

var tps = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)

// perSecond returns how many transactions a second so many clients commit. script is the option that names the transaction.
func (p pgbench) perSecond(ctx context.Context, span time.Duration, clients int, script string) (float64, error) {
	seconds := max(1, int(span.Seconds()))
	out, err := p.run(ctx, "--no-vacuum", "--protocol=prepared", "--jobs=2", fmt.Sprint("--client=", clients), fmt.Sprint("--time=", seconds), script)
	if err != nil {
		return 0, err
	}
	found := tps.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench: no tps in %s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
