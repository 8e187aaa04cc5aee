package explain_test

import (
	"go/types"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/universe"
)

// selected matches the members that a replacement selects.
var selected = regexp.MustCompile(`\.([A-Z]\w*)`)

// ofGo matches members of packages of the standard library, and of other packages that cells can use.
var ofGo = regexp.MustCompile(`\b(math\.\w+|promote\.Anvil\.Result|display\.MaxRows|DType\(\)\.Is\b|dtype\.\w+)`)

// TestForeignNames checks that the replacements in foreign.txt exist, and that the names that they replace do not.
func TestForeignNames(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, name := u.Tensor()
	pkg, err := u.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, n := range pkg.Scope().Names() {
		there[n] = true
	}
	set := types.NewMethodSet(types.NewPointer(pkg.Scope().Lookup(name).Type()))
	for i := range set.Len() {
		there[set.At(i).Obj().Name()] = true
	}
	ofTables := map[string]bool{}
	for _, n := range []string{"Table", "Column", "GroupedTable"} {
		for m := range types.NewMethodSet(types.NewPointer(pkg.Scope().Lookup(n).Type())).Methods() {
			ofTables[m.Obj().Name()] = true
		}
	}
	random, err := u.Import(path + "/random")
	if err != nil {
		t.Fatal(err)
	}
	draws := map[string]bool{}
	for _, n := range random.Scope().Names() {
		draws[n] = true
	}
	folded := map[string]bool{}
	for n := range there {
		folded[strings.ToLower(n)] = true
	}
	for foreign, own := range explain.ForeignNames("tensors") {
		if foreign != strings.ToLower(strings.ReplaceAll(foreign, "_", "")) {
			t.Errorf("%q is not in small letters without underscores", foreign)
		}
		if unicode.IsUpper(rune(own[0])) && !there[own] {
			t.Errorf("%s: there is no %s", foreign, own)
		}
		for _, m := range selected.FindAllStringSubmatch(ofGo.ReplaceAllString(own, ""), -1) {
			if unicode.IsLower(rune(own[0])) && !there[m[1]] && !draws[m[1]] {
				t.Errorf("%s: there is no %s of %s", foreign, m[1], own)
			}
		}
		if folded[foreign] {
			t.Errorf("%s is a name of the library's own", foreign)
		}
	}
	for foreign, own := range explain.ForeignNames("tables") {
		for _, m := range selected.FindAllStringSubmatch(own, -1) {
			if !there[m[1]] && !draws[m[1]] && !ofTables[m[1]] {
				t.Errorf("%s of tables: there is no %s of %s", foreign, m[1], own)
			}
		}
	}
}

// jaxRandom are the public names of jax.random 0.11.2.
const jaxRandom = `PRNGKey ball bernoulli beta binomial bits categorical cauchy chisquare choice clone dirichlet double_sided_maxwell exponential
	f fold_in gamma generalized_normal geometric gumbel key key_data key_dtype key_impl laplace loggamma logistic lognormal maxwell multinomial
	multivariate_normal normal orthogonal pareto permutation poisson rademacher randint random_gamma_p rayleigh split t triangular truncated_normal
	uniform wald weibull_min wrap_key_data`

// TestForeignDraws checks that package random has each name of jax.random or a hint for it, and that the names in
// hints exist.
func TestForeignDraws(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, _ := u.Tensor()
	random, err := u.Import(path + "/random")
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for _, n := range random.Scope().Names() {
		own[strings.ToLower(n)] = true
	}
	hints := explain.ForeignNames("random")
	for name := range strings.FieldsSeq(jaxRandom) {
		folded := strings.ToLower(strings.ReplaceAll(name, "_", ""))
		if hints[folded] == "" && !own[folded] {
			t.Errorf("jax.random.%s is neither there nor hinted at", name)
		}
	}
	for name, text := range hints {
		for _, m := range regexp.MustCompile(`random\.(\w+)`).FindAllStringSubmatch(text, -1) {
			if random.Scope().Lookup(m[1]) == nil {
				t.Errorf("%s: there is no random.%s", name, m[1])
			}
		}
	}
}
