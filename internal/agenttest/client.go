package agenttest

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Client calls tools.
type Client struct {
	*mcp.ClientSession
	T    *testing.T
	Luck interface{ IntN(n int) int } // of [Client.Play]
}

// Try calls a tool, and returns its text and whether it refused.
func (c Client) Try(tool string, args map[string]any) (text string, refused bool) {
	c.T.Helper()
	got, err := c.CallTool(c.T.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	for _, part := range got.Content {
		text += part.(*mcp.TextContent).Text
	}
	return text, got.IsError
}

// Call calls a tool that must not refuse.
func (c Client) Call(tool string, args map[string]any) string {
	c.T.Helper()
	text, refused := c.Try(tool, args)
	if refused {
		c.T.Fatalf("%s %v is refused: %s", tool, args, text)
	}
	return text
}

// Look is what a script reads of a look.
type Look struct {
	Text              string
	Turn, Match, Game string
	Step, Seat        int
	First, Actions    int // the number of the first action that is shown, and how many there are in all
}

// The lines of a look that a script goes by.
var (
	head   = regexp.MustCompile(`(?m)^turn: (\S+)\nmatch: (\S+), .* \((\S+)\), step (\d+)\. You are seat (\d+) of`)
	action = regexp.MustCompile(`(?m)^(\d+): .+$`)
	more   = regexp.MustCompile(`(?m)^(\d+) more: look with from \d+\.$`)
	acts   = regexp.MustCompile(`(?s)\nAct with this turn and choose:\n.*`)
)

// Read reads a look; false for a text that is none.
func Read(text string) (Look, bool) {
	m := head.FindStringSubmatch(text)
	if m == nil {
		return Look{Text: text}, false
	}
	l := Look{Text: text, Turn: m[1], Match: m[2], Game: m[3], Step: number(m[4]), Seat: number(m[5])}
	shown := action.FindAllStringSubmatch(acts.FindString(text), -1)
	if len(shown) > 0 {
		l.First, l.Actions = number(shown[0][1]), number(shown[len(shown)-1][1])+1
	}
	if m := more.FindStringSubmatch(text); m != nil {
		l.Actions += number(m[1])
	}
	return l, true
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err) // the pattern has digits alone
	}
	return n
}

// Play acts by chance from a look until its match is over, and returns the last text and how many turns it took. A turn whose time was over
// is nobody's: the next is waited for. See is shown each look; nil sees none.
func (c Client) Play(text string, see func(Look)) (last string, turns int) {
	c.T.Helper()
	for l, ok := Read(text); ok; l, ok = Read(text) {
		if see != nil {
			see(l)
		}
		if l.Actions == 0 || turns > 5000 {
			c.T.Fatalf("turn %d: no action is shown, or it never ends:\n%s", turns, l.Text)
		}
		refused := false
		text, refused = c.Try("act", map[string]any{"turn": l.Turn, "choose": c.Luck.IntN(l.Actions)})
		if refused && !strings.Contains(text, "no such turn of yours is open") {
			c.T.Fatalf("an action of the look is refused: %s", text)
		}
		if !refused {
			turns++
		}
		for refused || strings.HasSuffix(text, "Call wait again.") {
			text, refused = c.Call("wait", map[string]any{"match": l.Match}), false
		}
	}
	return text, turns
}
