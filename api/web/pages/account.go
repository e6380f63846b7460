package pages

// Login is a page on the way of a login.
type Login struct {
	Page
	Problem string // why the last step was refused
	Asks    bool   // for the name of a new account, or a token of an old one
	May     bool   // the platform makes new accounts
	Name    string // as it was filled in
}

// Mine is the page behind the login.
type Mine struct {
	Page
	User string
}
