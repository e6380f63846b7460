// Package pictures draws the cards that services show beside a link to a page: a PNG of a title and a few words, without a board.
package pictures
