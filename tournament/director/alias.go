package director

import "github.com/molerun/molerun/engines/game"

func adjectives() []string {
	return []string{
		"amber", "ashen", "brave", "brisk", "bronze", "calm", "clever", "coral", "crimson", "dapper", "dusky", "eager",
		"fabled", "frosty", "gentle", "golden", "hazel", "humble", "indigo", "ivory", "jolly", "keen", "lively", "lunar",
		"mellow", "merry", "misty", "nimble", "noble", "olive", "opal", "patient", "plucky", "quiet", "rapid", "rosy",
		"rustic", "sandy", "silent", "silver", "sleepy", "solar", "stormy", "sunny", "tidy", "velvet", "violet", "witty",
	}
}

func animals() []string {
	return []string{
		"badger", "bat", "beaver", "bison", "crane", "crow", "deer", "dove", "duck", "eagle", "eel", "falcon",
		"ferret", "finch", "fox", "frog", "goose", "hare", "heron", "ibex", "jackal", "koala", "lark", "lemur",
		"lynx", "magpie", "marmot", "marten", "moose", "mouse", "newt", "otter", "owl", "panda", "puffin", "quail",
		"rabbit", "raven", "robin", "salmon", "seal", "shrew", "stoat", "swan", "toad", "trout", "vole", "wren",
	}
}

// aliases draws names for the seats of one match. No two share a word, so that people can tell them apart.
func aliases(seats int, r *game.Rand) []string {
	first, second := adjectives(), animals()
	game.Shuffle(r, first)
	game.Shuffle(r, second)
	out := make([]string, seats)
	for i := range out {
		out[i] = first[i] + "-" + second[i]
	}
	return out
}
