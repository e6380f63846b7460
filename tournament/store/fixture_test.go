package store_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m, func() error { return goleak.Find() }) }

// world is a platform with shortcuts of these tests.
type world struct{ *directortest.World }

func newWorld(t *testing.T, open storetest.Open) *world {
	t.Helper()
	return &world{directortest.NewWorld(t, open)}
}

// on runs f with a platform of its own on the databases of [storetest.Each], or another function of that package.
func on(t *testing.T, databases func(*testing.T, func(*testing.T, storetest.Open)), f func(t *testing.T, w *world)) {
	t.Helper()
	databases(t, func(t *testing.T, open storetest.Open) { f(t, newWorld(t, open)) })
}
