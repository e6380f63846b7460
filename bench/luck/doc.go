// Command luck measures what it is worth to take out of points what chance gave (bots/review, Luck), on matches of house bots: whether
// the correction is 0 on average, how much less the points scatter, and how often their intervals hold. With -fit it fits the weights
// of a game's judgement of tables, on matches of other seeds. The same flags give the same numbers; docs/4-ratings.md shows some.
package main
