package cli_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli"
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

// unpack returns the lines of a record.
func unpack(t *testing.T, file string) [][]byte {
	t.Helper()
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(plain), []byte("\n"))
}
