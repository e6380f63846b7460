package author

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/starters"
	"github.com/molerun/molerun/cli/command"
)

// firstURL is where a starter listens unless PORT or its argument says otherwise.
const firstURL = "http://127.0.0.1:8000"

func initCommand(c command.Console) *cobra.Command {
	dir, force, asJSON := ".", false, false
	cmd := &cobra.Command{
		Use: "init LANGUAGE", Short: "Write a first bot into this folder: " + strings.Join(starters.Names(), ", "),
		Long: "Writes a bot that plays all five games, its test and a Dockerfile, and prints the three commands to try next. The bot needs\n" +
			"nothing but the language's standard library. llm is one in Python that asks a language model behind an OpenAI-compatible server.\n" +
			"py, js, ts, rs and cs are short names. If a file exists already, nothing is written without --force.\n\n" +
			"Exit codes: 0 written, 1 a file is in the way or cannot be written, 2 the command line is wrong.",
		Example: "  molerun init python\n  molerun init go --dir my-bot",
		RunE: func(_ *cobra.Command, args []string) error {
			starter, err := starters.Find(args[0])
			if err != nil {
				return fmt.Errorf("%w: %w", command.ErrUsage, err)
			}
			files, err := starter.Files()
			if err != nil {
				return err
			}
			names, err := write(files, dir, force)
			if err != nil {
				return err
			}
			next := []string{starter.Run, "molerun check " + firstURL, "molerun play molehill " + firstURL + " random"}
			if dir != "." {
				next[0] = "cd " + command.Quoted(dir) + " && " + next[0]
			}
			if asJSON {
				return json.NewEncoder(c.Out).Encode(initDone{names, next})
			}
			fmt.Fprintf(c.Err, "wrote %s\nnext, the second and third in another terminal:\n", strings.Join(names, ", "))
			fmt.Fprintln(c.Out, strings.Join(next, "\n"))
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", dir, "the folder to write into; it is made if it is not there")
	_ = cmd.MarkFlagDirname("dir")
	cmd.Flags().BoolVar(&force, "force", force, "overwrite files that are there already")
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "print one JSON object: files, next")
	return cmd
}

// initDone is what init prints with --json.
type initDone struct {
	Files []string `json:"files"`
	Next  []string `json:"next"`
}

// write writes all files into dir or, if one is there and force is not set, none. It returns their paths.
func write(files []starters.File, dir string, force bool) ([]string, error) {
	var names, there []string
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		names = append(names, name)
		switch _, err := os.Lstat(name); {
		case err == nil:
			there = append(there, name)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("--dir %s: %w; choose another folder", dir, errors.Unwrap(err))
		}
	}
	if len(there) > 0 && !force {
		return nil, exists(there...)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	for i, f := range files {
		file, err := os.OpenFile(names[i], how, 0o644)
		mine := names[:i]
		if err == nil {
			mine = names[:i+1]
			_, err = file.Write(f.Body)
			err = errors.Join(err, file.Close())
		}
		if err != nil && !force { // what is half there would stand in the way of the next try
			for _, name := range mine {
				_ = os.Remove(name)
			}
		}
		if errors.Is(err, fs.ErrExist) { // another command has begun to write here
			return nil, exists(names[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// exists refuses to write where files are.
func exists(names ...string) error {
	return fmt.Errorf("%s: exists already, nothing was written; --dir FOLDER writes elsewhere, --force overwrites", strings.Join(names, ", "))
}
