package cache_test

import (
	"testing"

	"github.com/molerun/molerun/api/cache"
)

func TestACacheKeepsTheLatestUpToItsBytes(t *testing.T) {
	c := cache.New(10_000)
	words, numbers := cache.NewPartition[string, string](c), cache.NewPartition[string, int](c)
	words.Put("x", "a word", 4000)
	numbers.Put("x", 7, 4000)
	if w, ok := words.Get("x"); w != "a word" || !ok {
		t.Errorf("got %q, %v: kinds do not share their keys", w, ok)
	}
	words.Put("y", "another", 4000) // the number was asked for longest ago
	if _, ok := numbers.Get("x"); ok {
		t.Error("the cache holds more than it may")
	}
	words.Put("y", "another", 100) // in place of the one before
	if held := c.Bytes(); held < 4100 || held > 10_000 {
		t.Errorf("%d bytes are held, want those of two words", held)
	}
	words.Put("large", "", 20_000)
	if _, ok := words.Get("large"); ok || c.Bytes() > 10_000 {
		t.Error("what is larger than the cache is kept")
	}
	if _, ok := words.Get("x"); !ok {
		t.Error("what is too large has pushed the others off")
	}
	first := words.GetOrPut("z", "first")
	if again := words.GetOrPut("z", "second"); first != "first" || again != "first" {
		t.Errorf("got %q and %q, want the first twice", first, again)
	}
	for i := range 1000 {
		numbers.Put(string(rune(i)), i, 0)
	}
	if held := c.Bytes(); held > 10_000 {
		t.Errorf("%d bytes are held by things without a size of their own", held)
	}
}
