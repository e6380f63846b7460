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
	if out == nil {
		return c.Call(ctx, o.Method, o.Target(in), "", body, nil)
	}
	return c.Call(ctx, o.Method, o.Target(in), "", body, out)
}

// rowsAtOnce is how many rows of a list are asked for at once.
const rowsAtOnce = "100"

// Each calls do for every row of a list, over all its pages.
func Each[In, Row any](ctx context.Context, c *Client, o op.Operation[In, wire.Page[Row]], in In, do func(Row) error) error {
	target, err := url.Parse(o.Target(in))
	if err != nil {
		return err
	}
	query := target.Query()
	query.Set("limit", rowsAtOnce)
	for {
		target.RawQuery = query.Encode()
		var page wire.Page[Row]
		if err := c.Get(ctx, target.String(), &page); err != nil {
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
