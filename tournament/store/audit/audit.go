package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// Trail is the audit lines of a database. It is safe for concurrent use.
type Trail struct{ db *database.DB }

// New is the audit lines of a database.
func New(db *database.DB) *Trail { return &Trail{db: db} }

type lineRow struct {
	ID                         string
	At                         time.Time
	Via                        string
	UserID, TokenID            string
	Operation, Kind, SubjectID string
	Outcome                    string
}

func (lineRow) TableName() string { return "audit_lines" }

func (r lineRow) line() tournament.AuditLine {
	return tournament.AuditLine{
		ID:        r.ID,
		At:        database.UTC(r.At),
		Via:       tournament.AuditVia(r.Via),
		UserID:    r.UserID,
		TokenID:   r.TokenID,
		Operation: r.Operation,
		Kind:      r.Kind,
		SubjectID: r.SubjectID,
		Outcome:   tournament.AuditOutcome(r.Outcome),
	}
}

// Note adds a line. Empty id and time are filled in.
func (t *Trail) Note(ctx context.Context, l tournament.AuditLine) error {
	if err := t.db.Fill(&l.ID); err != nil {
		return err
	}
	t.db.FillTime(&l.At)
	row := lineRow{
		ID:        l.ID,
		At:        l.At,
		Via:       string(l.Via),
		UserID:    l.UserID,
		TokenID:   l.TokenID,
		Operation: l.Operation,
		Kind:      l.Kind,
		SubjectID: l.SubjectID,
		Outcome:   string(l.Outcome),
	}
	return t.db.Apart().SQL(ctx).Create(&row).Error
}

// AuditLines is a page of lines and the cursor of the next, "" after the last.
func (t *Trail) AuditLines(ctx context.Context, f tournament.AuditFilter, p database.Page) ([]tournament.AuditLine, string, error) {
	db, limit, err := p.ByID(t.db.SQL(ctx), "id")
	if err != nil {
		return nil, "", err
	}
	if f.UserID != "" {
		db = db.Where("user_id = ?", f.UserID)
	}
	if f.SubjectID != "" {
		db = db.Where("subject_id = ?", f.SubjectID)
	}
	if f.Outcome != "" {
		db = db.Where("outcome = ?", string(f.Outcome))
	}
	rows, next, err := database.Fetch(db, limit, func(r lineRow) string { return database.Cursor(r.ID) })
	return database.Each(rows, lineRow.line), next, err
}

// Guard makes the database refuse to change or remove lines, whoever asks: a mistake in our code too. To do it again changes
// nothing.
func (t *Trail) Guard(ctx context.Context) error {
	list := []string{
		"CREATE TRIGGER IF NOT EXISTS audit_lines_stay BEFORE UPDATE ON audit_lines BEGIN SELECT RAISE(ABORT, 'audit lines are only added'); END",
		"CREATE TRIGGER IF NOT EXISTS audit_lines_last BEFORE DELETE ON audit_lines BEGIN SELECT RAISE(ABORT, 'audit lines are only added'); END",
	}
	if t.db.Pool() != nil {
		list = []string{
			"CREATE OR REPLACE FUNCTION audit_lines_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'audit lines are only added'; END $$",
			"CREATE OR REPLACE TRIGGER audit_lines_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_lines FOR EACH STATEMENT EXECUTE FUNCTION audit_lines_stay()",
		}
	}
	for _, sql := range list {
		if _, err := t.db.Raw().ExecContext(ctx, sql); err != nil {
			return fmt.Errorf("guard the audit lines: %w", err)
		}
	}
	return nil
}
