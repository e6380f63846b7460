package web

import "strings"

// maxTyped is the longest address that is compared with those of the site.
const maxTyped = 100

// nearest returns the site's path most similar to an unknown one; "" if none is similar.
func (s *Pages) nearest(typed string) string {
	typed = strings.TrimRight(strings.ToLower(typed), "/")
	if len(typed) > maxTyped {
		return ""
	}
	best := ""
	least := max(2, len(typed)/4) + 1
	for _, path := range s.addresses() {
		if d := distance(typed, path); d < least {
			best, least = path, d
		}
	}
	return best
}

// standing returns the paths of the pages that are there whatever has been played.
func (s *Pages) standing() []string {
	list := []string{"/games", "/matches", "/ladders", "/tournaments", "/series", "/schedules", "/bots", "/cards", "/api", "/guides"}
	for _, shelf := range s.guides.Shelves {
		for _, g := range shelf.Guides {
			list = append(list, g.Path)
		}
	}
	return list
}

// addresses returns the paths of the pages that need no query, and of the ladders.
func (s *Pages) addresses() []string {
	list := s.standing()
	for _, e := range s.Engines {
		list = append(list, "/ladders/"+e.Info().ID)
	}
	return list
}

// distance returns the edit distance of a and b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
