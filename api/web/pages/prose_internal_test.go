package pages

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func proseOf(t *testing.T) prose {
	t.Helper()
	p, err := newProse()
	must.OK(t, err)
	return p
}

// allowed are the elements that a text may become, with their attributes.
var allowed = map[string][]string{
	"p": nil, "br": nil, "hr": nil, "em": nil, "strong": nil, "del": nil, "code": nil, "pre": nil, "blockquote": nil, "ul": nil, "li": nil, "h3": nil, "h4": nil,
	"h5": nil, "h6": nil, "table": nil, "thead": nil, "tbody": nil, "tr": nil, "th": {"scope"}, "td": nil, "ol": {"start"}, "a": {"href", "rel"},
}

// strange is what of a fragment, as a browser reads it, a page must not hold; nil if there is nothing.
func strange(t *testing.T, fragment string) []string {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(fragment), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		t.Fatalf("%q: %v", fragment, err)
	}
	var found []string
	var look func(n *html.Node)
	look = func(n *html.Node) {
		may, known := allowed[n.Data]
		switch {
		case n.Type == html.ElementNode && (!known || n.Namespace != ""):
			found = append(found, "element "+n.Data)
		case n.Type != html.ElementNode && n.Type != html.TextNode:
			found = append(found, fmt.Sprintf("node %d %q", n.Type, n.Data))
		}
		for _, a := range n.Attr {
			if !slices.Contains(may, a.Key) || a.Namespace != "" {
				found = append(found, "attribute "+a.Key+" of "+n.Data)
			}
			if a.Key == "href" && !harmless(a.Val) {
				found = append(found, "address "+a.Val)
			}
		}
		for c := range n.ChildNodes() {
			look(c)
		}
	}
	for _, n := range nodes {
		look(n)
	}
	return found
}

// harmless reports whether an address, as browsers read it, leads to a page or to mail: they skip spaces and control
// characters in front, and tabs and line ends anywhere.
func harmless(address string) bool {
	seen := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, address)
	u, err := url.Parse(seen)
	return err == nil && slices.Contains([]string{"", "http", "https", "mailto"}, strings.ToLower(u.Scheme))
}

// attacks are texts that would run a script, load something or change the page around them, were they shown as they are.
var attacks = []string{
	// Elements that do something.
	`<script>alert(1)</script>`,
	`<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
	`<scr<script>ipt>alert(1)</scr</script>ipt>`,
	`<script/x>alert(1)</script\t\n>`,
	`<<script>alert(1)//<</script>`,
	`<iframe src="javascript:alert(1)"></iframe>`,
	`<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">`,
	`<object data="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">`,
	`<embed src="javascript:alert(1)">`,
	`<base href="//evil.example/">`,
	`<meta http-equiv="refresh" content="0;url=javascript:alert(1)">`,
	`<link rel="stylesheet" href="//evil.example/x.css">`,
	`<form action="//evil.example"><button>vote</button></form>`,
	`<button form="x" formaction="javascript:alert(1)">x</button>`,
	`<template><script>alert(1)</script></template>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
	`<style>@import '//evil.example/x.css';</style>`,
	`<textarea><script>alert(1)</script></textarea>`,
	`<title><img src=x onerror=alert(1)></title>`,
	`<plaintext><script>alert(1)`,
	// Attributes that do something.
	`<p onclick="alert(1)">x</p>`,
	`<p ONMOUSEOVER=alert(1)>x</p>`,
	`<p/onclick=alert(1)/x>x</p>`,
	"<p\nonfocus\n=\nalert(1) tabindex=1 autofocus>x</p>",
	`<a href="https://ok.example" onmouseover="alert(1)">x</a>`,
	`<p style="background:url(javascript:alert(1))">x</p>`,
	`<p style="position:fixed;inset:0">x</p>`,
	`<p class="tag running" id="content">x</p>`,
	`<details open ontoggle=alert(1)>`,
	`<video autoplay onloadstart=alert(1)><source></video>`,
	`<a href="https://ok.example" target="_top" ping="//evil.example">x</a>`,
	// Pictures and drawings.
	`<img src=x onerror=alert(1)>`,
	`<img srcset="//evil.example/x 1x" src=x>`,
	"<img src=`javascript:alert(1)`>",
	`<img """><script>alert(1)</script>">`,
	`![x](https://evil.example/pixel.png)`,
	`![x](x "onerror=alert(1)")`,
	`![x" onerror="alert(1)](x)`,
	`<svg onload=alert(1)>`,
	`<svg><script xlink:href="data:,alert(1)"></script></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text x="20" y="20">x</text></a></svg>`,
	`<svg><style><img src=x onerror=alert(1)></style></svg>`,
	`<math><mi xlink:href="javascript:alert(1)">x</mi></math>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">`,
	// Addresses.
	`[x](javascript:alert(1))`,
	`[x](JaVaScRiPt:alert(1))`,
	`[x](&#106;avascript:alert(1))`,
	`[x](&#x6A&#x61&#x76&#x61script:alert(1))`,
	`[x](java&Tab;script:alert(1))`,
	`[x](java&NewLine;script:alert(1))`,
	"[x](<java\tscript:alert(1)>)",
	"[x](<\x01javascript:alert(1)>)",
	`[x](javascript&colon;alert(1))`,
	`[x](javascript%3Aalert(1))`,
	`[x](vbscript:msgbox(1))`,
	`[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
	`[x](data:image/svg+xml,<svg onload=alert(1)>)`,
	`[x](file:///etc/passwd)`,
	`[x](blob:https://ok.example/1)`,
	`[x](<https://ok.example" onclick="alert(1)>)`,
	`[x](https://ok.example "title\" onmouseover=\"alert(1)")`,
	`[x]: javascript:alert(1)` + "\n\n[x]",
	`<javascript:alert(1)>`,
	`<data:text/html,x>`,
	`<a href="  javascript:alert(1)">x</a>`,
	"<a href=\"jav\nascript:alert(1)\">x</a>",
	`<a href="javascript&#58;alert(1)">x</a>`,
	`<a href='https://ok.example' rel="opener">x</a>`,
	// What breaks out.
	`<!--><script>alert(1)</script>-->`,
	`<!-- --!><script>alert(1)</script>`,
	`<![CDATA[><script>alert(1)</script>]]>`,
	`<?php echo "<script>alert(1)</script>" ?>`,
	`<!DOCTYPE html [<!ENTITY x "<script>">]>`,
	"`</code><script>alert(1)</script>`",
	"```\"><script>alert(1)</script>\nx\n```",
	"```x\" onclick=\"alert(1)\nx\n```",
	"# x {onclick=alert(1)}",
	"|a|\n|-|\n|<script>alert(1)</script>|",
	`*<b onclick=alert(1)>_<i>*</i>_</b>`,
	`</div></main><script>alert(1)</script>`,
	"&lt;script&gt;alert(1)&lt;/script&gt;",
	"\\<script>alert(1)\\</script>",
	"<scri\x00pt>alert(1)</script>",
}

func TestNoTextBecomesMoreThanWords(t *testing.T) {
	if len(attacks) < 40 {
		t.Fatalf("%d attacks, want at least 40", len(attacks))
	}
	p := proseOf(t)
	for _, attack := range attacks {
		shown, err := p.html(attack)
		must.OK(t, err)
		if found := strange(t, string(shown)); found != nil {
			t.Errorf("%q becomes %q: %v", attack, shown, found)
		}
		// The second gate holds without the first.
		if found := strange(t, string(p.clean([]byte(attack)))); found != nil {
			t.Errorf("%q is cleaned to %q: %v", attack, p.clean([]byte(attack)), found)
		}
	}
}

// Each kind of fault is seen, so that what is let through is known to have none.
func TestStrangeHTMLIsSeen(t *testing.T) {
	for _, fault := range []string{
		`<script></script>`, `<img>`, `<p onclick="x">`, `<svg></svg>`, `<!-- x -->`, `<a href="javascript:x">x</a>`, "<a href=\" java\tscript:x\">x</a>", `<a href="data:x">x</a>`,
		`<p class="x">`, `<a href="x" target="_blank">x</a>`, `<iframe>`, `<math></math>`,
	} {
		if strange(t, fault) == nil {
			t.Errorf("%q passes", fault)
		}
	}
}

func TestMarkdownIsShown(t *testing.T) {
	p := proseOf(t)
	for _, row := range []struct{ in, want string }{
		{"", ""},
		{"Every *Friday* at **eight**", "<p>Every <em>Friday</em> at <strong>eight</strong></p>\n"},
		{"# Prizes\n## First", "<h3>Prizes</h3>\n<h4>First</h4>\n"},
		{"###### Deep", "<h6>Deep</h6>\n"},
		{"3. third\n4. fourth", "<ol start=\"3\">\n<li>third</li>\n<li>fourth</li>\n</ol>\n"},
		{"[the rules](/v1/games/cia/rules)", "<p><a href=\"/v1/games/cia/rules\" rel=\"nofollow noopener\">the rules</a></p>\n"},
		{"<https://club.example>", "<p><a href=\"https://club.example\" rel=\"nofollow noopener\">https://club.example</a></p>\n"},
		{"see https://club.example/a?b=1&c=2", "<p>see <a href=\"https://club.example/a?b=1&amp;c=2\" rel=\"nofollow noopener\">https://club.example/a?b=1&amp;c=2</a></p>\n"},
		{"mail [us](mailto:cup@club.example)", "<p>mail <a href=\"mailto:cup@club.example\" rel=\"nofollow noopener\">us</a></p>\n"},
		{"a ![trophy *of gold*](https://club.example/cup.png) waits", "<p>a trophy <em>of gold</em> waits</p>\n"},
		{"|place|prize|\n|:-|-:|\n|1|a cup|", "<table>\n<thead>\n<tr>\n<th scope=\"col\">place</th>\n<th scope=\"col\">prize</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>a cup</td>\n</tr>\n</tbody>\n</table>\n"},
		{"1 < 2 & `a < b`", "<p>1 &lt; 2 &amp; <code>a &lt; b</code></p>\n"},
		{"~~late~~", "<p><del>late</del></p>\n"},
	} {
		for _, when := range []string{"first", "kept"} {
			got, err := p.html(row.in)
			if err != nil || string(got) != row.want {
				t.Errorf("%q, %s: got %q (%v), want %q", row.in, when, got, err, row.want)
			}
		}
		if found := strange(t, row.want); found != nil {
			t.Errorf("%q: %v", row.want, found)
		}
	}
}

// TestAPageOfATextIsNotManyTimesTheText: whatever organisers write, and in the time that a page may take.
func TestAPageOfATextIsNotManyTimesTheText(t *testing.T) {
	p := proseOf(t)
	for _, unit := range []string{
		">", "> ", "> > ", "- ", "-\t", "* ", "1. ", "1) ", "+ ", ">- ", "- > ", ">\n\n", "> x\n\n", "- x\n\n  ", "|", "|a", "[", "![", "*a*", "**a** ", "`", "`a`", "<", "&", "http://a ", "www.a.b ",
		"a@b.c ", "[a](b)", "# a\n", "---\n", "\n", "\\", "~~a~~ ", "|a|b|\n|-|-|\n", "\u00a0",
	} {
		text := strings.Repeat(unit, tournament.MaxProse/len(unit))
		html, err := p.html(text)
		if bound := baseHTML + maxGrowth*len(text); err != nil || len(html) > bound {
			t.Errorf("%q again and again: %d bytes of %d, want at most %d (%v)", unit, len(html), len(text), bound, err)
		}
	}
	quoted, err := p.html(strings.Repeat("> ", maxNested) + "deep")
	if err != nil || !strings.Contains(string(quoted), "<blockquote>") {
		t.Errorf("a quotation of %d is not shown as one: %s, %v", maxNested, quoted, err)
	}
}
