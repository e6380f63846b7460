// Package pictures makes the PNG files that the pages for people link to: boards, and cards for those who are sent a link. It
// knows drawings and words, not what may be seen: who asks for a picture has to know that.
package pictures
