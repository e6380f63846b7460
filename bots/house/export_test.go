package house

// Searcher returns the house's searcher with another budget, so that tests can afford every table.
func Searcher(playouts int) Bot {
	b, _ := Find("searcher")
	b.decide = searcher(playouts)
	return b
}
