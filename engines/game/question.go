package game

// Asker serves games in which a seat can be asked for its belief about something hidden. Questions is what seat cannot see, with the
// chances that the rules alone give it: all deals that fit what the seat has seen count alike, exactly, so that it uses only what the
// seat knows. Asked for [Everything] it is the truth: every question has its one answer. The order of questions and answers is fixed.
type Asker[S any] interface {
	Questions(s *S, seat Seat) []Question
}

// Question is one thing that a seat may not see: what it is About, in the words of views, its possible answers, and P, the chance of
// each by the rules alone (above 0, 1 in all). A question with one answer is settled.
type Question struct {
	About   string
	Answers []string
	P       []float64
}

// Questions returns what can be asked of a seat's beliefs; none where the game hides nothing that can be asked for.
func (t *table[C, S, A, V, E]) Questions(seat Seat) []Question {
	if x, ok := t.r.(Asker[S]); ok {
		return x.Questions(&t.s, seat)
	}
	return nil
}
