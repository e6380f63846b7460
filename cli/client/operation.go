package client

import (
	"context"
	"net/url"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
)

// As calls the same platform with another token.
func (c *Client) As(token string) *Client {
	other := *c
	other.Token = token
	return &other
}

// Do has the platform carry out an operation and reads its answer into out; nil drops it. A problem is a [*Refusal].
func Do[In, Out any](ctx context.Context, c *Client, o op.Operation[In, Out], in In, out *Out) error {
	body, err := o.Encode(in)
	if err != nil {
		return err
	}
	var to any
	if out != nil {
		to = out
	}
	return c.Call(ctx, o.Method, o.Target(in), body, to)
}

// rowsAtOnce is how many rows of a list are asked for at once.
const rowsAtOnce = "100"

// Each calls do for every row of a list, over all its pages.
func Each[In, Row any](ctx context.Context, c *Client, o op.Operation[In, wire.Page[Row]], in In, do func(Row) error) error {
	target, err := url.Parse(o.Target(in))
	if err != nil {
		return err
	}
	return pages(ctx, c, target.Path, target.Query(), do)
}

// All returns every row of a list; never nil, so that none is [] in JSON.
func All[In, Row any](ctx context.Context, c *Client, o op.Operation[In, wire.Page[Row]], in In) ([]Row, error) {
	all := []Row{}
	err := Each(ctx, c, o, in, func(row Row) error {
		all = append(all, row)
		return nil
	})
	return all, err
}

// pages calls do for every row of the list at a path, which query narrows.
func pages[Row any](ctx context.Context, c *Client, path string, query url.Values, do func(Row) error) error {
	query.Set("limit", rowsAtOnce)
	for {
		var page wire.Page[Row]
		if err := c.Get(ctx, path+"?"+query.Encode(), &page); err != nil {
			return err
		}
		for _, row := range page.Data {
			if err := do(row); err != nil {
				return err
			}
		}
		if page.Next == nil {
			return nil
		}
		query.Set("cursor", *page.Next)
	}
}
