package tournament

import "regexp"

// namePattern is what names of users and bots look like.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{1,31}$`)

// CheckName refuses what cannot be the name of a user or a bot: 2 to 32 ASCII letters, digits, - and _, the first a letter or
// digit. pointer is the name's place in the request.
func CheckName(pointer, name string) error {
	if !namePattern.MatchString(name) {
		return &FieldError{pointer, "wants 2 to 32 letters (a-z), digits, - or _, the first a letter or digit"}
	}
	return nil
}
