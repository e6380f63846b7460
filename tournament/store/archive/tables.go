package archive

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/tournament/store/database"
)

// dataTable is a table of ours as the database describes it.
type dataTable struct {
	name    string
	columns []dataColumn
	key     []string // the primary key
	needs   []string // tables that its rows refer to
}

// dataColumn is a column of the kind text, int, float, bool or time.
type dataColumn struct{ name, kind string }

// kinds are what the types of the migrations are called, in both databases' words.
var kinds = map[string]string{
	"TEXT": "text", "INTEGER": "int", "BIGINT": "int", "DOUBLE PRECISION": "float", "BOOLEAN": "bool", "TIMESTAMP": "time", "TIMESTAMP WITHOUT TIME ZONE": "time",
}

// What the databases tell of themselves: the columns in order, with their place in the primary key or 0; and who refers to whom.
const (
	columnsSQLite   = `SELECT m.name, c.name, c.type, c.pk FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid`
	columnsPostgres = `SELECT c.relname, a.attname, format_type(a.atttypid, NULL), COALESCE(array_position(i.indkey, a.attnum) + 1, 0)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname, a.attnum`
	needsSQLite   = `SELECT m.name, f."table" FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`
	needsPostgres = `SELECT c.relname, p.relname FROM pg_constraint x JOIN pg_class c ON c.oid = x.conrelid JOIN pg_class p ON p.oid = x.confrelid
WHERE x.contype = 'f' AND x.connamespace = current_schema()::regnamespace`
)

// querier is a connection or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// tables returns all tables of ours, each after those it refers to. The queue's and the migrations' own are left out.
func tables(ctx context.Context, postgres bool, db querier) ([]dataTable, error) {
	columns, needs := columnsSQLite, needsSQLite
	if postgres {
		columns, needs = columnsPostgres, needsPostgres
	}
	byName := map[string]*dataTable{}
	var names []string
	err := eachRow(ctx, db, columns, func(scan func(...any) error) error {
		var table, column, typ string
		var place int
		if err := scan(&table, &column, &typ, &place); err != nil {
			return err
		}
		if table == "goose_db_version" || strings.HasPrefix(table, "river_") || strings.HasPrefix(table, "sqlite_") {
			return nil
		}
		t := byName[table]
		if t == nil {
			t = &dataTable{name: table}
			byName[table], names = t, append(names, table)
		}
		kind, known := kinds[strings.ToUpper(typ)]
		if !known {
			return fmt.Errorf("column %s of table %s has the type %s, which backups do not know", column, table, typ)
		}
		t.columns = append(t.columns, dataColumn{name: column, kind: kind})
		if place > 0 {
			t.key = append(t.key, column) // keys are declared in the order of their columns
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = eachRow(ctx, db, needs, func(scan func(...any) error) error {
		var from, to string
		if err := scan(&from, &to); err != nil {
			return err
		}
		if t := byName[from]; t != nil && from != to {
			t.needs = append(t.needs, to)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return inOrder(names, byName)
}

// inOrder puts each table behind those it needs.
func inOrder(names []string, byName map[string]*dataTable) ([]dataTable, error) {
	var out []dataTable
	done := map[string]bool{}
	for len(out) < len(names) {
		before := len(out)
		for _, name := range names {
			t := byName[name]
			if !done[name] && !slices.ContainsFunc(t.needs, func(n string) bool { return !done[n] }) {
				done[name], out = true, append(out, *t)
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("tables refer to each other in a circle: %d of %d can be ordered", len(out), len(names))
		}
	}
	return out, nil
}

func eachRow(ctx context.Context, db querier, query string, do func(scan func(...any) error) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	for rows.Next() {
		if err := do(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// quoted names columns in SQL.
func quoted(columns []dataColumn) string {
	return strings.Join(database.Map(columns, func(c dataColumn) string { return `"` + c.name + `"` }), ", ")
}
