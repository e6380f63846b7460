package httpx

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
)

// Sheet is a table to take away: every row has a value for each column.
type Sheet struct {
	Columns []string
	Rows    [][]any // strings, integers, floats, booleans, or nil for nothing
}

// csv returns the sheet with a line of names; nil is an empty field.
func (s Sheet) csv() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(s.Columns); err != nil {
		return nil, err
	}
	for _, row := range s.Rows {
		line := make([]string, len(row))
		for i, v := range row {
			switch x := v.(type) {
			case nil:
			case string:
				line[i] = Cell(x)
			case float64:
				line[i] = strconv.FormatFloat(x, 'g', -1, 64)
			default:
				line[i] = fmt.Sprint(x)
			}
		}
		if err := w.Write(line); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// Cell returns s as a cell of a CSV file that no spreadsheet runs: a text that begins like a formula gets an apostrophe in front.
func Cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}

// lines returns a JSON object for each row, with its keys in the order of the columns, and sep between them.
func (s Sheet) lines(sep string) ([]byte, error) {
	var b bytes.Buffer
	for i, row := range s.Rows {
		if i > 0 {
			b.WriteString(sep)
		}
		for k, v := range row {
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "%c%q:%s", "{,"[min(k, 1)], s.Columns[k], text)
		}
		b.WriteByte('}')
	}
	return b.Bytes(), nil
}

// as returns the media type and the bytes of the sheet as a file of that format.
func (s Sheet) as(format string) (string, []byte, error) {
	switch format {
	case "csv":
		body, err := s.csv()
		return "text/csv; charset=utf-8", body, err
	case "ndjson":
		body, err := s.lines("\n")
		if len(body) > 0 {
			body = append(body, '\n')
		}
		return "application/x-ndjson", body, err
	default:
		body, err := s.lines(",")
		return "application/json", append(append([]byte("["), body...), ']'), err
	}
}

// SendSheet answers with a sheet as a file of that name and format.
func SendSheet(c *gin.Context, s Sheet, name, format string) error {
	kind, body, err := s.as(format)
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.%s"`, name, format))
	return SendBytes(c, http.StatusOK, kind, body)
}
