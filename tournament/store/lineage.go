package store

// descent is a version with the one that it replaced. Of versions from before that was written down it is nil, and means the next lower number.
type descent struct {
	ID, BotID string
	ParentID  *string
}

// lineage is the version that each came from; those that came from none are missing.
type lineage map[string]string

// lineageOf takes all versions of some bots, those of one bot together and by number.
func lineageOf(all []descent) lineage {
	out := make(lineage, len(all))
	for i, v := range all {
		switch {
		case v.ParentID != nil:
			out[v.ID] = *v.ParentID
		case i > 0 && all[i-1].BotID == v.BotID:
			out[v.ID] = all[i-1].ID
		}
	}
	return out
}

// nearest is the nearest ancestor of a version among those that at numbers. It ends, as parents have lower numbers.
func (l lineage) nearest(version string, at map[string]int) (int, bool) {
	for up, ok := l[version]; ok; up, ok = l[up] {
		if i, there := at[up]; there {
			return i, true
		}
	}
	return 0, false
}
