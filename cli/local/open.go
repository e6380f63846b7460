package local

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	viewer "github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/engines/catalog"
)

// openLimit is how long the system may take to hand a page to its browser.
const openLimit = 20 * time.Second

// browse opens a file in the default browser of the system.
func browse(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	name, args := "xdg-open", []string{path}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", path}
	}
	return exec.CommandContext(ctx, name, args...).Run() //nolint:gosec // a file that we wrote
}

// page verifies a record and makes the one file that shows it.
func page(record string) ([]byte, error) {
	rec, err := matches.Read(record)
	if err != nil {
		return nil, err
	}
	engine, _ := catalog.Find(rec.Header.Game)
	return viewer.Alone(rec, engine)
}

// openRecord writes the page of a record beside it and opens it. Without a browser it says so: the page is there all the same.
func openRecord(ctx context.Context, c command.Console, record string, force bool) error {
	body, err := page(record)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(strings.TrimSuffix(strings.TrimSuffix(record, ".gz"), ".jsonl") + ".html")
	if err != nil {
		return err
	}
	if err := command.WriteNew(path, body, force); err != nil {
		return err
	}
	open := c.Open
	if open == nil {
		open = browse
	}
	if err := open(ctx, path); err != nil {
		fmt.Fprintf(c.Err, "no browser could be opened (%v): open this page in one yourself\n", err)
	}
	fmt.Fprintln(c.Err, path)
	return nil
}
