package command

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// KeptFolders is how many folders of records of each command are kept.
const KeptFolders = 10

// RecordsFolder makes a folder for the records of a command that was given none: molerun/records in the user's folder for caches. Older
// ones of that command are removed, but for the last [KeptFolders]. Where that folder cannot be written, it is a temporary one.
func RecordsFolder(name string) (string, error) {
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
	var folders []fs.FileInfo
	for _, entry := range list {
		info, err := entry.Info()
		if err == nil && info.IsDir() && strings.HasPrefix(entry.Name(), begin) {
			folders = append(folders, info)
		}
	}
	slices.SortFunc(folders, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, old := range folders[min(KeptFolders, len(folders)):] {
		_ = os.RemoveAll(filepath.Join(in, old.Name()))
	}
}
