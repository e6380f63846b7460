package pages

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// relation is what links in texts say of where they lead: we do not vouch for it, and it learns nothing of our window.
const relation = "nofollow noopener"

// maxShown is how many texts are kept as HTML.
const maxShown = 128

// Bounds of what a text may become: one that is nested deeper, or grows more, is shown as it was written.
const (
	maxNested = 32 // quotations and lists within each other
	maxGrowth = 8  // bytes of HTML for a byte of the text, beyond baseHTML
	baseHTML  = 1024
)

// prose makes HTML of what organisers write. Two gates stand one behind the other: Markdown leaves raw HTML and dangerous
// addresses out, and of what is left the policy lets known elements through.
type prose struct {
	markdown goldmark.Markdown
	policy   *bluemonday.Policy
	shown    *lru.Cache[string, template.HTML] // by the Markdown
}

func newProse() (prose, error) {
	shown, err := lru.New[string, template.HTML](maxShown)
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.Strikethrough, extension.Linkify, extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(below{}, 1000))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(captions{}, 1))),
	)
	return prose{markdown: markdown, policy: newPolicy(), shown: shown}, err
}

// newPolicy returns the elements and attributes that a text may have on a page.
func newPolicy() *bluemonday.Policy {
	policy := bluemonday.NewPolicy()
	policy.AllowElements("p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h3", "h4", "h5", "h6",
		"table", "thead", "tbody", "tr", "th", "td")
	policy.AllowAttrs("href").OnElements("a")
	policy.AllowAttrs("rel").Matching(regexp.MustCompile("^" + relation + "$")).OnElements("a")
	policy.AllowAttrs("scope").Matching(regexp.MustCompile("^col$")).OnElements("th")
	policy.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	policy.AllowURLSchemes("http", "https", "mailto")
	policy.AllowRelativeURLs(true)
	policy.RequireParseableURLs(true)
	policy.RequireNoFollowOnLinks(true)
	return policy
}

// html returns Markdown as a page may hold it.
func (p prose) html(markdown string) (template.HTML, error) {
	if html, ok := p.shown.Get(markdown); ok {
		return html, nil
	}
	html := template.HTML("<pre>" + template.HTMLEscapeString(markdown) + "</pre>")
	if !nested(markdown) {
		var b bytes.Buffer
		if err := p.markdown.Convert([]byte(markdown), &b); err != nil {
			return "", fmt.Errorf("pages: markdown: %w", err)
		}
		if b.Len() <= baseHTML+maxGrowth*len(markdown) {
			html = p.clean(b.Bytes())
		}
	}
	p.shown.Add(markdown, html)
	return html, nil
}

// nesting is the beginning of a line that opens quotations and lists.
var nesting = regexp.MustCompile(`(?m)^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))+`)

// opens is one of them.
var opens = regexp.MustCompile(`>|[-+*]|\d+[.)]`)

// nested reports whether a line of a text opens more than may lie within each other.
func nested(markdown string) bool {
	for _, beginning := range nesting.FindAllString(markdown, -1) {
		if len(opens.FindAllStringIndex(beginning, maxNested+1)) > maxNested {
			return true
		}
	}
	return false
}

// clean leaves of HTML what a page may hold.
func (p prose) clean(html []byte) template.HTML {
	return template.HTML(p.policy.SanitizeBytes(html))
}

// below puts the headings of a text below the one it stands under (h2), and marks links and the heads of columns.
type below struct{}

// Transform implements goldmark's transformer.
func (below) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function below never fails
		switch x := n.(type) {
		case *ast.Heading:
			if entering {
				x.Level = min(x.Level+2, 6)
			}
		case *ast.Link, *ast.AutoLink:
			n.SetAttributeString("rel", []byte(relation))
		case *table.TableCell:
			if n.Parent().Kind() == table.KindTableHeader {
				n.SetAttributeString("scope", []byte("col"))
			}
		}
		return ast.WalkContinue, nil
	})
}

// captions shows a picture as the words in its place: pages load nothing from elsewhere.
type captions struct{}

// RegisterFuncs implements goldmark's renderer.
func (captions) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkContinue, nil })
}
