package data_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
)

func TestFromImages(t *testing.T) {
	t.Chdir(t.TempDir())
	dir := "images"
	for _, class := range []string{"b", "a", "empty"} {
		if err := os.MkdirAll(filepath.Join(dir, class), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	red := nv.New([][][]float64{{{1, 0, 0}, {1, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}})
	for name, x := range map[string]nv.Tensor{"a/1.png": red, "b/1.png": nv.Ones(nv.Shape{4, 4}), "b/2.png": nv.Zeros(nv.Shape{2, 2})} {
		if err := nv.WriteImage(filepath.Join(dir, name), x); err != nil {
			t.Fatal(err)
		}
	}
	set, err := data.FromImages(dir, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := set.String(), `data.Set of 3 examples: X f32{3,2,2,3}, Y i32{3}, Classes ["a" "b" "empty"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := nv.Values[int](set.Y); !slices.Equal(got, []int{0, 1, 1}) {
		t.Errorf("labels %v", got)
	}
	if got := nv.Values[float32](set.X.Mean(nv.Axis(1), nv.Axis(2))); !slices.Equal(got, []float32{1, 0, 0, 1, 1, 1, 0, 0, 0}) {
		t.Errorf("colours %v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "b", "3.png"), []byte("no"), 0o644); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{
		dir: `data.FromImages("images"): images/b/3.png: image: unknown format`,
		filepath.Join(dir, "a"): `data.FromImages("images/a"): the subfolders have no file that ends in .png, ` +
			".jpg, .jpeg, .gif; put the images of each class into a subfolder",
		filepath.Join(dir, "x"): `data.FromImages("images/x"): open images/x: no such file or directory`,
	} {
		if _, err := data.FromImages(folder, 2, 2); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", folder, err, want)
		}
	}
	if _, err := data.FromImages(dir, 2, 0); err == nil || err.Error() != `data.FromImages("images"): images cannot be 2 x 0` {
		t.Error(err)
	}
}
