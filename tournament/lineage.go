package tournament

// Descent is a version and the version that it replaced; "" means the next lower number of the same bot.
type Descent struct{ ID, BotID, ParentID string }

// Lineage maps each version to the one it came from; versions without one are missing.
type Lineage map[string]string

// LineageOf takes all versions of some bots, grouped by bot and ordered by number.
func LineageOf(all []Descent) Lineage {
	out := make(Lineage, len(all))
	for i, v := range all {
		switch {
		case v.ParentID != "":
			out[v.ID] = v.ParentID
		case i > 0 && all[i-1].BotID == v.BotID:
			out[v.ID] = all[i-1].ID
		}
	}
	return out
}

// Nearest is the nearest ancestor of a version that is a key of at. It ends because parents have lower numbers.
func (l Lineage) Nearest(version string, at map[string]int) (int, bool) {
	for up, ok := l[version]; ok; up, ok = l[up] {
		if i, there := at[up]; there {
			return i, true
		}
	}
	return 0, false
}
