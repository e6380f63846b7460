package pages_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/internal/must"
)

func TestIntervalsAreOnOneScale(t *testing.T) {
	wide, narrow := pages.Span{Low: 1310, Rating: 1400, High: 1490}, pages.Span{Low: 1450, Rating: 1602, High: 1600} // moved since its fit
	low, high := pages.ScaleOf([]pages.Span{wide, narrow})
	if low != 1300 || high != 1700 {
		t.Fatalf("got a scale from %v to %v, want 1300 to 1700", low, high)
	}
	for _, row := range []struct {
		span pages.Span
		want string
	}{
		{wide, `d="M7.8 7H57.2"/><circle cx="32.5"`},
		{narrow, `d="M46.2 7H87.5"/><circle cx="88.0"`},
	} {
		must.Say(t, string(pages.Interval(row.span, low, high)), row.want)
	}
	if low, high := pages.ScaleOf([]pages.Span{{Low: 1500, Rating: 1500, High: 1500}}); low != 1500 || high != 1600 {
		t.Errorf("one rating without an interval: got %v to %v, want a scale of 100", low, high)
	}
}

func TestASharesBarIsAsLongAsTheShare(t *testing.T) {
	for share, want := range map[float64]string{0: `<rect width="0.0"`, .5: `<rect width="60.0"`, 1: `<rect width="120.0"`} {
		must.Say(t, string(pages.Share(share)), want)
	}
}

func TestATrendGoesFromTheFirstFitToTheLast(t *testing.T) {
	want := `aria-label="from 1500 to 1560 in 3 fits"><path d="M2.0 12.0L28.0 7.0L54.0 2.0"/><circle cx="54.0" cy="2.0" r="2"/>`
	if got := string(pages.Trend([]float64{1500, 1530, 1560})); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s in it", got, want)
	}
	if got := pages.Trend([]float64{1500}); got != "" {
		t.Errorf("one fit: got %s, want nothing", got)
	}
}
