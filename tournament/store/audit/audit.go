package audit

import (
	"context"
	"fmt"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// Trail is the audit lines of a database. It is safe for concurrent use.
type Trail struct{ db *database.DB }

// New returns the audit lines of a database.
func New(db *database.DB) *Trail { return &Trail{db: db} }

// Note adds a line. Empty id and time are filled in.
func (t *Trail) Note(ctx context.Context, l tournament.AuditLine) error {
	if err := t.db.Fill(&l.ID, &l.At); err != nil {
		return err
	}
	return t.db.WithoutHooks().SQL(ctx).Create(&l).Error
}

// AuditLines returns a page of lines and the cursor of the next, "" after the last.
func (t *Trail) AuditLines(ctx context.Context, f tournament.AuditFilter, p database.Page) ([]tournament.AuditLine, string, error) {
	db := database.Narrow(t.db.SQL(ctx), "user_id = ?", f.UserID)
	db = database.Narrow(db, "subject_id = ?", f.SubjectID)
	db = database.Narrow(db, "outcome = ?", f.Outcome)
	db = database.Made(db, "id", f.Since, f.Until)
	return database.List(db, p, "id", func(l tournament.AuditLine) string { return l.ID })
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
