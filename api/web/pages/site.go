package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	swagger "github.com/swaggest/swgui/v5/static"

	"github.com/molerun/molerun/engines/game"
)

//go:embed templates assets
var files embed.FS

// Site holds the pages, parsed, and their assets. It does not change.
type Site struct {
	pages  map[string]*template.Template
	assets map[string]Asset // by the name in their address
	names  map[string]string
	prose  prose
	games  func(id string) string
}

// Asset is a file that pages load. Its name changes with its content, so it may be kept for ever.
type Asset struct {
	Type string
	Body []byte
}

// Policy is the Content-Security-Policy of every page: scripts, styles and pictures of our own, nothing inline.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// EmbedPolicy is that of what any page may frame.
const EmbedPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"

// BoardPolicy is that of a drawing, which has a style of its own.
const BoardPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// entry is a link of the site's navigation.
type entry struct{ Path, Name string }

// navigation is what every page leads to.
var navigation = []entry{
	{"/matches", "Watch"},
	{"/games", "Play"},
	{"/ladders", "Ladders"},
	{"/tournaments", "Events"},
	{"/bots", "Bots"},
	{"/guides", "Guides"},
	{"/api", "API"},
	{"/me", "My bots"},
}

// unzipped returns the content of a gzip file.
func unzipped(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// NewSite parses everything. names returns the name of a game by its id.
func NewSite(names func(id string) string) (*Site, error) {
	prose, err := newProse()
	if err != nil {
		return nil, err
	}
	s := &Site{pages: map[string]*template.Template{}, assets: map[string]Asset{}, names: map[string]string{}, prose: prose, games: names}
	list, err := fs.ReadDir(files, "assets")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		body, err := files.ReadFile("assets/" + e.Name())
		if err != nil {
			return nil, err
		}
		s.addAsset(e.Name(), body)
	}
	for _, name := range []string{"swagger-ui.css", "swagger-ui-bundle.js"} {
		body, err := unzipped(swagger.FS, name+".gz")
		if err != nil {
			return nil, fmt.Errorf("pages: swagger-ui: %w", err)
		}
		s.addAsset(name, body)
	}
	frame, err := template.New("frame").Funcs(s.funcs()).Funcs(template.FuncMap{
		"asset": func(name string) (string, error) {
			if s.names[name] == "" {
				return "", fmt.Errorf("there is no asset %s", name)
			}
			return "/assets/" + s.names[name], nil
		},
		"nav":  func() []entry { return navigation },
		"mark": func() template.HTML { return template.HTML(s.assets[s.names["mole.svg"]].Body) }, // our own drawing
	}).ParseFS(files, "templates/frame.html", "templates/parts.html", "templates/stage.html", "templates/doors.html")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	for _, name := range []string{"home", "tournaments", "matches", "bots", "schedules", "ladders", "serieslist", "games", "game", "ladder", "calibration", "bot", "tournament", "projector", "broadcast", "series", "match", "alone", "embed", "guides", "guide", "reference", "problem", "play", "seat", "login", "class", "mine", "token", "desk", "scorecard", "scorecards"} {
		t, err := frame.Clone()
		if err == nil {
			t, err = t.ParseFS(files, "templates/"+name+".html")
		}
		if err != nil {
			return nil, fmt.Errorf("pages: %w", err)
		}
		s.pages[name] = t
	}
	return s, nil
}

// addAsset gives a file a name with a part of its hash.
func (s *Site) addAsset(file string, body []byte) {
	sum, ext := sha256.Sum256(body), path.Ext(file)
	name := strings.TrimSuffix(file, ext) + "-" + hex.EncodeToString(sum[:6]) + ext
	s.assets[name], s.names[file] = Asset{kinds[ext], body}, name
}

// ofRelease matches the name in an asset's address; the hash may be that of another release.
var ofRelease = regexp.MustCompile(`^(.+)-[0-9a-f]{12}(\.[a-z]+)$`)

// Asset returns a file by the name in its address; for that of another release it is the file as it is here, which is not same.
func (s *Site) Asset(name string) (a Asset, same, ok bool) {
	if a, ok = s.assets[name]; ok {
		return a, true, true
	}
	if part := ofRelease.FindStringSubmatch(name); part != nil {
		a, ok = s.assets[s.names[part[1]+part[2]]]
	}
	return a, false, ok
}

func (s *Site) render(page, block string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := s.pages[page].ExecuteTemplate(&b, block, data); err != nil {
		return nil, fmt.Errorf("pages: %s: %w", page, err)
	}
	return b.Bytes(), nil
}

// Page returns the page of a template.
func (s *Site) Page(name string, data any) ([]byte, error) { return s.render(name, "frame.html", data) }

// Prose returns Markdown that anybody may have written as a part of a page: no raw HTML, no pictures, links that we do not vouch
// for.
func (s *Site) Prose(markdown string) (template.HTML, error) { return s.prose.html(markdown) }

// Embed returns the viewer of a match for a frame.
func (s *Site) Embed(p Match) ([]byte, error) { return s.render("embed", "embed", p) }

// Frames returns at most most frames of a match as somebody sees it, from a step on.
func (s *Site) Frames(f *Replay, who Look, from, most int) ([]Frame, error) {
	out, err := f.frames(who, from, most)
	if err != nil {
		return nil, err
	}
	for i := range out {
		html, err := s.render("match", "happened", out[i])
		if err != nil {
			return nil, err
		}
		out[i].HTML = string(html)
	}
	return out, nil
}

// viewBox is the size of a drawing.
var viewBox = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`)

// Stage returns one frame for a page without a script; board is the address of its drawing.
func (s *Site) Stage(f *Replay, who Look, step int, board string) (Stage, error) {
	list, err := f.frames(who, step, 1)
	if err != nil {
		return Stage{}, err
	}
	return stageOf(list[0], who, template.URL(board)), nil // made of numbers and an id
}

func stageOf(frame Frame, who Look, board template.URL) Stage {
	out := Stage{Frame: frame, Alt: alt(frame.Step, who)}
	if size := viewBox.FindStringSubmatch(frame.SVG); size != nil {
		out.Board, out.Width, out.Height = board, size[1], size[2]
	}
	return out
}

// alt says in words what the drawing is.
func alt(step int, who Look) string {
	how := "as a spectator sees it"
	switch {
	case who.Seat >= 0:
		how = "as " + nameOf(who.Seat, who.Names) + " sees it"
	case seatOf(who.Seat) == game.Everything:
		how = "with everything open"
	}
	return fmt.Sprintf("The board after step %d %s. The view in words is below.", step, how)
}
