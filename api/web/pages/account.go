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
	User     string
	Base     string // the platform's public address
	Problem  string // why no token was made
	Bots     []MyBot
	Tokens   []MyToken
	Form     TokenForm
	Logins   []MyWay
	Sessions []MyWay
	Hooks    []MyHook
}

// MyBot is a bot as its owner sees it.
type MyBot struct {
	ID, Name, Status, Why string
	Banned                bool
	Versions              []MyVersion
	Checks                []MyCheck
	Lost                  []MyLoss
}

// MyVersion is a version of a bot; Plays is the active one.
type MyVersion struct {
	Number                 int
	Build, Note, URL, Made string
	Plays                  bool
}

// MyCheck is a health check, and what was wrong; Said is "" where nothing was.
type MyCheck struct {
	At, Said, Build, Took string
	OK                    bool
}

// MyLoss is a match that a bot lost.
type MyLoss struct {
	Match, Game, When string
	Seat, Faults      int
}

// MyWay is a login that enters the account, or a browser that is logged in.
type MyWay struct{ ID, Name, Since, Ends string }

// MyToken is a live token; Bot is the only bot it is for.
type MyToken struct{ ID, Note, May, Bot, Made, Ends, Used string }

// TokenForm asks for a new token, as it was filled in.
type TokenForm struct {
	Note, Days   string
	Most         int // days
	Scopes, Bots []TokenChoice
}

// TokenChoice is a scope or a bot that a token may be for.
type TokenChoice struct {
	Value, Words string
	Chosen       bool
}

// MadeToken is the page of a new token. It alone shows the token's text.
type MadeToken struct {
	Page
	Text, Note, May, Ends string
	OneBot                bool   // it is for one bot alone
	Base                  string // the platform's public address
}

// MyHook is a webhook with its last deliveries.
type MyHook struct {
	ID, URL, Why string
	Enabled      bool
	Sent         []MyDelivery
}

// MyDelivery is an event on its way to a webhook; Failed is one that was given up.
type MyDelivery struct {
	ID, Kind, State, Said, When string
	Attempts                    int
	Failed                      bool
}
