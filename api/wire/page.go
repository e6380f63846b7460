package wire

// Page is a part of a list.
type Page[D any] struct {
	Data []D     `json:"data"`
	Next *string `json:"next_cursor" extensions:"x-nullable"` // null after the last page
} // @name Page
