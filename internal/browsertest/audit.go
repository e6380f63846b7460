package browsertest

import (
	_ "embed"
	"os"
	osexec "os/exec"
	"path/filepath"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// runAxe lists what axe-core finds, of any level, in what is shown. It does not look for targets too small for a thumb
// unless asked.
const runAxe = `axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then((r) =>
	r.violations.flatMap((v) => v.nodes.map((n) => v.id + " (" + v.impact + ") at " + n.target + ": " + n.html.slice(0, 120))))`

// ownAudit lists what axe-core does not look at: the width of the page, focus that is seen, the first stop, headings of tables,
// contrast before a gradient. It moves the focus.
//
//go:embed audit.js
var ownAudit string

// Look is a screen that pages are audited on: its width in CSS pixels and the colours that its owner prefers.
type Look struct {
	Width   int64
	Colours string // light or dark
}

// Looks returns the screens on which no page may have a fault: by day the first so many, at night all.
func Looks(byDay int) []Look {
	looks := []Look{{360, "light"}, {1440, "dark"}, {768, "light"}, {768, "dark"}, {360, "dark"}, {1440, "light"}}
	if os.Getenv("MOLERUN_NIGHTLY") == "" {
		return looks[:byDay]
	}
	return looks
}

// Audit lists what axe-core, which make setup installs, and our own audit find in the page that is open.
func (b *Browser) Audit() []string {
	b.T.Helper()
	var there bool
	if b.Eval(`typeof axe === "object"`, &there); !there {
		b.readAxe()
		b.Eval(b.axe, nil)
	}
	var found []string
	b.Run(chromedp.Evaluate(runAxe, &found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return append(found, b.OwnAudit()...)
}

// OwnAudit returns Audit without axe-core.
func (b *Browser) OwnAudit() []string {
	b.T.Helper()
	var found []string
	b.Eval(ownAudit, &found)
	return found
}

// Audits audits the page that is open on some screens. It reports a fault once, with the first screen that shows it.
func (b *Browser) Audits(where string, on []Look) {
	b.T.Helper()
	seen := map[string]bool{}
	for _, s := range on {
		b.Screen(s.Width, 900, s.Colours)
		for _, fault := range b.Audit() {
			if !seen[fault] {
				b.T.Errorf("%s at %d, %s: %s", where, s.Width, s.Colours, fault)
			}
			seen[fault] = true
		}
	}
	b.Clean(where)
}

// AuditsInTurn audits the page that is open: by day on a phone or on a dark desk, in turn, at night on all screens.
func (b *Browser) AuditsInTurn(where string) {
	b.T.Helper()
	looks := Looks(2)
	if len(looks) == 2 {
		looks = looks[b.audited%2:][:1]
	}
	b.audited++
	b.Audits(where, looks)
}

// readAxe reads axe-core, from beside the tests of the API.
func (b *Browser) readAxe() {
	b.T.Helper()
	if b.axe != "" {
		return
	}
	module, err := osexec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		b.T.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(string(module)), "api", "testdata", "axe", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		b.T.Fatalf("make setup installs axe-core: %v", err)
	}
	b.axe = string(text)
}
