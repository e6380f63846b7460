package guides

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// MaxHits is how many places a search finds at most.
const MaxHits = 30

// before and around are how many characters of a place are told: those before the first word that was looked for, and all.
const (
	before = 60
	around = 220
)

// part is what stands under a heading.
type part struct {
	path, title string // of the guide, or of the heading's place in it
	text        string
	folded      string // text, to be looked through
}

// Hit is a place that a search found.
type Hit struct {
	Path, Guide, Title string
	Text               string // what stands there, shortened
}

// partsOf cuts a document at its headings.
func partsOf(g *Guide, document ast.Node, source []byte) []part {
	out := []part{{path: g.Path, title: g.Title}}
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			id, _ := h.AttributeString("id")
			out = append(out, part{path: g.Path + "#" + string(id.([]byte)), title: words(h, source)})
			continue
		}
		out[len(out)-1].text += " " + words(n, source)
	}
	for i := range out {
		out[i].text = strings.Join(strings.Fields(out[i].text), " ")
		out[i].folded = fold(out[i].text)
	}
	return out
}

// fold makes letters that differ in their case alone the same; it keeps the number of characters.
func fold(s string) string { return strings.Map(unicode.ToLower, s) }

// Search finds the places that hold every word of a query, those that hold them in their headings first.
func (l *Library) Search(query string) []Hit {
	wanted := strings.Fields(fold(query))
	if len(wanted) == 0 {
		return nil
	}
	type scored struct {
		Hit
		score int
	}
	var found []scored
	for _, shelf := range l.shelves {
		for _, g := range shelf.Guides {
			for _, p := range g.parts {
				if score := p.holds(wanted, fold(g.Title)); score > 0 {
					found = append(found, scored{Hit{Path: p.path, Guide: g.Title, Title: p.title, Text: p.excerpt(wanted[0])}, score})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := make([]Hit, min(len(found), MaxHits))
	for i := range out {
		out[i] = found[i].Hit
	}
	return out
}

// holds counts how well a part answers: a word in its heading is worth more than one in its guide's title or in its text;
// 0 if a word is in none of them.
func (p part) holds(wanted []string, guide string) int {
	score := 0
	title := fold(p.title)
	for _, w := range wanted {
		switch {
		case strings.Contains(title, w):
			score += 10
		case strings.Contains(guide, w):
			score += 3
		case strings.Contains(p.folded, w):
			score++
		default:
			return 0
		}
	}
	return score
}

// excerpt is the text around a word; its beginning where the word is not in it.
func (p part) excerpt(word string) string {
	text := []rune(p.text)
	at := 0
	if i := strings.Index(p.folded, word); i >= 0 {
		at = len([]rune(p.folded[:i]))
	}
	from := max(0, at-before)
	for from > 0 && from < at && text[from-1] != ' ' {
		from++
	}
	to := min(len(text), from+around)
	out := string(text[from:to])
	if from > 0 {
		out = "… " + out
	}
	if to < len(text) {
		out += " …"
	}
	return out
}
