package tournament

// Fault is what went wrong with a decision; "" is no fault.
type Fault string

// The kinds. All but FaultPlatform are the bot's own; the reason beside the kind gives details.
const (
	FaultTimeout       Fault = "timeout"        // the whole answer had not arrived by the deadline
	FaultConnect       Fault = "connect"        // no connection, or it broke
	FaultTLS           Fault = "tls"            // no trusted encrypted connection
	FaultStatus        Fault = "status"         // an HTTP status other than 200, a redirect included
	FaultTooLarge      Fault = "too_large"      // headers or body over the limit
	FaultBadJSON       Fault = "bad_json"       // not the JSON of an answer
	FaultWrongDecision Fault = "wrong_decision" // the answer names another decision
	FaultIllegal       Fault = "illegal_action" // the rules refuse the action
	FaultPlatform      Fault = "platform"       // ours: voids the match
)

// WhyRetired stands in place of a fault when the house plays for a seat that was retired earlier.
const WhyRetired = "retired"

// WhyThen marks a turn that the bot sent ahead.
const WhyThen = "then"
