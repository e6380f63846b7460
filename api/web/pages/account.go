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
	User   string
	Base   string // the platform's public address
	Bots   []MyBot
	Tokens []MyToken
	Hooks  []MyHook
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

// MyToken is a live token.
type MyToken struct{ ID, Note, May, Made, Ends, Used string }

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
