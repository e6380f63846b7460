package game

// Aider helps a person who sits at a seat.
type Aider[V any] interface {
	// Aid is what a person keeps before their eyes, from the seat's view alone. Its words are marked like those of events ([ReadBy]).
	Aid(v V, seat Seat) Aid
	// Label names a type, field or value of actions for people; "" where its own word does.
	Label(word string) string
}

// Aid tells a person who they are, and what they would otherwise have to remember.
type Aid struct {
	You   string            // in one sentence: who they are in this match, and what that means; "": nobody in particular
	Head  []string          // of the columns of Rows
	Calls map[string]string // what an action of a type does now, where its own words do not say it
	Rows  [][]string        // what was to be seen so far; none where the board shows it all
}

// readBy returns the aid as its seat reads it.
func (a Aid) readBy(seat Seat) Aid {
	out := Aid{You: ReadBy(a.You, seat, Spectator), Calls: a.Calls}
	line := func(cells []string) []string {
		to := make([]string, len(cells))
		for i, cell := range cells {
			to[i] = ReadBy(cell, seat, Spectator)
		}
		return to
	}
	out.Head = line(a.Head)
	for _, row := range a.Rows {
		out.Rows = append(out.Rows, line(row))
	}
	return out
}

// Label returns what people call a word of actions; "" where its own word does.
func (e engine[C, S, A, V, E]) Label(word string) string {
	if x, ok := any(e.r).(Aider[V]); ok {
		return x.Label(word)
	}
	return ""
}

// Aid returns what a person keeps before their eyes at a seat; nothing where the game does not help.
func (t *table[C, S, A, V, E]) Aid(seat Seat) Aid {
	if x, ok := any(t.r).(Aider[V]); ok {
		return x.Aid(t.r.View(&t.s, seat), seat).readBy(seat)
	}
	return Aid{}
}
