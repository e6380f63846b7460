package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// AddVersion adds a version to a bot, with the next number; it plays when it is promoted. Its parent is the version that
// plays now, until [Store.Promote] knows better; that one's secrets it has if none are given. Empty id and time are filled in.
// A retired bot is [tournament.ErrState]; one that has quota versions is [tournament.ErrLimit].
func (s *Store) AddVersion(ctx context.Context, v tournament.Version, quota int) (tournament.Version, error) {
	if err := s.Fill(&v.ID, &v.CreatedAt); err != nil {
		return v, err
	}
	given := v.Secrets
	err := s.InTx(ctx, func(tx *Tx) error {
		b, err := tx.Living(v.BotID) // locked: numbers have no gap and no double
		if err != nil {
			return err
		}
		var last int
		if err := tx.db.Model(&tournament.Version{}).Where("bot_id = ?", v.BotID).Select("COALESCE(MAX(number), 0)").Scan(&last).Error; err != nil {
			return err
		}
		if last >= quota {
			return fmt.Errorf("%w: the bot has %d versions, of %d at most; register a new bot", tournament.ErrLimit, last, quota)
		}
		v.Number, v.ParentID, v.Secrets = last+1, b.VersionID, given
		if len(given) == 0 {
			plays, err := tx.Version(b.VersionID)
			if err != nil {
				return err
			}
			v.Secrets = plays.Secrets
		}
		return createVersion(tx.db, v)
	})
	return v, err
}

// SetActive makes a version the one with which its bot plays, in the place of another. That one becomes its parent if it has
// the higher number and no rated match: ratings that exist rest on the parent that was, and whoever goes back goes on from
// their own row.
func (tx *Tx) SetActive(v tournament.Version, before string) error {
	if err := tx.db.Exec("UPDATE versions SET parent_id = ? WHERE id = ? AND (SELECT p.number FROM versions p WHERE p.id = ?) < number AND NOT EXISTS ("+
		"SELECT 1 FROM match_seats s JOIN matches m ON m.id = s.match_id WHERE s.version_id = versions.id AND m.rated)", before, v.ID, before).Error; err != nil {
		return err
	}
	return database.Save(tx.db, &tournament.Bot{ID: v.BotID, VersionID: v.ID}, "version_id")
}

// Living returns a bot that is not retired, its row locked.
func (tx *Tx) Living(botID string) (BotState, error) {
	b, err := tx.LockBotState(botID)
	if err == nil && b.Status == tournament.BotRetired {
		err = fmt.Errorf("%w: bot %q is retired; that is permanent", tournament.ErrState, b.Name)
	}
	return b, err
}

// Redeploys returns the answers of a match in which a bot first said another build than it was registered with, or than it said
// first if it was registered with none, in the order of the steps.
func (r Reader) Redeploys(m tournament.Match) ([]tournament.Redeploy, error) {
	var out []tournament.Redeploy
	pinned := Map(m.Seats, func(s tournament.MatchSeat) string { return s.Build })
	err := decided(r.db, buildsQuery, (*decisionRow).built, m.ID, 0, anySeat, func(d *decisionRow) error {
		pinned[d.Seat] = cmp.Or(pinned[d.Seat], d.Build)
		told := slices.ContainsFunc(out, func(x tournament.Redeploy) bool { return x.Seat == d.Seat && x.Build == d.Build })
		if d.Build != "" && d.Build != pinned[d.Seat] && !told {
			out = append(out, tournament.Redeploy{Seat: d.Seat, Step: d.Step, Pinned: pinned[d.Seat], Build: d.Build})
		}
		return nil
	})
	return out, err
}

// EmitRedeploys tells the owners of a match's bots what [Reader.Redeploys] finds, when the match ends.
func (tx *Tx) EmitRedeploys(m tournament.Match) error {
	list, err := tx.Redeploys(m)
	for _, r := range list {
		tx.EmitRedeployed(m, r)
	}
	return err
}

type versionGameRow struct {
	VersionID string
	Position  int
	Game      string
}

// gamesOf returns the games of each version, in the order its bot said them.
func gamesOf(db *gorm.DB, versions []string) (map[string][]string, error) {
	rows, err := database.All[versionGameRow](db.Where("version_id IN ?", versions).Order("version_id, position"))
	out := make(map[string][]string)
	for _, r := range rows {
		out[r.VersionID] = append(out[r.VersionID], r.Game)
	}
	return out, err
}

// Version returns a bot's version by id.
func (s *Store) Version(ctx context.Context, id string) (tournament.Version, error) {
	return s.Reader(ctx).Version(id)
}

// VersionToAsk returns a version without its games: what it takes to ask its bot.
func (s *Store) VersionToAsk(ctx context.Context, id string) (tournament.Version, error) {
	return database.ByID[tournament.Version](s.SQL(ctx), "version", id)
}

// Version returns a version by id.
func (r Reader) Version(id string) (tournament.Version, error) {
	v, err := database.ByID[tournament.Version](r.db, "version", id)
	if err != nil {
		return v, err
	}
	v.Games, err = r.GamesOf(id)
	return v, err
}

// OwnVersion returns [tournament.ErrNotFound] unless a version is the bot's.
func (r Reader) OwnVersion(b tournament.Bot, versionID string) error {
	_, err := database.Take[tournament.Version](r.db.Where("id = ? AND bot_id = ?", versionID, b.ID), "version of bot "+b.Name, versionID)
	return err
}

// GamesOf returns the games that a version plays, in the order its bot said them.
func (r Reader) GamesOf(versionID string) ([]string, error) {
	games, err := gamesOf(r.db, []string{versionID})
	return games[versionID], err
}

// BotsAt returns the ids of an owner's bots that have a version at an address, in order.
func (s *Store) BotsAt(ctx context.Context, ownerID, url string) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Model(&tournament.Version{}).Distinct("bot_id").
		Where("url = ? AND bot_id IN (SELECT id FROM bots WHERE owner_id = ?)", url, ownerID).Order("bot_id"), "bot_id")
}

// Agent is a bot whose agent asks for its turns by tools.
type Agent struct {
	BotID, Name string
	Box         string // the address of its mailbox
}

// Agents returns the agents of an owner that are not retired, and those that play their last matches on, by name; the one of a bot alone,
// unless botID is "".
func (s *Store) Agents(ctx context.Context, ownerID, botID string) ([]Agent, error) {
	q := s.SQL(ctx).Table("bots b").Joins("JOIN versions v ON v.id = b.version_id").Select("b.id AS bot_id, b.name, v.url AS box").
		Where("b.owner_id = ? AND v.url LIKE ?", ownerID, tournament.AgentAddress(ownerID, "")+"%").
		Where("(b.status <> ? OR b.id IN (SELECT s.bot_id FROM match_seats s JOIN matches m ON m.id = s.match_id WHERE m.status = 'running'))", tournament.BotRetired)
	return database.All[Agent](database.Narrow(q, "b.id = ?", botID).Order("b.name"))
}

// Versions returns a bot's versions, the last first.
func (s *Store) Versions(ctx context.Context, botID string) ([]tournament.Version, error) {
	list, err := database.All[tournament.Version](s.SQL(ctx).Where("bot_id = ?", botID).Order("number DESC"))
	if err != nil {
		return nil, err
	}
	games, err := gamesOf(s.SQL(ctx), database.Map(list, func(v tournament.Version) string { return v.ID }))
	for i, v := range list {
		list[i].Games = games[v.ID]
	}
	return list, err
}

// RotateSecret puts a new secret first and keeps the present one beside it; one older still is dropped.
func (s *Store) RotateSecret(ctx context.Context, versionID, secret string) (tournament.Version, error) {
	return s.changeSecrets(ctx, versionID, func(v tournament.Version) (tournament.Secrets, error) {
		return append(tournament.Secrets{secret}, v.Secrets[:min(1, len(v.Secrets))]...), nil
	})
}

// DropOldSecret ends a rotation: only the newest secret stays. Without an old one it is [tournament.ErrState].
func (s *Store) DropOldSecret(ctx context.Context, versionID string) (tournament.Version, error) {
	return s.changeSecrets(ctx, versionID, func(v tournament.Version) (tournament.Secrets, error) {
		if len(v.Secrets) < 2 {
			return nil, fmt.Errorf("%w: version %s has no old secret", tournament.ErrState, v.ID)
		}
		return v.Secrets[:1], nil
	})
}

func (s *Store) changeSecrets(ctx context.Context, id string, change func(tournament.Version) (tournament.Secrets, error)) (tournament.Version, error) {
	return database.Transact(ctx, s.InTx, func(tx *Tx) (tournament.Version, error) {
		v, err := tx.Version(id)
		if err != nil {
			return v, err
		}
		if _, err = tx.LockBotState(v.BotID); err != nil { // whoever changes its versions locks the bot
			return v, err
		}
		if v, err = tx.Version(id); err != nil {
			return v, err
		}
		if v.Secrets, err = change(v); err != nil {
			return v, err
		}
		return v, database.Save(tx.db, &v, "secrets")
	})
}
