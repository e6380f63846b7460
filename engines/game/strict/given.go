package strict

// Given is a key that may be left out but not be null. Tag it omitempty.
type Given[T any] struct {
	Set   bool
	Value T
}

// UnmarshalJSON reads the value strictly.
func (g *Given[T]) UnmarshalJSON(b []byte) error {
	g.Set = true
	return Decode(b, &g.Value)
}

// Key is a key that some forms of an object have and others have not.
type Key struct {
	Name    string
	Set     bool // it is there
	Belongs bool // this form has it
	Loose   bool // this form may be without it
}

// Keys refuses the keys that are there and do not belong to a form of an object, as "type move", and those that belong to it and are missing.
func Keys(form string, keys []Key) error {
	var wrong Errors
	for _, key := range keys {
		if key.Set && !key.Belongs {
			wrong = append(wrong, &Error{Pointer: "/" + key.Name, Reason: "does not belong to " + form})
		}
		if !key.Set && key.Belongs && !key.Loose {
			wrong = append(wrong, &Error{Pointer: "/" + key.Name, Reason: "is missing"})
		}
	}
	return wrong.Err()
}
