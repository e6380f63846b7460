package raster

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// node is an element of a drawing.
type node struct {
	name     string
	attrs    map[string]string
	text     string
	children []*node
}

// treeOf reads a drawing.
func treeOf(doc []byte) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(doc))
	top := &node{}
	open := []*node{top}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("raster: %w", err)
		}
		now := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			n := &node{name: t.Name.Local, attrs: map[string]string{}}
			for _, a := range t.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			now.children = append(now.children, n)
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			now.text += string(t)
		}
	}
	if len(top.children) != 1 || top.children[0].name != "svg" {
		return nil, errors.New("raster: not one drawing")
	}
	return top.children[0], nil
}

// number reads an attribute, 0 if it is left out.
func (n *node) number(name string) (float64, error) {
	text, ok := n.attrs[name]
	if !ok {
		return 0, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("raster: %s of <%s>: %w", name, n.name, err)
	}
	return x, nil
}

// some reads several attributes.
func (n *node) some(names ...string) ([]float64, error) {
	out := make([]float64, len(names))
	for i, name := range names {
		var err error
		if out[i], err = n.number(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// viewBox returns how wide and high a drawing is, in units.
func (n *node) viewBox() (float64, float64, error) {
	box, err := numbers(n.attrs["viewBox"])
	if err != nil {
		return 0, 0, err
	}
	if len(box) != 4 || box[2] <= 0 || box[3] <= 0 {
		return 0, 0, fmt.Errorf("raster: viewBox %q", n.attrs["viewBox"])
	}
	return box[2], box[3], nil
}

// numbers reads a list, parted by blanks or commas.
func numbers(text string) ([]float64, error) {
	var out []float64
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("raster: %w", err)
		}
		out = append(out, x)
	}
	return out, nil
}
