package command

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// KeptFolders counts the folders of records that each command keeps, besides those of the last day: a command under way may play one
// match for hours.
const KeptFolders = 10

// RecordsFolder returns the folder for the records of a command: the given one or, if that is "", a new one in molerun/records in the user's
// folder for caches. Older ones of that command are removed, but for the last [KeptFolders]. Where that folder cannot be written, it is a
// temporary one.
func RecordsFolder(given, name string) (string, error) {
	if given != "" {
		return given, nil
	}
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "molerun", "records")
		err = os.MkdirAll(cache, 0o755) // records are for everybody
	}
	if err != nil {
		return os.MkdirTemp("", "molerun-"+name+"-")
	}
	folder, err := os.MkdirTemp(cache, name+"-")
	if err != nil {
		return "", err
	}
	forget(cache, name+"-")
	return folder, nil
}

// forget removes the folders that begin so, but for those written to last. One that cannot be removed, as another process may be doing
// so, is left.
func forget(in, begin string) {
	list, err := os.ReadDir(in)
	if err != nil {
		return
	}
	written := map[string]time.Time{}
	for _, entry := range list {
		if name := entry.Name(); entry.IsDir() && strings.HasPrefix(name, begin) {
			written[name] = newest(filepath.Join(in, name))
		}
	}
	names := slices.SortedFunc(maps.Keys(written), func(a, b string) int {
		return cmp.Or(written[b].Compare(written[a]), cmp.Compare(a, b))
	})
	for _, old := range names[min(KeptFolders, len(names)):] {
		if time.Since(written[old]) > 24*time.Hour {
			_ = os.RemoveAll(filepath.Join(in, old))
		}
	}
}

// newest returns when something in a folder was written last, at any depth.
func newest(folder string) (at time.Time) {
	_ = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // it is being removed
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
		return nil
	})
	return at
}
