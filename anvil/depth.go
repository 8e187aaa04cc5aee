package anvil

import "fmt"

// maxDepth is the greatest depth to which branches and loops may be nested: compile time grows with the cube of the
// depth, from ten seconds at this limit to hours at a thousand.
const maxDepth = 64

// shallow fails where the function that is about to be recorded lies too deep in
// others.
func (c *call) shallow() {
	if n := c.ctx.session.Depth(); n >= maxDepth {
		c.fail(fmt.Sprintf("branches and loops are nested %d deep", n), "choose among values with nv.Where, among many branches with nv.Switch, and repeat with nv.While")
	}
}
