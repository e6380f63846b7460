package gate

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
)

// SetAuditSubject sets the id that the request's audit line is about, where neither the path nor Location names it.
func SetAuditSubject(ctx context.Context, id string) { requestOf(ctx).Set(keySubject, id) }

// note adds the audit line of a request that changed something, or that its caller may not make. What else is refused
// changed nothing. It is written after the answer is known, not together with what was done: so one place serves every route, and
// the line knows what was made. A process that dies in between leaves the line out.
func (g *Gate) note(c *gin.Context, r Route, err error) {
	who, outcome := Who(c), outcomeOf(c, err)
	if r.Method == "" || r.Method == http.MethodGet || r.Quiet || outcome == "" || c.Writer.Header().Get(httpx.Replayed) != "" {
		return
	}
	l := tournament.AuditLine{Via: tournament.ViaAPI, Operation: r.Method + " " + template(r.Path), Outcome: outcome}
	l.Kind, l.SubjectID = subject(c, r.Path)
	if who != nil {
		l.UserID, l.TokenID = who.User.ID, who.Token.ID
	} else if outcome == tournament.AuditRefused || l.SubjectID == "" {
		return // nobody was refused, or nobody made nothing: a stranger cannot fill the audit log
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), keeping)
	defer cancel()
	if err := g.Store.Note(ctx, l); err != nil {
		g.Log.LogAttrs(ctx, slog.LevelError, "an audit line was not kept", slog.String("request_id", RequestID(c)),
			slog.String("operation", l.Operation), slog.String("err", err.Error()))
	}
}

// outcomeOf returns how a request went; "" if it changed nothing. A page that shows a refusal has its status, and no error.
func outcomeOf(c *gin.Context, err error) tournament.AuditOutcome {
	status := c.Writer.Status()
	if err != nil {
		status = KindOf(err).Status
	}
	switch {
	case status < http.StatusBadRequest:
		return tournament.AuditDone
	case status == http.StatusForbidden:
		return tournament.AuditRefused
	case status >= http.StatusInternalServerError:
		return tournament.AuditFailed
	}
	return ""
}

// template returns the path of a route as documents write it: {id} for :id.
func template(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if name, is := strings.CutPrefix(p, ":"); is {
			parts[i] = "{" + name + "}"
		}
	}
	return strings.Join(parts, "/")
}

// subject returns what a request is about: the thing its path begins with, or what it made; of a stranger's request, who changes
// nothing that is there, what it made alone.
func subject(c *gin.Context, path string) (string, string) {
	parts := strings.Split(path, "/") // "", v1, KIND, :id
	if len(parts) < 3 {
		return "", ""
	}
	id := c.GetString(keySubject)
	if id == "" && Who(c) != nil && len(parts) > 3 && strings.HasPrefix(parts[3], ":") {
		id = c.Param(parts[3][1:])
	}
	if made := strings.Split(c.Writer.Header().Get("Location"), "/"); id == "" && len(made) > 3 {
		id = made[3]
	}
	return parts[2], id
}
