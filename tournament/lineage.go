package tournament

// Descent is a version with the one that it replaced; "" means the next lower number of the same bot.
type Descent struct{ ID, BotID, ParentID string }

// Lineage is the version that each came from; those that came from none are missing.
type Lineage map[string]string

// LineageOf takes all versions of some bots, those of one bot together and by number.
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

// Nearest is the nearest ancestor of a version among those that at numbers. It ends, as parents have lower numbers.
func (l Lineage) Nearest(version string, at map[string]int) (int, bool) {
	for up, ok := l[version]; ok; up, ok = l[up] {
		if i, there := at[up]; there {
			return i, true
		}
	}
	return 0, false
}
