// Package raster turns the drawings of the games into pixels: pictures and moving pictures. It reads what package svg writes
// and the games put into it, and no more of SVG: what it does not know is an error, never a hole in a picture.
package raster
