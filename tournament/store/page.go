package store

// Sort keys. Lists that are not ranked take these.
const (
	Newest = "newest" // by creation, the last first; also what "" means
	Oldest = "oldest"
)

// MaxPage is the most rows of a page; a limit of 0 means 50.
const MaxPage = 200

// Page asks for the rows after a cursor. A cursor comes from the page before; any other text is [tournament.ErrInvalid].
type Page struct {
	After string // "" is the first page
	Limit int    // 0 is 50; at most MaxPage
	Sort  string // Newest, Oldest or ""; ladders are always by rank
}
