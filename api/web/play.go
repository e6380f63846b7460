package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/controls"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// Play returns the page where a person takes a seat.
func (s *Pages) Play(c *gin.Context) ([]byte, error) {
	engine, err := s.played(c)
	if err != nil {
		return nil, err
	}
	return s.playPage(c, engine, nil, "")
}

// played returns the game that the path names, where people may play.
func (s *Pages) played(c *gin.Context) (game.Engine, error) {
	engine, ok := s.Engines.Find(c.Param("game"))
	if !ok {
		return nil, tournament.ErrNotFound
	}
	if s.Guests == 0 {
		return nil, fmt.Errorf("%w: this platform has no seats for guests", tournament.ErrNotFound)
	}
	return engine, nil
}

// maxOpponents bounds the bots that a person chooses from.
const maxOpponents = store.MaxPage

// playPage returns the page with what was filled in, and why it was refused.
func (s *Pages) playPage(c *gin.Context, engine game.Engine, filled url.Values, problem string) ([]byte, error) {
	info := engine.Info()
	idle, err := s.Store.TakingChallenges(c.Request.Context(), info.ID, maxOpponents)
	if err != nil {
		return nil, err
	}
	bots := slices.SortedFunc(slices.Values(idle), func(a, b tournament.Bot) int { return strings.Compare(a.Name, b.Name) })
	out := pages.Play{
		Page: pages.Page{
			Title: "Play " + info.Name,
			About: fmt.Sprintf("Take a seat in a match of %s against bots.", info.Name),
		},
		Game:    info.Name,
		GameID:  info.ID,
		Rules:   s.rulesPath(info.ID),
		Least:   info.MinSeats - 1,
		Most:    min(info.MaxSeats-1, len(bots)),
		Problem: problem,
	}
	variant := filled.Get("variant")
	if variant == "" {
		short, _ := info.Variant("short") // about ten minutes long; the base game where that is no longer
		variant = short.Name
	}
	for _, v := range info.Variants {
		out.Variants = append(out.Variants, controls.Option{Value: v.Name, Words: tournament.Spaced(v.Name), Chosen: variant == v.Name})
	}
	for seat := range info.MaxSeats {
		value, words := strconv.Itoa(seat), strconv.Itoa(seat+1)
		if seat > out.Least {
			words += fmt.Sprintf(", with at least %d opponents", seat)
		}
		out.Seats = append(out.Seats, controls.Option{Value: value, Words: words, Chosen: filled.Get("seat") == value})
	}
	for k := range out.Most {
		var list []controls.Option
		if k >= out.Least {
			list = append(list, controls.Option{Words: "nobody"})
		}
		for _, b := range bots {
			chosen := k < out.Least && b.ID == idle[k].ID // the one most likely to have a place
			if given := filled["bot"]; k < len(given) {
				chosen = given[k] == b.ID
			}
			list = append(list, controls.Option{Value: b.ID, Words: b.Name, Chosen: chosen})
		}
		out.Bots = append(out.Bots, list)
	}
	if g, m, err := s.sits(c); err == nil && g.BotID != "" {
		out.Taken = !m.Status.Over()
	}
	c.Header("Cache-Control", "no-store")
	return s.site.Page("play", out)
}

// TakeSeat seats a person, whose browser gets the secret of the seat as a cookie, and sends them there. count counts a seat that is asked for in
// a form without fault, and returns what names the person's account or address.
func (s *Pages) TakeSeat(c *gin.Context, count func(*gin.Context) (string, error), refusal func(error) (int, string)) error {
	engine, err := s.played(c)
	if err != nil {
		return err
	}
	in, err := ReadForm(c, "variant", "seat", "bot")
	if err != nil {
		return err
	}
	secret, err := s.changeSeat(c, engine.Info(), in, count)
	if err != nil {
		status, why := refusal(err)
		if status == 0 || !wantsPage(c) {
			return err
		}
		body, err := s.playPage(c, engine, in, why)
		return Send(c, status, body, err)
	}
	s.setSeatCookie(c, secret)
	c.Redirect(http.StatusSeeOther, "/seat")
	return nil
}

// changeSeat takes the seat that a form asks for, and returns its secret. A browser has one seat at a time: that of before is left.
func (s *Pages) changeSeat(c *gin.Context, info game.Info, in url.Values, count func(*gin.Context) (string, error)) (string, error) {
	x, err := s.seating(info, in)
	if err != nil {
		return "", err
	}
	who, err := count(c)
	if err != nil {
		return "", err
	}
	g, m, err := s.sits(c)
	if err != nil || m.Status.Over() {
		return s.seat(c.Request.Context(), x, who)
	}
	x.Leaves = m.ID
	secret, err := s.seat(c.Request.Context(), x, who)
	if err != nil {
		return "", err
	}
	if err := s.Director.LeaveSeat(c.Request.Context(), g, m.ID, director.LeftReason); err != nil { // the new seat is taken all the same
		s.Logger.Warn("a seat was not left; it ends as one that nobody looks at", "match", m.ID, "err", err)
	}
	return secret, nil
}

// seating returns what a form asks for. All that is wrong is said at once, by the labels of the form.
func (s *Pages) seating(info game.Info, in url.Values) (director.Seating, error) {
	x := director.Seating{Game: info.ID, Most: s.Guests}
	var wrong []string
	variant, ok := info.Variant(in.Get("variant"))
	if !ok {
		wrong = append(wrong, "the game has no such variant")
	}
	x.Config = []byte(variant.Config)
	for i, id := range in["bot"] {
		first := slices.Index(in["bot"], id)
		switch {
		case id == "":
			continue
		case !httpx.IsUUID(id):
			wrong = append(wrong, fmt.Sprintf("opponent %d is no bot", i+1))
		case first < i:
			wrong = append(wrong, fmt.Sprintf("opponents %d and %d are the same bot", first+1, i+1))
		}
		x.Bots = append(x.Bots, id)
	}
	if n := len(x.Bots); n < info.MinSeats-1 || n >= info.MaxSeats {
		most := game.Plural(info.MaxSeats-1, "opponent")
		if info.MinSeats < info.MaxSeats {
			most = fmt.Sprintf("%d to %s", info.MinSeats-1, most)
		}
		wrong = append(wrong, "choose "+most)
	}
	seat, err := strconv.Atoi(in.Get("seat"))
	if err != nil || seat < 0 || seat > len(x.Bots) {
		wrong = append(wrong, fmt.Sprintf("choose your place, 1 to %d at this table", len(x.Bots)+1))
	}
	x.Seat = game.Seat(seat)
	if len(wrong) > 0 {
		return x, fmt.Errorf("%w: %s", tournament.ErrInvalid, strings.Join(wrong, "; "))
	}
	return x, nil
}

// seat makes a match, and returns the secret of the person's seat.
func (s *Pages) seat(ctx context.Context, x director.Seating, who string) (string, error) {
	most := max(1, s.Guests/2)
	if x.Leaves != "" {
		most++ // that one counts until it is over
	}
	leave, err := s.guestQuota.take(who, most, func(id string) bool { return s.over(ctx, id) })
	if err != nil {
		return "", err
	}
	var m tournament.Match
	defer func() { leave(m.ID) }()
	secret, g, err := tournament.NewGuest(s.Rand)
	if err == nil {
		err = s.Store.Attend(ctx, g.Box(), tournament.GuestAway)
	}
	if err != nil {
		return "", err
	}
	x.Guest = g
	m, err = s.Director.SeatGuest(ctx, x)
	return secret, err
}

// over reports whether a match has ended, or cannot be found.
func (s *Pages) over(ctx context.Context, id string) bool {
	status, _, err := s.Store.MatchState(ctx, id)
	return errors.Is(err, tournament.ErrNotFound) || err == nil && status.Over()
}

// ReadForm reads a form that a browser sends from a page of ours; it knows the fields of the names, and of every name that begins
// with "field.".
func ReadForm(c *gin.Context, names ...string) (url.Values, error) {
	in, err := ReadFields(c)
	if err == nil {
		err = KnowFields(in, names...)
	}
	if err != nil {
		return nil, err
	}
	return in, nil
}

// ReadFields reads a form that a browser sends from a page of ours, whatever its fields are.
func ReadFields(c *gin.Context) (url.Values, error) {
	if err := http.NewCrossOriginProtection().Check(c.Request); err != nil {
		return nil, fmt.Errorf("%w: the form was sent from another site", tournament.ErrNotYours)
	}
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	if kind, _, _ := strings.Cut(c.GetHeader("Content-Type"), ";"); kind != "application/x-www-form-urlencoded" {
		return nil, fmt.Errorf("%w: send the fields as a form does, with Content-Type: application/x-www-form-urlencoded; /api has operations that take JSON", httpx.ErrMediaType)
	}
	raw, err := httpx.Body(c)
	if err != nil {
		return nil, err
	}
	in, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, fmt.Errorf("%w: the form cannot be read", tournament.ErrInvalid)
	}
	return in, nil
}

// KnowFields refuses fields of other names than those.
func KnowFields(in url.Values, names ...string) error {
	for name := range in {
		if !slices.Contains(names, name) && !(strings.HasPrefix(name, controls.FieldPrefix) && slices.Contains(names, controls.FieldPrefix)) {
			return fmt.Errorf("%w: this form has no such field", tournament.ErrInvalid)
		}
	}
	return nil
}

// wantsPage reports whether the caller takes a page for an answer.
func wantsPage(c *gin.Context) bool { return strings.Contains(c.GetHeader("Accept"), "text/html") }
