package database

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// A row is a struct of the domain, whose tags name its columns, perhaps embedded beside columns of ours alone. Two serializers turn what
// no driver takes into what the tables keep: a duration into microseconds, an array of bytes into hex digits, JSON that came as text into
// that text, and a list or a struct into JSON. They work where gorm knows the field, so columns are written by [Save], never from a map.
const (
	serializer     = "db"   // a nil pointer is NULL
	nullSerializer = "null" // whatever is zero is NULL
)

// registerSerializers makes the two known to gorm, which keeps them for the whole process.
func registerSerializers() {
	schema.RegisterSerializer(serializer, column{})
	schema.RegisterSerializer(nullSerializer, column{null: true})
}

type column struct{ null bool }

// stored is what has another JSON in a row than elsewhere.
type stored interface {
	MarshalStored() ([]byte, error)
	UnmarshalStored(text []byte) error
}

// Value returns what a field is in its column.
func (c column) Value(_ context.Context, _ *schema.Field, _ reflect.Value, field any) (any, error) {
	v := reflect.ValueOf(field)
	switch {
	case !v.IsValid(), c.null && v.IsZero(), v.Kind() == reflect.Pointer && v.IsNil():
		return nil, nil
	case v.Type() == reflect.TypeFor[time.Time](): // behind a serializer the dialector does not see it
		return UTC(field.(time.Time)), nil
	case v.Type() == reflect.TypeFor[time.Duration]():
		return time.Duration(v.Int()).Microseconds(), nil
	case isBytes(v.Type()):
		return string(v.Bytes()), nil
	case v.Kind() == reflect.Array && v.Type().Elem().Kind() == reflect.Uint8:
		b := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(b), v)
		return hex.EncodeToString(b), nil
	case v.Kind() == reflect.String:
		return v.String(), nil
	case v.CanInt():
		return v.Int(), nil
	}
	if x, ok := field.(interface{ MarshalStored() ([]byte, error) }); ok { // a value: only a pointer is [stored]
		text, err := x.MarshalStored()
		return string(text), err
	}
	text, err := json.Marshal(field)
	return string(text), err
}

// Scan sets a field to what its column holds.
func (c column) Scan(ctx context.Context, field *schema.Field, row reflect.Value, from any) error {
	v := field.ReflectValueOf(ctx, row)
	v.SetZero()
	if b, ok := from.([]byte); ok {
		from = string(b)
	}
	switch from := from.(type) {
	case nil:
		return nil
	case time.Time:
		v.Set(reflect.ValueOf(from))
		return nil
	case int64:
		if v.Type() == reflect.TypeFor[time.Duration]() {
			from *= int64(time.Microsecond)
		}
		v.SetInt(from)
		return nil
	case string:
		if err := parse(v, from); err != nil {
			return fmt.Errorf("column %s of %s: %w", field.DBName, field.Schema.Table, err)
		}
		return nil
	}
	return fmt.Errorf("column %s of %s holds a %T", field.DBName, field.Schema.Table, from)
}

func parse(v reflect.Value, text string) error {
	switch {
	case isBytes(v.Type()):
		v.SetBytes([]byte(text))
	case v.Kind() == reflect.Array && v.Type().Elem().Kind() == reflect.Uint8:
		return Unhex(v.Bytes(), text)
	case v.Kind() == reflect.String:
		v.SetString(text)
	default:
		to := v.Addr().Interface()
		if x, ok := to.(stored); ok {
			return x.UnmarshalStored([]byte(text))
		}
		return json.Unmarshal([]byte(text), to)
	}
	return nil
}

// isBytes reports whether a type is text as bytes, such as [json.RawMessage].
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// Unhex fills out from hex digits of exactly its size.
func Unhex(out []byte, text string) error {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(out) {
		return fmt.Errorf("want %d hex digits in the database", 2*len(out))
	}
	copy(out, b)
	return nil
}

// Save writes columns of a row that is there, found by its primary key. Zero values are written too.
func Save[R any](db *gorm.DB, row *R, columns ...string) error {
	return db.Select(columns).Updates(row).Error
}

// dialector is the dialect of a database in which every time is UTC, to the microsecond: what is read is what was written.
type dialector struct{ gorm.Dialector }

// Translate makes an error of the driver one of gorm's.
func (d dialector) Translate(err error) error {
	return d.Dialector.(gorm.ErrorTranslator).Translate(err)
}

// BindVarTo is asked by gorm for the place of a value that it has just put behind the others.
func (d dialector) BindVarTo(writer clause.Writer, stmt *gorm.Statement, value any) {
	switch t := value.(type) {
	case time.Time:
		stmt.Vars[len(stmt.Vars)-1] = UTC(t)
	case *time.Time:
		stmt.Vars[len(stmt.Vars)-1] = UTCPtr(t)
	}
	d.Dialector.BindVarTo(writer, stmt, value)
}
