package autodiff_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/autodiff/rulestest"
)

func TestRules(t *testing.T) { rulestest.Check(t) }
