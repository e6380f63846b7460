package browsertest

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds a wait on a busy machine.
const patience = 90 * time.Second

// Browser is a tab, and what went wrong in it.
type Browser struct {
	T    *testing.T // fails where the page does; a subtest puts itself here
	Base string     // the address of the server, without a slash at its end

	ctx     context.Context
	axe     string // axe-core, once it was read
	audited int    // pages, on one screen or another
	mu      sync.Mutex
	bad     []string
}

// New starts a Chromium that ends with the test.
func New(t *testing.T, base string) *Browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WSURLReadTimeout(patience))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	all, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, done := chromedp.NewContext(all)
	b := &Browser{T: t, Base: base, ctx: ctx}
	chromedp.ListenTarget(ctx, b.listen)
	// The first run lives as long as its context.
	if err := chromedp.Run(ctx, network.Enable(), log.Enable(), emulation.SetFocusEmulationEnabled(true)); err != nil {
		stop() // kills it; done would wait for ever for one that never ran
		t.Fatalf("no browser (make setup installs one): %v", err)
	}
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // closes the browser and waits for it
		done()
		stop()
	})
	return b
}

func (b *Browser) listen(event any) {
	wrong := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		wrong = e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			wrong = "console:"
			for _, said := range e.Args {
				wrong += " " + string(said.Value) + said.Description
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			wrong = "log: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, b.Base+"/") && !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "file:") {
			wrong = "asks another host: " + e.Request.URL
		}
	}
	if wrong != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.bad = append(b.bad, wrong)
	}
}

// Clean reports what went wrong since the last time: exceptions, errors in the console, requests to other hosts.
func (b *Browser) Clean(where string) {
	b.T.Helper()
	for _, bad := range b.wrong() {
		b.T.Errorf("%s: %s", where, bad)
	}
}

// Forgive forgets what went wrong since the last time: a test made it happen.
func (b *Browser) Forgive() { b.wrong() }

func (b *Browser) wrong() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	bad := b.bad
	b.bad = nil
	return bad
}

// Run does what chromedp offers, one after the other; it gives up after 90 s.
func (b *Browser) Run(actions ...chromedp.Action) {
	b.T.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.T.Fatal(err)
	}
}

// Open opens a page of the server and waits for it.
func (b *Browser) Open(path string) { b.T.Helper(); b.Run(chromedp.Navigate(b.Base + path)) }

// Eval takes the value of a script in the page as JSON; out may be nil.
func (b *Browser) Eval(script string, out any) { b.T.Helper(); b.Run(chromedp.Evaluate(script, out)) }

// Until waits for a condition in a page that is read to its end, also over a reload of it: a slow machine shows the top of a page
// before its fields, and what fails in the script is not there yet.
func (b *Browser) Until(condition string) {
	b.T.Helper()
	condition = `(() => { try { return document.readyState === "complete" && (` + condition + `) } catch { return false } })()`
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	for {
		err := chromedp.Run(ctx, chromedp.Poll(condition, nil, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(patience)))
		if err == nil {
			return
		}
		if ctx.Err() != nil || !strings.Contains(err.Error(), "-32000") { // the page was left while we looked
			var at string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + " shows " + document.getElementById("viewer")?.dataset.shown + " " + document.querySelector("footer")?.innerText`, &at))
			b.T.Fatalf("waiting for %s: %v; %s", condition, err, at)
		}
	}
}

// Source returns the page as it is now; it needs no script in the page.
func (b *Browser) Source() string {
	b.T.Helper()
	text := ""
	b.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		root, err := dom.GetDocument().Do(ctx)
		if err == nil {
			text, err = dom.GetOuterHTML().WithBackendNodeID(root.BackendNodeID).Do(ctx)
		}
		return err
	}))
	return text
}

// Screen sets the size in CSS pixels and the colours that the reader prefers, light or dark. Nothing moves: no colour is on its
// way to another.
func (b *Browser) Screen(width, height int64, colours string) {
	b.T.Helper()
	b.look(width, height, colours, "reduce")
}

// MovingScreen is Screen for a reader who has nothing against motion.
func (b *Browser) MovingScreen(width, height int64, colours string) {
	b.T.Helper()
	b.look(width, height, colours, "no-preference")
}

func (b *Browser) look(width, height int64, colours, motion string) {
	b.T.Helper()
	b.Run(chromedp.EmulateViewport(width, height), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: colours}, {Name: "prefers-reduced-motion", Value: motion},
	}))
}

// Scripts lets pages that are opened from now on run their scripts, or not.
func (b *Browser) Scripts(run bool) {
	b.T.Helper()
	b.Run(emulation.SetScriptExecutionDisabled(!run))
}
