package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament"
)

// The operations on class links.
var (
	// @Summary	Make a class link
	// @Description	For organisers: whoever opens the link makes an account with a name, and is logged in, until so many have. The accounts
	// @Description	may enter the events without an invite code, and count against the link, not against their address. The link is shown
	// @Description	only now.
	CreateClassLink = op.Create[ClassLinkCreate, ClassLinkCreated]("/v1/class-links", "organise", op.Refusing(403))

	// @Summary	My class links
	ListClassLinks = op.Get[op.Paging, Page[ClassLink]]("/v1/class-links", "organise")

	// @Summary	One class link, and who came
	GetClassLink = op.Get[op.One, ClassLinkDetail]("/v1/class-links/{id}", "organise")

	// @Summary	End a class link
	// @Description	It makes no more accounts. Those that it has made stay, and may enter its events.
	DeleteClassLink = op.Delete[op.One]("/v1/class-links/{id}", "organise")

	// @Summary	Make an account by a class link
	// @Description	With the code of the link. The token is shown only now. A code that was never made, or has ended, is a 401; 409 says that
	// @Description	the name is taken, or that all accounts of the link are made.
	JoinClass = op.Create[ClassJoin, UserCreated]("/v1/class-links/join", "", op.Refusing(401, 403))
)

// ClassLinkCreate asks for a class link.
type ClassLinkCreate struct {
	Events    []string   `json:"events"`                                  // ids of your tournaments and schedules, which the accounts may enter; at most 20
	Accounts  int        `json:"accounts" example:"30"`                   // how many it makes, at most 200
	ExpiresAt *time.Time `json:"expires_at,omitempty" format:"date-time"` // in seven days, if left out; in a year at most
	Note      string     `json:"note,omitempty" maxLength:"80"`           // your name for it
} // @name ClassLinkCreate

// ClassLink makes the accounts of a class.
type ClassLink struct {
	ID        string     `json:"id"`
	Note      string     `json:"note"`
	Accounts  int        `json:"accounts"` // how many it makes
	Made      int        `json:"made"`     // how many it has made
	CreatedAt time.Time  `json:"created_at" format:"date-time"`
	ExpiresAt time.Time  `json:"expires_at" format:"date-time"`
	EndedAt   *time.Time `json:"ended_at,omitempty" format:"date-time"` // by you
} // @name ClassLink

// ClassLinkCreated is a new class link with its address, which is shown only now.
type ClassLinkCreated struct {
	ClassLink
	URL string `json:"url" example:"https://molerun.example.org/class?code=…"`
} // @name ClassLinkCreated

// ClassLinkDetail is a class link with its events and its accounts.
type ClassLinkDetail struct {
	ClassLink
	Events []ClassEvent              `json:"events"` // what its accounts may enter
	Came   []tournament.ClassAccount `json:"came"`   // who has an account by it, the first first
} // @name ClassLinkDetail

// ClassEvent is a tournament, or a schedule with all its tournaments, that the accounts of a class link may enter.
type ClassEvent struct {
	ID   string `json:"id"`
	Name string `json:"name"`
} // @name ClassEvent

// ClassJoin asks for an account by a class link.
type ClassJoin struct {
	Code string `json:"code" maxLength:"80"`                             // of the link
	Name string `json:"name" example:"ada" minLength:"2" maxLength:"32"` // letters, digits, - and _; unique, ignoring case
} // @name ClassJoin
