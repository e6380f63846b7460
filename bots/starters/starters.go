package starters

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed python javascript typescript go rust java csharp llm
var files embed.FS

// llm asks a language model. Its server is the Python starter, under the name server.py.
const llm = "llm"

// Starter is a bot to begin with.
type Starter struct {
	Name    string   // the language or llm, and the folder here
	Aliases []string // other names for it
	Run     string   // how to start it in its folder; the port may follow
}

// File is one file of a starter: a plain name, no folder.
type File struct {
	Name string
	Body []byte
}

// All lists the starters, in the order to show them.
func All() []Starter {
	return []Starter{
		{"python", []string{"py"}, "python3 bot.py"},
		{"javascript", []string{"js", "node"}, "node bot.js"},
		{"typescript", []string{"ts"}, "node bot.ts"},
		{"go", []string{"golang"}, "go run ."},
		{"rust", []string{"rs"}, "cargo run --release"},
		{"java", nil, "java Bot.java"},
		{"csharp", []string{"cs", "c#", "dotnet"}, "dotnet run"},
		{llm, nil, "python3 bot.py"},
	}
}

// Names lists the names of [All].
func Names() []string {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}

// Find returns the starter of a name or an alias, in small or capital letters; the error names an unknown one.
func Find(name string) (Starter, error) {
	name = strings.ToLower(name)
	all := All()
	i := slices.IndexFunc(all, func(s Starter) bool { return s.Name == name || slices.Contains(s.Aliases, name) })
	if i < 0 {
		return Starter{}, fmt.Errorf("there is no starter for %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return all[i], nil
}

// Files returns the files of the starter.
func (s Starter) Files() ([]File, error) {
	entries, err := fs.ReadDir(files, s.Name)
	if err != nil {
		return nil, fmt.Errorf("starter for %s: %w", s.Name, err)
	}
	out := make([]File, 0, len(entries))
	for _, e := range entries {
		body, err := files.ReadFile(s.Name + "/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("starter for %s: %w", s.Name, err)
		}
		// A folder with a go.mod would be another module, which cannot be embedded: here the file has another name.
		out = append(out, File{strings.TrimSuffix(e.Name(), ".txt"), body})
	}
	if s.Name == llm {
		body, err := files.ReadFile("python/bot.py")
		if err != nil {
			return nil, fmt.Errorf("starter for %s: %w", s.Name, err)
		}
		out = append(out, File{"server.py", body})
	}
	return out, nil
}
