package director

import "github.com/molerun/molerun/tournament/store"

// lineage maps each version to the one it came from; versions without one are missing.
type lineage map[string]string

// lineageOf takes all versions of some bots.
func lineageOf(all []store.Descent) lineage {
	out := make(lineage, len(all))
	for _, v := range all {
		if v.ParentID != "" {
			out[v.ID] = v.ParentID
		}
	}
	return out
}

// nearest returns the nearest ancestor of a version that is a key of at. It ends because parents have lower numbers.
func (l lineage) nearest(version string, at map[string]int) (int, bool) {
	for up, ok := l[version]; ok; up, ok = l[up] {
		if i, there := at[up]; there {
			return i, true
		}
	}
	return 0, false
}
