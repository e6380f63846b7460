package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/logins"
)

type classLinkRow struct{ tournament.ClassLink }

type classEventRow struct{ LinkID, EventID string }

type classAccountRow struct {
	tournament.ClassAccount
	LinkID string
}

// CreateClassLink adds a class link. An empty id and time are filled in.
func (s *Store) CreateClassLink(ctx context.Context, l tournament.ClassLink) (tournament.ClassLink, error) {
	if err := s.Fill(&l.ID, &l.CreatedAt); err != nil {
		return l, err
	}
	l.ExpiresAt = database.UTC(l.ExpiresAt)
	err := s.InTx(ctx, func(tx *Tx) error {
		if err := tx.db.Create(&classLinkRow{l}).Error; err != nil {
			return err
		}
		events := database.Map(l.Events, func(id string) classEventRow { return classEventRow{l.ID, id} })
		return tx.db.Create(&events).Error
	})
	return l, err
}

// ClassLink returns a class link by id, with its events.
func (s *Store) ClassLink(ctx context.Context, id string) (tournament.ClassLink, error) {
	r, err := database.ByID[classLinkRow](s.SQL(ctx), "class link", id)
	if err != nil {
		return r.ClassLink, err
	}
	r.Events, err = s.classEvents(ctx, id)
	return r.ClassLink, err
}

// ClassLinkOf returns the class link of a code, with its events. One that is not, or has ended, is [tournament.ErrNotFound]; one that
// has made all its accounts is [tournament.ErrFull].
func (s *Store) ClassLinkOf(ctx context.Context, code tournament.LoginSecret) (tournament.ClassLink, error) {
	r, err := s.openClass(s.SQL(ctx), s.SQL(ctx).Where("hash = ?", code.Hash()))
	if err != nil {
		return r.ClassLink, err
	}
	r.Events, err = s.classEvents(ctx, r.ID)
	return r.ClassLink, err
}

// openClass returns the class link that a query names, if it makes accounts now. One whose maker is disabled, or no organiser any more,
// is as one that has ended.
func (s *Store) openClass(db, link *gorm.DB) (classLinkRow, error) {
	r, err := database.Take[classLinkRow](link, "class link", "of this code")
	if err == nil {
		err = r.Opens(s.Now())
	}
	if err != nil {
		return r, err
	}
	maker, err := database.ByID[tournament.User](db, "user", r.OrganiserID)
	if err == nil && (maker.DisabledAt != nil || !maker.Role.Reaches(tournament.RoleOrganiser)) {
		err = fmt.Errorf("%w: the link has ended with its maker's rights", tournament.ErrNotFound)
	}
	return r, err
}

func (s *Store) classEvents(ctx context.Context, id string) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Model(&classEventRow{}).Where("link_id = ?", id).Order("event_id"), "event_id")
}

// ClassEvents returns the tournaments and the schedules that the accounts of a class link may enter.
func (s *Store) ClassEvents(ctx context.Context, l tournament.ClassLink) ([]tournament.Tournament, []schedule.Schedule, error) {
	tournaments, err := s.TournamentsByID(ctx, l.Events)
	if err != nil {
		return nil, nil, err
	}
	rows, err := database.All[scheduleRow](s.SQL(ctx).Where("id IN ?", l.Events).Order("id"))
	if err != nil {
		return nil, nil, err
	}
	schedules, err := database.TryMap(rows, scheduleRow.schedule)
	return tournaments, schedules, err
}

// ClassLinks returns a page of an organiser's class links, without their events, and the cursor of the next, "" after the last.
func (s *Store) ClassLinks(ctx context.Context, organiserID string, p database.Page) ([]tournament.ClassLink, string, error) {
	rows, next, err := database.List(s.SQL(ctx).Where("organiser_id = ?", organiserID), p, "id", func(r classLinkRow) string { return r.ID })
	return database.Map(rows, func(r classLinkRow) tournament.ClassLink { return r.ClassLink }), next, err
}

// ClassAccounts returns who has an account by a class link, the first first.
func (s *Store) ClassAccounts(ctx context.Context, id string) ([]tournament.ClassAccount, error) {
	return database.All[tournament.ClassAccount](s.SQL(ctx).Table("class_accounts a").Select("a.user_id, a.joined_at, u.name").
		Joins("JOIN users u ON u.id = a.user_id").Where("a.link_id = ?", id).Order("a.joined_at, a.user_id"))
}

// EndClassLink ends a class link; the accounts that it has made stay. Ending one again changes nothing.
func (s *Store) EndClassLink(ctx context.Context, id string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		return tx.db.Model(&classLinkRow{}).Where("id = ? AND ended_at IS NULL", id).Update("ended_at", s.Now()).Error
	})
}

// JoinClass makes an account by the code of a class link, with a token if there is one, and logs a browser in where session is not
// "". Refusals are those of [Store.ClassLinkOf]; a name that exists in any case is [tournament.ErrTaken].
func (s *Store) JoinClass(ctx context.Context, code tournament.LoginSecret, u tournament.User, t *tournament.Token, session tournament.LoginSecret) (tournament.User, error) {
	if err := s.Fill(&u.ID, &u.CreatedAt); err != nil {
		return u, err
	}
	err := s.InTx(ctx, func(tx *Tx) error {
		hash := code.Hash()
		l, err := s.openClass(tx.db, tx.Locked(tx.db, ClassLinks, hash).Where("hash = ?", hash))
		if err != nil {
			return err
		}
		if err := createUser(tx.db, u); err != nil {
			return err
		}
		if err := tx.db.Create(&classAccountRow{tournament.ClassAccount{UserID: u.ID, JoinedAt: s.Now()}, l.ID}).Error; err != nil {
			return err
		}
		l.Made++
		if err := database.Save(tx.db, &l, "made_accounts"); err != nil {
			return err
		}
		if t != nil {
			made := *t
			made.UserID = u.ID
			s.FillTime(&made.CreatedAt)
			if err := createToken(tx.db, made); err != nil {
				return err
			}
		}
		if session == "" {
			return nil
		}
		return logins.Begin(tx.Tx, s.Now(), session, u.ID)
	})
	return u, err
}

// CameBy reports whether a user has their account by a class link of an organiser.
func (s *Store) CameBy(ctx context.Context, userID, organiserID string) (bool, error) {
	n, err := database.Count(s.SQL(ctx).Table("class_accounts a").Joins("JOIN class_links l ON l.id = a.link_id").
		Where("a.user_id = ? AND l.organiser_id = ?", userID, organiserID))
	return n > 0, err
}

// InClassOf reports whether a user has their account by a class link for a tournament, or for its schedule, of somebody who still organises it.
func (r Reader) InClassOf(t tournament.Tournament, userID string) (bool, error) {
	n, err := database.Count(r.db.Table("class_accounts a").Joins("JOIN class_events e ON e.link_id = a.link_id").
		Joins("JOIN class_links l ON l.id = a.link_id").Joins("JOIN users u ON u.id = l.organiser_id").
		Where("a.user_id = @user AND e.event_id IN @events AND (u.id = @organiser OR u.role = @admin OR u.id IN (SELECT user_id FROM co_organisers WHERE event_id IN @events))",
			map[string]any{"user": userID, "events": []string{t.ID, t.ScheduleID}, "organiser": t.OrganiserID, "admin": tournament.RoleAdmin}))
	return n > 0, err
}
