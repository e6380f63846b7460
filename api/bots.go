package api

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Bounds of what a bot says about itself, in bytes.
const (
	maxURL    = 500
	maxAuthor = 64
)

// Bot is what everybody may know of a bot.
type Bot struct {
	ID        string    `json:"id"`
	Name      string    `json:"name" example:"wallwizard"`
	OwnerID   string    `json:"owner_id"`
	Status    string    `json:"status" enums:"active,paused,retired"`
	Banned    bool      `json:"banned,omitempty"`                            // an administrator keeps it paused
	Conduct   string    `json:"conduct,omitempty" enums:"voids,retirements"` // no administrator does but what became of its matches, until one lifts it
	CreatedAt time.Time `json:"created_at" format:"date-time"`
	// Whether anybody may challenge it to unrated matches.
	TakesChallenges bool `json:"takes_challenges"`
} // @name Bot

// BotDetail is a bot with its active version; private is there for its owner alone.
type BotDetail struct {
	Bot     Bot         `json:"bot"`
	Active  BotVersion  `json:"version"`
	Private *BotPrivate `json:"private,omitempty"`
} // @name BotDetail

// BotPrivate is what only the owner sees.
type BotPrivate struct {
	Reason string `json:"reason"` // why the bot is paused or retired; may name its address
} // @name BotPrivate

// BotVersion is a bot behind one address. It never changes, so its strength is one number.
type BotVersion struct {
	ID        string          `json:"id"`
	Number    int             `json:"number" example:"1"`
	Author    string          `json:"author"`
	Build     string          `json:"build"`
	Games     []string        `json:"games" example:"molehill"`
	Text      bool            `json:"text"` // its turns carry the view in words
	CreatedAt time.Time       `json:"created_at" format:"date-time"`
	Private   *VersionPrivate `json:"private,omitempty"`
} // @name BotVersion

// VersionPrivate is what only the owner sees.
type VersionPrivate struct {
	URL     string `json:"url"`
	Secrets int    `json:"secrets"` // how many are live: 2 while rotating
	Note    string `json:"note"`
} // @name VersionPrivate

// BotCreate registers a bot.
type BotCreate struct {
	Name   string `json:"name" example:"wallwizard" minLength:"2" maxLength:"32"` // letters, digits, - and _; unique in any case
	URL    string `json:"url" example:"https://bot.example.org/"`                 // where the bot listens, or relay:NAME if molerun connect NAME carries its messages
	Secret string `json:"secret,omitempty" example:"whsec_…"`                     // whsec_ and 24 to 64 bytes in base64; made for you if left out
} // @name BotCreate

// BotCreated is a new bot with its secret.
type BotCreated struct {
	Bot     Bot        `json:"bot"`
	Version BotVersion `json:"version"`
	Secret  string     `json:"secret"` // shown this once: put it in the bot's MOLERUN_SECRET
} // @name BotCreated

// BotChecked is what a health check found.
type BotChecked struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason"` // what is wrong; "" if all is well
	Build  string `json:"build"`  // that the bot said; another one than its version's: register it as a new version
	TookMS int64  `json:"took_ms"`
	Bot    Bot    `json:"bot"` // as it stands after the check
} // @name BotChecked

// SecretRotated is the new secret of a bot.
type SecretRotated struct {
	Secret  string `json:"secret"`  // shown this once
	Secrets int    `json:"secrets"` // how many are live now
} // @name SecretRotated

func botDTO(b tournament.Bot) Bot {
	return Bot{
		ID: b.ID, Name: b.Name, OwnerID: b.OwnerID, Status: string(b.Status), Banned: b.BannedAt != nil, Conduct: string(b.Conduct),
		CreatedAt: b.CreatedAt, TakesChallenges: b.TakesChallenges,
	}
}

func versionDTO(v tournament.Version, private bool) BotVersion {
	out := BotVersion{ID: v.ID, Number: v.Number, Author: v.Author, Build: v.Build, Games: append([]string{}, v.Games...), Text: v.WantsText, CreatedAt: v.CreatedAt}
	if private {
		out.Private = &VersionPrivate{written(v.URL), len(v.Secrets), v.Note}
	}
	return out
}

// @Summary	All bots
// @Tags		bots
// @Param		game	query		string	false	"only bots whose active version plays this game"
// @Param		owner	query		string	false	"id of a user, or me"
// @Param		status	query		string	false	"active, paused or retired"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[Bot]
// @Router		/v1/bots [get]
func (s *Server) listBots(c *gin.Context) error {
	p, err := s.page(c, "game", "owner", "status")
	if err != nil {
		return err
	}
	f := store.BotFilter{}
	if f.Game, err = s.gameFilter(p.filter); err != nil {
		return err
	}
	status, err := oneOf(p.filter, "status", string(tournament.BotActive), string(tournament.BotPaused), string(tournament.BotRetired))
	if err != nil {
		return err
	}
	f.Status = tournament.BotStatus(status)
	if owner, given := p.filter["owner"]; given && owner == "me" {
		if f.OwnerID = userID(c); f.OwnerID == "" {
			return errToken
		}
	} else if f.OwnerID, err = uuidFilter(p.filter, "owner"); err != nil {
		return err
	}
	rows, next, err := s.store.Bots(c.Request.Context(), f, p.store(store.Newest))
	if err != nil {
		return err
	}
	return sendPage(s, c, p, rows, next, botDTO)
}

// @Summary	Register a bot
// @Description	The bot must be running: it is sent a signed hello and must echo the challenge and name at least one game
// @Description	of this platform. Until it knows its secret it should accept the hello unverified, or you choose the
// @Description	secret beforehand.
// @Tags		bots
// @Security	Bearer
// @Accept		json
// @Param		body	body		BotCreate	true	"the bot"
// @Success	201		{object}	BotCreated
// @Failure	409		{object}	Problem
// @Failure	413		{object}	Problem
// @Failure	415		{object}	Problem
// @Failure	422		{object}	Problem
// @Router		/v1/bots [post]
func (s *Server) createBot(c *gin.Context) error {
	in, err := read[BotCreate](c)
	if err != nil {
		return err
	}
	if err := s.checkBotCreate(&in); err != nil {
		return err
	}
	version := tournament.Version{URL: address(userID(c), in.URL), Secrets: tournament.Secrets{in.Secret}}
	hello, err := s.hello(c, version)
	if err != nil {
		return err
	}
	version.Author, version.Build, version.WantsText = hello.Author, hello.Build, hello.Text
	if version.Games, err = s.knownGames(hello); err != nil {
		return err
	}
	bot, version, err := s.store.CreateBot(c.Request.Context(), tournament.Bot{OwnerID: userID(c), Name: in.Name}, version, s.limits.Bots)
	if err != nil {
		return err
	}
	c.Header("Location", "/v1/bots/"+bot.ID)
	return s.send(c, http.StatusCreated, BotCreated{botDTO(bot), versionDTO(version, true), in.Secret})
}

// checkBotCreate checks the form of a registration and makes the secret if there is none.
func (s *Server) checkBotCreate(in *BotCreate) error {
	if err := tournament.CheckName("/name", in.Name); err != nil {
		return err
	}
	if err := s.checkBotURL(in.URL); err != nil {
		return err
	}
	if in.Secret == "" {
		secret, err := protocol.NewSecret(s.rand)
		in.Secret = secret
		return err
	}
	if _, err := protocol.ParseKeys(in.Secret); err != nil {
		return &tournament.FieldError{Pointer: "/secret", Reason: err.Error()}
	}
	return nil
}

func (s *Server) checkBotURL(url string) error {
	if url == "" || len(url) > maxURL {
		return &tournament.FieldError{Pointer: "/url", Reason: fmt.Sprintf("wants 1 to %d bytes", maxURL)}
	}
	if name, ok := strings.CutPrefix(url, relayPrefix); ok {
		if tournament.CheckName("", name) != nil {
			return &tournament.FieldError{Pointer: "/url", Reason: "names no mailbox: write relay: and 2 to 32 letters, digits, - or _, the name that molerun connect is given"}
		}
		return nil
	}
	if err := s.checkURL(url); err != nil {
		return &tournament.FieldError{Pointer: "/url", Reason: err.Error()}
	}
	return nil
}

// knownGames are the games of a hello that are played here.
func (s *Server) knownGames(hello protocol.HelloAnswer) ([]string, error) {
	if len(hello.Author) > maxAuthor || len(hello.Build) > protocol.MaxBuildBytes {
		return nil, fmt.Errorf("%w: its hello is too long: author at most %d bytes, build %d", tournament.ErrBot, maxAuthor, protocol.MaxBuildBytes)
	}
	var games []string
	for _, id := range hello.Games {
		if _, ok := s.find(id); ok && !slices.Contains(games, id) {
			games = append(games, id)
		}
	}
	if len(games) == 0 {
		return nil, fmt.Errorf(`%w: its hello names no game of this platform; answer with "games", as in {"challenge":"…","games":[%q]}`,
			tournament.ErrBot, s.engines[0].Info().ID)
	}
	return games, nil
}

// botError marks whatever a greeting failed by as the bot's, with the reason.
func botError(err error) error {
	if errors.Is(err, tournament.ErrBot) {
		return err
	}
	return fmt.Errorf("%w: %w", tournament.ErrBot, err)
}

// @Summary	One bot
// @Tags		bots
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{object}	BotDetail
// @Failure	404	{object}	Problem
// @Router		/v1/bots/{id} [get]
func (s *Server) getBot(c *gin.Context) error {
	if _, err := query(c); err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	version, err := s.store.Version(c.Request.Context(), bot.VersionID)
	if err != nil {
		return err
	}
	mine := owns(c, bot.OwnerID)
	out := BotDetail{Bot: botDTO(bot), Active: versionDTO(version, mine)}
	if mine {
		out.Private = &BotPrivate{bot.Reason}
	}
	return s.send(c, http.StatusOK, out)
}

// @Summary	The versions of a bot
// @Description	The newest first. Addresses are shown to the owner only.
// @Tags		bots
// @Param		id		path		string	true	"id of the bot"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[BotVersion]
// @Failure	404		{object}	Problem
// @Router		/v1/bots/{id}/versions [get]
func (s *Server) listVersions(c *gin.Context) error {
	p, err := s.page(c)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	versions, err := s.store.Versions(c.Request.Context(), bot.ID)
	if err != nil {
		return err
	}
	rows, next := cut(versions, p)
	mine := owns(c, bot.OwnerID)
	return sendPage(s, c, p, rows, next, func(v tournament.Version) BotVersion { return versionDTO(v, mine) })
}

// botOf is the bot the path names.
func (s *Server) botOf(c *gin.Context) (tournament.Bot, error) {
	return named(c, s.store.Bot)
}

// gameFilter is the filter game, which must name a game of ours.
func (s *Server) gameFilter(q map[string]string) (string, error) {
	id, given := q["game"]
	if !given {
		return "", nil
	}
	if _, ok := s.find(id); !ok {
		return "", badQuery("game", "names no game; /v1/games lists them")
	}
	return id, nil
}

// uuidFilter is a filter by id.
func uuidFilter(q map[string]string, name string) (string, error) {
	text, given := q[name]
	if !given {
		return "", nil
	}
	if id, err := uuid.Parse(text); err != nil || id.String() != text {
		return "", badQuery(name, "is no id")
	}
	return text, nil
}
