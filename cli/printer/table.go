package printer

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table is a table as people read it.
type Table struct{ table.Writer }

// NewTable returns a table with a head. A column whose name ends in ">" stands to the right, as numbers do.
func NewTable(columns ...string) Table {
	t, head, config := Table{table.NewWriter()}, table.Row{}, []table.ColumnConfig{}
	for i, name := range columns {
		name, right := strings.CutSuffix(name, ">")
		if head = append(head, name); right {
			config = append(config, table.ColumnConfig{Number: i + 1, Align: text.AlignRight})
		}
	}
	t.AppendHeader(head)
	t.SetColumnConfigs(config)
	return t
}

// Row adds a row. Text in it is [Printable].
func (t Table) Row(cells ...any) {
	printable(cells)
	t.AppendRow(cells)
}

// printable makes the texts among some values [Printable].
func printable(values []any) {
	for i, v := range values {
		if text, is := v.(string); is {
			values[i] = Printable(text)
		}
	}
}
