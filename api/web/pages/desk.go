package pages

import (
	forms "github.com/molerun/molerun/api/web/form"
)

// Desk is a page behind the login where something is done: a form, buttons, and what they are about.
type Desk struct {
	Page
	Back    Way
	Lead    string
	Done    string // what was done just before
	Refused string // why it was not
	Shown   string // a secret, on this page alone
	Facts   []Fact
	Ways    []Way
	Deeds   []Deed
	Form    *FormPart
	Lists   []DeskList
}

// Way is a link.
type Way struct{ Path, Words string }

// Deed is a button that does something at once, with what it sends.
type Deed struct {
	Path, Words string
	About       string // what it is done to, for those who hear the page
	Name, Value string
}

// DeskList are things, with what may be done to each.
type DeskList struct {
	ID, Title, Empty string
	Head             []string
	Rows             []DeskRow
}

// DeskRow is one thing.
type DeskRow struct {
	Name, Path string
	Cells      []string
	Ways       []Way
	Deeds      []Deed
}

// FormPart is a form with its buttons.
type FormPart struct {
	*forms.Form
	Path, Button string
	Preview      bool
	Fresh        bool   // nobody has typed anything yet
	Tag          string // of what is changed, as it is shown
	Was          string // what is changed, as the form was filled with it
	Once         string // of this showing: sent twice, it is carried out once
	Open, More   []FieldGroup
}

// FieldGroup are fields of one object.
type FieldGroup struct {
	Name   string
	Fields []forms.Field
}

// HasWrong reports whether one of the folded fields is refused.
func (f FormPart) HasWrong() bool {
	for _, g := range f.More {
		for _, x := range g.Fields {
			if x.Problem != "" {
				return true
			}
		}
	}
	return false
}

// Grouped returns fields, neighbours of one object together.
func Grouped(fields []forms.Field) []FieldGroup {
	var out []FieldGroup
	for _, x := range fields {
		if len(out) == 0 || out[len(out)-1].Name != x.Group {
			out = append(out, FieldGroup{Name: x.Group})
		}
		out[len(out)-1].Fields = append(out[len(out)-1].Fields, x)
	}
	return out
}

// Enter leads to the form that enters a bot; none while nobody can.
func (t Tournament) Enter() *Way {
	if !t.Open {
		return nil
	}
	return &Way{"/tournaments/" + t.ID + "/enter", "Enter a bot"}
}

// Organise leads its organiser to what can be done with it.
func (t Tournament) Organise() *Way {
	return &Way{"/tournaments/" + t.ID + "/organise", "Organise"}
}

// Enter leads to the form that puts a bot on the ladder.
func (l Ladder) Enter() *Way {
	return &Way{"/ladders/" + l.Ladder.ID + "/join", "Put a bot on this ladder"}
}

// Organise leads nowhere: a ladder runs by itself.
func (l Ladder) Organise() *Way { return nil }

// Organise leads its organiser to what can be done with it.
func (s Series) Organise() *Way { return &Way{"/series/" + s.ID + "/organise", "Organise"} }
