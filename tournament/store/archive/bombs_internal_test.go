package archive

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

func TestABackupThatGrowsTooMuchIsRefused(t *testing.T) {
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	block := make([]byte, 1<<20)
	for range 250 {
		_, err := z.Write(block)
		must.OK(t, err)
	}
	must.OK(t, z.Close())
	packed := file.Len()
	u := must.Get(newUnpacked(&file))(t)
	n, err := io.Copy(io.Discard, u)
	if err == nil || n > free+maxGrowth*int64(packed)+1<<20 {
		t.Errorf("%d bytes grew to %d (%v), want it refused", packed, n, err)
	}
}

func TestARowIsReadCellByCell(t *testing.T) {
	cells, err := cellsOf([]byte(`[1,"a, b",null]`), 3)
	if err != nil || len(cells) != 3 || string(cells[1]) != `"a, b"` {
		t.Errorf("got %s (%v)", cells, err)
	}
	wide := []byte("[" + strings.Repeat("0,", 8<<20) + "0]")
	for name, line := range map[string][]byte{
		"too few": []byte(`[1]`), "too many": []byte(`[1,2,3,4]`), "open": []byte(`[1,2,3`), "more": []byte(`[1,2,3] 4`), "two rows": []byte(`[1,2,3][1,2,3]`), "wide": wide, "no row": []byte(`{}`),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := cellsOf(line, 3)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrBackup) {
			t.Errorf("%s: got %v, want it refused", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%s: %d bytes were taken", name, took)
		}
	}
}
