package misuse_test

import (
	"testing"

	"github.com/goanvil/notebook/interp/interptest"
)

// TestTranscripts runs the notebooks in testdata.
func TestTranscripts(t *testing.T) { interptest.Transcripts(t) }
