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

// New returns the audit lines of a database.
func New(db *database.DB) *Trail { return &Trail{db: db} }

// lineRow has the fields of [tournament.AuditLine] in their order, so that one converts to the other.
type lineRow struct {
	ID        string
	At        time.Time
	Via       tournament.AuditVia
	UserID    string
	TokenID   string
	Operation string
	Kind      string
	SubjectID string
	Outcome   tournament.AuditOutcome
}

func (lineRow) TableName() string { return "audit_lines" }

func (r lineRow) line() tournament.AuditLine {
	r.At = database.UTC(r.At)
	return tournament.AuditLine(r)
}

// Note adds a line. Empty id and time are filled in.
func (t *Trail) Note(ctx context.Context, l tournament.AuditLine) error {
	if err := t.db.Fill(&l.ID); err != nil {
		return err
	}
	t.db.FillTime(&l.At)
	row := lineRow(l)
	return t.db.WithoutHooks().SQL(ctx).Create(&row).Error
}

// AuditLines returns a page of lines and the cursor of the next, "" after the last.
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
	return database.Map(rows, lineRow.line), next, err
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
