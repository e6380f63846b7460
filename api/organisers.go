package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// maxCoOrganisers bounds the co-organisers of one thing.
const maxCoOrganisers = 20

// organises refuses a caller who does not organise something of an organiser, alone or together with them; ids are those by which
// co-organisers are named for it: its own and, of a tournament, its schedule's. An administrator may act on all. This alone decides.
func (s *Server) organises(ctx context.Context, organiserID string, ids ...string) error {
	switch {
	case !gate.MayOrganise(ctx):
		return tournament.ErrNotYours
	case gate.Owns(ctx, organiserID):
		return nil
	}
	with, err := s.Store.CoOrganises(ctx, gate.UserID(ctx), ids...)
	if err == nil && !with {
		err = tournament.ErrNotYours
	}
	return err
}

// owned refuses a caller who may not act as the owner of what was looked up with err.
func owned(ctx context.Context, ownerID string, err error) error {
	if err == nil && !gate.Owns(ctx, ownerID) {
		return tournament.ErrNotYours
	}
	return err
}

// organiserOf returns the id by which a list is narrowed to what a query's organiser, me, organises; "" where it names none.
func organiserOf(ctx context.Context, me string) (string, error) {
	if me == "" {
		return "", nil
	}
	if gate.UserID(ctx) == "" {
		return "", httpx.ErrToken
	}
	return gate.UserID(ctx), nil
}

// organised names a kind of thing that has co-organisers.
type organised store.Kind

// organiser returns the id of the organiser of one.
func (x organised) organiser(s *Server, ctx context.Context, id string) (string, error) {
	switch store.Kind(x) {
	case store.Tournaments:
		t, err := s.Store.Tournament(ctx, id)
		return t.OrganiserID, err
	case store.Schedules:
		t, err := s.Store.Schedule(ctx, id)
		return t.OrganiserID, err
	default:
		t, err := s.Store.SeriesByID(ctx, id)
		return t.OrganiserID, err
	}
}

func (x organised) get(s *Server, ctx context.Context, in op.One) (wire.Organisers, error) {
	owner, err := x.organiser(s, ctx, in.ID)
	if err != nil {
		return wire.Organisers{}, err
	}
	u, err := s.Store.User(ctx, owner)
	if err != nil {
		return wire.Organisers{}, err
	}
	list, err := s.Store.CoOrganisers(ctx, in.ID)
	return wire.Organisers{Organiser: u.Name, CoOrganisers: each(list, func(u tournament.User) string { return u.Name })}, err
}

// set names co-organisers; they cannot name others.
func (x organised) set(s *Server, ctx context.Context, in op.WithID[wire.CoOrganisers]) (wire.Organisers, error) {
	owner, err := x.organiser(s, ctx, in.ID)
	if err := owned(ctx, owner, err); err != nil {
		return wire.Organisers{}, err
	}
	users, err := s.named(ctx, owner, in.Body.CoOrganisers)
	if err == nil {
		err = s.Store.SetCoOrganisers(ctx, store.Kind(x), in.ID, users)
	}
	if err != nil {
		return wire.Organisers{}, err
	}
	return x.get(s, ctx, in.One)
}

// named returns the ids of organisers by their names, or all that is wrong with these.
func (s *Server) named(ctx context.Context, ownerID string, names []string) ([]string, error) {
	if n := len(names); n > maxCoOrganisers {
		return nil, &tournament.FieldError{Pointer: "/co_organisers", Reason: fmt.Sprintf("%d names, at most %d may be named", n, maxCoOrganisers)}
	}
	var ids []string
	var wrong []error
	for i, name := range names {
		u, err := s.Store.UserNamed(ctx, name)
		if err != nil && !errors.Is(err, tournament.ErrNotFound) {
			return nil, err
		}
		reason := ""
		switch {
		case err != nil, u.DisabledAt != nil, !u.Role.Reaches(tournament.RoleOrganiser):
			reason = "is no organiser; the operator of the platform makes one"
		case u.ID == ownerID:
			reason = "organises it already"
		case slices.ContainsFunc(names[:i], func(n string) bool { return strings.EqualFold(n, name) }):
			reason = "is there twice"
		}
		if reason != "" {
			wrong = append(wrong, &tournament.FieldError{Pointer: fmt.Sprintf("/co_organisers/%d", i), Reason: protocol.Quote(name) + " " + reason})
		}
		ids = append(ids, u.ID)
	}
	return ids, errors.Join(wrong...)
}
