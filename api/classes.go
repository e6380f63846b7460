package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/account"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
)

func classLinkDTO(l tournament.ClassLink) wire.ClassLink {
	return wire.ClassLink{
		ID:        l.ID,
		Note:      l.Note,
		Accounts:  l.Most,
		Made:      l.Made,
		CreatedAt: l.CreatedAt,
		ExpiresAt: l.ExpiresAt,
		EndedAt:   l.EndedAt,
	}
}

func (s *Server) createClassLink(ctx context.Context, in wire.ClassLinkCreate) (wire.ClassLinkCreated, error) {
	none := wire.ClassLinkCreated{}
	if err := s.login.MayRegister(true); err != nil {
		return none, err
	}
	ends := s.Now().Add(tournament.DefaultClassLife)
	if in.ExpiresAt != nil {
		ends = *in.ExpiresAt
	}
	l := tournament.ClassLink{OrganiserID: gate.UserID(ctx), Note: in.Note, Most: in.Accounts, ExpiresAt: ends, Events: in.Events}
	wrong := l.Check(s.Now())
	if wrong == nil { // few enough to be looked at
		for i, id := range in.Events {
			err := s.organisable(ctx, fmt.Sprintf("/events/%d", i), id)
			var field *tournament.FieldError
			if err != nil && !errors.As(err, &field) {
				return none, err
			}
			wrong = errors.Join(wrong, err)
		}
	}
	if wrong != nil {
		return none, wrong
	}
	code, err := tournament.NewLoginSecret(s.Rand)
	if err != nil {
		return none, err
	}
	l.Hash = code.Hash()
	l, err = s.Store.WithQuota(l.OrganiserID, store.ClassLinks, s.Limits.ClassLinks).CreateClassLink(ctx, l)
	if err != nil {
		return none, err
	}
	gate.SetAuditSubject(ctx, l.ID)
	return wire.ClassLinkCreated{ClassLink: classLinkDTO(l), URL: wire.LinkAt(httpx.BaseOf(s.public, gate.Request(ctx)), wire.ClassLinkPath, code)}, nil
}

// organisable refuses an id of what is neither a tournament nor a schedule, is over, or that the caller does not organise.
func (s *Server) organisable(ctx context.Context, pointer, id string) error {
	if _, err := parseID(pointer, id); err != nil {
		return err
	}
	t, err := s.myTournament(ctx, id)
	if err == nil {
		return tournament.CanClass(t)
	}
	if errors.Is(err, tournament.ErrNotFound) {
		var x schedule.Schedule
		if x, err = s.mySchedule(ctx, id); err == nil && x.EndedAt != nil {
			err = fmt.Errorf("%w: the schedule is %s and makes no more tournaments; name one that does", tournament.ErrState, x.Status)
		}
	}
	switch {
	case errors.Is(err, tournament.ErrNotFound):
		return &tournament.FieldError{Pointer: pointer, Reason: "there is no such tournament or schedule"}
	case errors.Is(err, tournament.ErrNotYours):
		return &tournament.FieldError{Pointer: pointer, Reason: "somebody else organises it"}
	}
	return err
}

func (s *Server) listClassLinks(ctx context.Context, _ op.Paging, p httpx.PageQuery) ([]wire.ClassLink, string, error) {
	rows, next, err := s.Store.ClassLinks(ctx, gate.UserID(ctx), pageOf(p, store.Newest))
	return each(rows, classLinkDTO), next, err
}

func (s *Server) getClassLink(ctx context.Context, in op.One) (wire.ClassLinkDetail, error) {
	l, err := s.myClassLink(ctx, in.ID)
	if err != nil {
		return wire.ClassLinkDetail{}, err
	}
	tournaments, schedules, err := s.Store.ClassEvents(ctx, l)
	if err != nil {
		return wire.ClassLinkDetail{}, err
	}
	out := wire.ClassLinkDetail{ClassLink: classLinkDTO(l)}
	out.Events = append(each(tournaments, func(t tournament.Tournament) wire.ClassEvent { return wire.ClassEvent{ID: t.ID, Name: t.Name} }),
		each(schedules, func(x schedule.Schedule) wire.ClassEvent { return wire.ClassEvent{ID: x.ID, Name: x.Template.Name} })...)
	out.Came, err = s.Store.ClassAccounts(ctx, l.ID)
	return out, err
}

func (s *Server) deleteClassLink(ctx context.Context, in op.One) (op.None, error) {
	l, err := s.myClassLink(ctx, in.ID)
	if err != nil {
		return op.None{}, err
	}
	return op.None{}, s.Store.EndClassLink(ctx, l.ID)
}

// myClassLink returns the caller's class link with an id; an administrator may act on all.
func (s *Server) myClassLink(ctx context.Context, id string) (tournament.ClassLink, error) {
	l, err := s.Store.ClassLink(ctx, id)
	return l, owned(ctx, l.OrganiserID, err)
}

func (s *Server) joinClass(ctx context.Context, in wire.ClassJoin) (wire.UserCreated, error) {
	u, t, text, err := s.intoClass(ctx, tournament.LoginSecret(in.Code), in.Name, "")
	if errors.Is(err, tournament.ErrNotFound) {
		err = s.gate.WrongCode(ctx, fmt.Errorf("%w: the code is wrong, or its link has ended", httpx.ErrToken))
	}
	if err != nil {
		return wire.UserCreated{}, err
	}
	gate.SetAuditSubject(ctx, u.ID)
	return wire.UserCreated{User: userDTO(u), Token: account.Created(t, u.Role, text)}, nil
}

// intoClass makes an account by the code of a class link, with a token, and logs a browser in where session is not "".
func (s *Server) intoClass(ctx context.Context, code tournament.LoginSecret, name string, session tournament.LoginSecret) (tournament.User, tournament.Token, string, error) {
	t := tournament.Token{Note: "registration", Scopes: tournament.AllScopes(), CreatedAt: s.Now()}
	text := ""
	err := errors.Join(tournament.CheckName("/name", name), s.login.MayRegister(true))
	if err == nil {
		text, t.ID, t.Hash, err = tournament.NewToken(s.Rand)
	}
	if err != nil {
		return tournament.User{}, t, "", err
	}
	u, err := s.Store.JoinClass(ctx, code, tournament.User{Name: name, Role: tournament.RoleOwner}, &t, session)
	return u, t, text, err
}

// enterClass makes an account by a class link, logs the browser in, and shows the account's token once.
func (s *Server) enterClass(c *gin.Context) error {
	in, err := web.ReadForm(c, "code", "name")
	if err != nil {
		return err
	}
	code, name := tournament.LoginSecret(text.Word(in.Get("code"))), text.Word(in.Get("name"))
	var t tournament.Token
	var shown string
	err = s.login.Begin(c, func(_ context.Context, session tournament.LoginSecret) (u tournament.User, err error) {
		u, t, shown, err = s.intoClass(gate.Context(c), code, name, session)
		return u, err
	})
	if status, _ := refusal(err); err != nil && status != 0 {
		return s.login.AgainClass(c, status, code, name, err)
	}
	if err != nil {
		return err
	}
	body, err := s.mineAt(c).Made(t, tournament.RoleOwner, shown)
	return web.Send(c, http.StatusOK, body, err)
}
