package starters

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed python javascript go
var files embed.FS

// File is one file of a starter: a plain name, no folder.
type File struct {
	Name string
	Body []byte
}

// Languages lists the starters, in the order to show them.
func Languages() []string { return []string{"python", "javascript", "go"} }

// Files returns the files of the starter for a language of [Languages], by name; the error tells an unknown language.
func Files(language string) ([]File, error) {
	if !slices.Contains(Languages(), language) {
		return nil, fmt.Errorf("there is no starter for %q; there are %s", language, strings.Join(Languages(), ", "))
	}
	entries, err := fs.ReadDir(files, language)
	if err != nil {
		return nil, fmt.Errorf("starter for %s: %w", language, err)
	}
	out := make([]File, 0, len(entries))
	for _, e := range entries {
		body, err := files.ReadFile(language + "/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("starter for %s: %w", language, err)
		}
		// A folder with a go.mod would be another module, which cannot be embedded: here the file has another name.
		out = append(out, File{strings.TrimSuffix(e.Name(), ".txt"), body})
	}
	return out, nil
}
