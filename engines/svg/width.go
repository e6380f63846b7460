package svg

import (
	"strings"
	"unicode"
)

// TextWidth estimates the width of bold words of a size, in units, as a wide one of the common faces sets them.
func TextWidth(words string, size int) int {
	sum := 0
	for _, r := range words {
		sum += hundredths(r)
	}
	return (sum*size + 99) / 100
}

// hundredths returns about how wide a letter is, of its size.
func hundredths(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1100:
		return 105 // ideographs, Hangul, signs
	case strings.ContainsRune("MWmw@%…—", r):
		return 105
	case strings.ContainsRune("ijlI.,:;'|! ", r):
		return 40
	case strings.ContainsRune("rtf-_", r):
		return 50
	case strings.ContainsRune("csz", r):
		return 60
	case unicode.IsUpper(r):
		return 80
	}
	return 70
}

// Fit cuts words that are wider than some units, and shows by an ellipsis that it did.
func Fit(words string, width, size int) string {
	if TextWidth(words, size) <= width {
		return words
	}
	letters := []rune(words)
	for len(letters) > 0 && TextWidth(string(letters)+"…", size) > width {
		letters = letters[:len(letters)-1]
	}
	return strings.TrimRight(string(letters), " ") + "…"
}
