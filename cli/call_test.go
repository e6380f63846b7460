package cli_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/internal/must"
)

// call runs one command line in this process.
func call(in string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = cli.Main(args, strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

// callContext does what call does, and ends with ctx.
func callContext(ctx context.Context, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = cli.MainContext(ctx, args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// exits runs a command line that must end with a code, and returns what it prints.
func exits(t testing.TB, want int, args ...string) (out, errs string) {
	t.Helper()
	code, out, errs := call("", args...)
	if code != want {
		t.Errorf("%v: exit code %d, want %d\n%s%s", args, code, want, out, errs)
	}
	return out, errs
}

// fails runs a command line that must end with a code, print nothing, and say parts of what is wrong and what helps.
func fails(t testing.TB, want int, args []string, parts ...string) {
	t.Helper()
	out, errs := exits(t, want, args...)
	if out != "" {
		t.Errorf("%v prints %q, want nothing", args, out)
	}
	says(t, errs, parts...)
}

// says wants parts in what was printed.
func says(t testing.TB, printed string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(printed, part) {
			t.Errorf("no %q in\n%s", part, printed)
		}
	}
}

// holds wants values in a line of JSON that a command has printed.
func holds(t testing.TB, line fields, want fields) {
	t.Helper()
	for key, value := range want {
		if fmt.Sprint(line[key]) != fmt.Sprint(value) {
			t.Errorf("%s is %v, want %v", key, line[key], value)
		}
	}
}

// contents returns what a file holds.
func contents(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	must.OK(t, err)
	return b
}

// writes writes a file.
func writes[T string | []byte](t testing.TB, file string, text T) {
	t.Helper()
	must.OK(t, os.WriteFile(file, []byte(text), 0o600))
}

// unpack returns the lines of a record.
func unpack(t *testing.T, file string) [][]byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(contents(t, file)))
	must.OK(t, err)
	plain, err := io.ReadAll(z)
	must.OK(t, err)
	return bytes.Split(bytes.TrimSpace(plain), []byte("\n"))
}
