package guides

import (
	"bytes"
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// render makes a guide of a document. paths are the pages of all documents by their files.
func render(file string, source []byte, paths map[string]string) (*Guide, error) {
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(shown{}, 1))),
	)
	document := markdown.Parser().Parse(text.NewReader(source))
	g := &Guide{Path: pathOf(file)}
	if h, ok := document.FirstChild().(*ast.Heading); ok && h.Level == 1 {
		g.Title = words(h, source)
		document.RemoveChild(document, h)
	}
	if p, ok := document.FirstChild().(*ast.Paragraph); ok {
		g.Reader = strings.TrimPrefix(words(p, source), "Reader: ")
	}
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch x := n.(type) {
		case *ast.Link:
			lead(x, path.Dir(file), paths)
		case *ast.Heading:
			id, _ := x.AttributeString("id")
			if x.Level == 2 || x.Level == 3 {
				g.Contents = append(g.Contents, Heading{ID: string(id.([]byte)), Text: words(x, source), Level: x.Level})
			}
		case *table.TableRow:
			identify(x, source)
		case *table.TableCell:
			if n.Parent().Kind() == table.KindTableHeader {
				n.SetAttributeString("scope", []byte("col"))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, document); err != nil {
		return nil, err
	}
	g.HTML = template.HTML(b.String()) // our own documents, whose only raw HTML are the tags that fold
	return g, nil
}

// identify gives a row of a table of error codes its code as id: problems link there.
func identify(row *table.TableRow, source []byte) {
	header, ok := row.Parent().FirstChild().(*table.TableHeader)
	if ok && words(header.FirstChild(), source) == "code" {
		row.SetAttributeString("id", []byte(words(row.FirstChild(), source)))
	}
}

// lead turns a link between documents into one between pages. What the site does not show is named, not linked.
func lead(link *ast.Link, dir string, paths map[string]string) {
	to, anchor, _ := strings.Cut(string(link.Destination), "#")
	if to == "" || strings.Contains(to, "://") {
		return
	}
	page, shown := paths[path.Join(dir, to)]
	switch {
	case shown && anchor != "":
		link.Destination = []byte(page + "#" + anchor)
	case shown:
		link.Destination = []byte(page)
	default:
		link.Destination = nil
	}
}

// words returns the plain text of a node.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function below never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch x := n.(type) {
		case *ast.Text:
			b.Write(x.Segment.Value(source))
			if x.SoftLineBreak() || x.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(x.Value)
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// shown renders what the site shows in its own way: wide things scroll by keys too, a heading links to itself, comments and
// links to nowhere are left out, diagrams are folded as text. Of HTML only what folds a part of a document is let through.
type shown struct{}

// RegisterFuncs implements goldmark's renderer.
func (shown) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, fold)
	r.Register(ast.KindRawHTML, nothing)
	r.Register(ast.KindFencedCodeBlock, code)
	r.Register(ast.KindCodeBlock, code)
	r.Register(ast.KindHeading, heading)
	r.Register(ast.KindLink, link)
	r.Register(table.KindTable, wide)
}

func nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

// fold lets through the tags that fold a part of a document.
func fold(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tags := n.Lines().Value(source)
	if entering && (bytes.HasPrefix(tags, []byte("<details><summary>")) || bytes.HasPrefix(tags, []byte("</details>"))) {
		_, _ = w.Write(tags)
	}
	return ast.WalkSkipChildren, nil
}

func code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(fenced.Language(source))
	}
	before, after := "", ""
	if language == "mermaid" {
		before, after = "<details><summary>The diagram as text</summary>", "</details>"
	}
	_, _ = w.WriteString(before + `<pre tabindex="0" role="group" aria-label="Code"><code>`)
	_, _ = w.Write(util.EscapeHTML(n.Lines().Value(source)))
	_, _ = w.WriteString("</code></pre>" + after + "\n")
	return ast.WalkSkipChildren, nil
}

func heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	level := string("0123456"[n.(*ast.Heading).Level])
	id, _ := n.AttributeString("id")
	if entering {
		at := template.HTMLEscapeString(string(id.([]byte)))
		_, _ = w.WriteString("<h" + level + ` id="` + at + `"><a href="#` + at + `">`)
	} else {
		_, _ = w.WriteString("</a></h" + level + ">\n")
	}
	return ast.WalkContinue, nil
}

func link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	to := n.(*ast.Link).Destination
	switch {
	case len(to) == 0 || html.IsDangerousURL(to):
	case entering:
		_, _ = w.WriteString(`<a href="` + string(util.EscapeHTML(util.URLEscape(to, true))) + `">`)
	default:
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func wide(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="wide" tabindex="0" role="group" aria-label="Table"><table>` + "\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}
