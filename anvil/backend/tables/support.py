"""Writes support.txt: the dtypes that Ivy's functions declare for each of its backends.

    pip install --no-deps ivy==1.0.0.5
    python support.py $(python -c 'import importlib.util as u; print(u.find_spec("ivy").submodule_search_locations[0])') > support.txt

Nothing of Ivy is run: the declarations are read from the syntax trees of its modules.
"""

import ast
import collections
import pathlib
import sys

FRAMEWORKS = ["jax", "numpy", "paddle", "tensorflow", "torch"]
MODULES = ["activations", "elementwise", "linear_algebra", "searching", "sorting", "statistical"]
EXPERIMENTAL = ["elementwise"]  # of what Ivy calls experimental, these modules only
SINGLE = {  # of other modules, the functions that there are operations of here
    "manipulation": "clip concat expand_dims flip permute_dims reshape squeeze stack",
    "creation": "arange eye full full_like linspace ones ones_like zeros zeros_like",
    "experimental/statistical": "median",
}
SHORT = {"bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64", "bool": "i1", "complex64": "c64",
         "complex128": "c128", "int": "integer"}
SHORT |= {f"{u}int{n}": f"{u}i{n}" for u in ("", "u") for n in (8, 16, 32, 64)}
CLASSES = {"valid", "numeric", "float", "integer", "unsigned", "complex"}


def names(value):
    """The dtypes of a declaration, in our spelling; what is no dtype there is left out."""
    short = [SHORT.get(n, n) for n in ([value] if isinstance(value, str) else value)]
    return " ".join(sorted(n for n in short if n in CLASSES or n in SHORT.values()))


def declarations(function):
    """Sign, device, version key and dtypes of each declaration of a function."""
    for d in function.decorator_list:
        name = getattr(getattr(d, "func", None), "id", "")
        if not name.startswith("with_") or "dtypes" not in name:
            continue
        sign = "-" if name.startswith("with_unsupported") else "+"
        for version, value in ast.literal_eval(d.args[0]).items():
            for device, dtypes in value.items() if isinstance(value, dict) else [("", value)]:
                yield sign, device, version, names(dtypes)


def functions(root, framework):
    folder = root / "functional" / "backends" / framework
    wanted = dict.fromkeys(MODULES + [f"experimental/{m}" for m in EXPERIMENTAL]) | SINGLE
    for module, only in wanted.items():
        file = folder / f"{module}.py"
        if file.exists():
            found = [n for n in ast.parse(file.read_text()).body if isinstance(n, ast.FunctionDef)]
            yield from (n for n in found if only is None or n.name in only.split())


def attributes(root):
    """Functions without a body for each backend: the same as an attribute of the function."""
    for n in ast.walk(ast.parse((root / "functional" / "ivy" / "general.py").read_text())):
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Attribute) and n.targets[0].attr == "unsupported_dtypes":
            value = ast.literal_eval(n.value)
            for framework, dtypes in value.items() if isinstance(value, dict) else []:
                yield framework, n.targets[0].value.id, names(dtypes)


def modules(root):
    """The functions of each module but the elementwise ones, which are the rest."""
    for m in MODULES:
        if m != "elementwise":
            tree = ast.parse((root / "functional" / "ivy" / f"{m}.py").read_text())
            yield m, sorted(n.name for n in tree.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_"))


def main(root):
    lines = collections.defaultdict(lambda: collections.defaultdict(list))
    for framework in FRAMEWORKS:
        for f in functions(root, framework):
            if f.name.startswith("_") or "_v_" in f.name:
                continue
            for sign, device, version, dtypes in dict.fromkeys(declarations(f)):
                lines[framework][version, sign + (device and "@" + device), dtypes].append(f.name)
    for framework, name, dtypes in attributes(root):
        lines[framework]["", "-", dtypes].append(name)
    print("# Dtypes that Ivy 1.0.0.5 declares: - not supported, + the only ones supported, by version of the framework; support.py writes this.")
    print("modules")
    for module, found in modules(root):
        print(f"* {module}: {' '.join(found)}")
    for framework in FRAMEWORKS:
        print(framework)
        last = None
        for (version, sign, dtypes), found in sorted(lines[framework].items()):
            if version != last:
                print("=" + (version or "any"))
                last = version
            print(f"{sign} {dtypes}: {' '.join(sorted(found))}")


main(pathlib.Path(sys.argv[1]))
