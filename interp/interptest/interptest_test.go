package interptest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/interptest"
)

func TestTranscripts(t *testing.T) { interptest.Transcripts(t) }

func TestPrograms(t *testing.T) {
	interptest.Programs(t, "testdata/*.go", func(program string) string { return program })
}

// TestWrong fails where TestMistakesAreNoticed runs it.
func TestWrong(t *testing.T) {
	if os.Getenv("GOANVIL_TEST_WRONG") == "" {
		return
	}
	t.Chdir("testdata/wrong")
	interptest.Transcripts(t)
	interptest.Programs(t, "*.go", func(program string) string { return program })
}

// TestMistakesAreNoticed checks that a transcript and programs with wrong outputs fail.
func TestMistakesAreNoticed(t *testing.T) {
	wrong := exec.Command(os.Args[0], "-test.run=^TestWrong$")
	wrong.Env = append(os.Environ(), "GOANVIL_TEST_WRONG=1")
	out, err := wrong.CombinedOutput()
	if err == nil {
		t.Error("the test passes")
	}
	for _, want := range []string{
		`-- Out 1 --\n4\n`, `-- Out 1 --\n3\n`, // the transcript
		"+ -- Stderr 1 -- + a warning", "+ -- Out 1 -- + a value", `-- Stdout 1 --\nnever printed\n`,
		"got 3 want 4", `not refused with "nothing is wrong`, `not refused with "other words`, "it ends here",
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(out)), " "), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}
