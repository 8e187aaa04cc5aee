"""What a newcomer does in the first hour, in JupyterLab: a cell or two for each task."""

import random

import nbformat
import pytest
from browser import HARD_TO_READ, open_notebook, photographed
from conftest import PATIENCE
from playwright.sync_api import expect

STDERR = "application/vnd.jupyter.stderr"
IMAGE = "image/svg+xml"

# The cell of each task, and texts in its output: words, or the MIME type of a picture. STDERR means that
# the cell must fail.
TASKS = {
    "table": ('t := nv.Must(nv.ReadCSV("flowers.csv"))\nt.Head()', ["sepal", "petal", "species", "setosa"]),
    "summary": ("t.Describe()", ["mean", "std", "25%", "90"]),
    "mean": ('t.Col("petal").Mean()', ["3.78"]),
    "line": ('chart.Line(t.Col("sepal"), chart.Title("sepal by row"))', [IMAGE]),
    "scatter": ('chart.Scatter(t.Col("sepal"), t.Col("petal"), chart.Labels("sepal", "petal"))', [IMAGE]),
    "histogram": ('chart.Hist(t.Col("sepal"), chart.Bins(10))', [IMAGE]),
    "heat map": ('chart.Heat(nv.CorrCoef(t.Matrix("sepal", "petal").T()))', [IMAGE]),
    "image": ("ramp := nv.Linspace(0, 1, 32)\nnv.Outer(ramp, ramp).Image()", ["image/png"]),
    "regression in closed form": (
        'A := nv.HStack(nv.Ones(nv.Shape{90, 1}, nv.F64), t.Matrix("sepal"))\ny := t.Col("petal").Tensor()\n'
        "w, _, _, _ := nv.Lstsq(A, y)\nw",
        ["f64", "shape {2}"],
    ),
    "regression by descent": (
        "loss := func(v nv.Tensor) nv.Tensor { return nv.Mean(nv.Square(A.MatMul(v) - y)) }\n"
        "step := nv.Jit(func(v nv.Tensor) nv.Tensor { return v - 0.02*nv.Grad(loss)(v) })\n"
        "v := nv.Zeros(nv.Shape{2}, nv.F64)\nfor range display.Progress(5000) {\n\tv = step(v)\n}\nv",
        ["5000 of 5000 (100%)", "f64", "shape {2}"],
    ),
    "k-means": (
        'points := t.Matrix("sepal", "petal")\ncenters := points[0:2]\nfor range 20 {\n'
        "\tlabels := nv.CDist(points, centers).ArgMin(nv.Axis(1))\n\tfor k := range 2 {\n"
        "\t\tcenters[k] = points[labels == k].Mean(nv.Axis(0))\n\t}\n}\ncenters",
        ["f64", "shape {2,2}"],
    ),
    "PCA": (
        "_, values, vh := nv.SVD(points - points.Mean(nv.Axis(0)))\nvalues, vh[0]",
        ["f64", "shape {2}"],
    ),
    "spectrum": (
        "at := nv.Arange(256) / 256.0\nsignal := nv.Sin(2*math.Pi*5*at) + 0.5*nv.Sin(2*math.Pi*20*at)\n"
        'chart.Line(nv.Abs(nv.RFFT(signal)), chart.Labels("frequency", "amplitude"))',
        [IMAGE],
    ),
    "shuffled rows": ("r := random.New(42)\nrows := nv.Arange(12).Reshape(nv.Shape{6, 2})\nr.Shuffle(rows)", ["i32", "shape {6,2}"]),
    "sampled rows": ("r.Choice(rows, nv.Shape{3}, random.Once)", ["i32", "shape {3,2}"]),
    "long vector": ("nv.Arange(1000)", ["shape {1000}"]),
    "matrix": ("nv.Arange(600).Reshape(nv.Shape{20, 30})", ["shape {20,30}", "599"]),
    "mask": ("s := nv.New([]float64{3, -1, 4, -1, 5})\ns[s > 0]", ["f32", "shape {3}"]),
    "where": ("nv.Where(s > 0, s, 0)", ["f32", "shape {5}"]),
    "groups": ('t.GroupBy("species").Mean()', ["setosa", "versicolor", "virginica"]),
    "broadcasting mistake": ("nv.Ones(nv.Shape{3, 4}) + nv.Ones(nv.Shape{3})", [STDERR, "{3,4} and {3} do not broadcast"]),
    "dtype mistake": ("nv.New([]float64{1.5}) & 1", [STDERR, "f32", "AsType"]),
    "timing": ("%time nv.Ones(nv.Shape{200, 200}).MatMul(nv.Ones(nv.Shape{200, 200})).Sum()", ["compiling"]),
    "benchmark": ("%bench nv.Sum(points)", ["a call"]),
    "saving and loading": ('nv.WriteNPY("points.npy", points)\nnv.ArrayEqual(points, nv.Must(nv.ReadNPY("points.npy")))', ["i1"]),
    "progress": ("for range display.Progress(400) {\n\ttime.Sleep(time.Millisecond)\n}", ["400 of 400 (100%)", "/s"]),
    "structs": (
        'type Flower struct {\n\tName  string\n\tPetal float64\n}\n[]Flower{{"setosa", 1.4}, {"virginica", 5.5}}',
        ["Name", "Petal", "virginica", "5.5"],
    ),
    "Markdown": ('display.Markdown("## A title\\n\\nand **bold** words")', ["A title", "bold", "text/markdown"]),
    "LaTeX": ("display.LaTeX(`\\int_0^1 x^2\\,dx = \\frac{1}{3}`)", ["text/latex"]),
    "recovered panic": (
        "func safe(a, b int) (q int, err error) {\n\tdefer func() {\n\t\tif r := recover(); r != nil {\n"
        '\t\t\terr = fmt.Errorf("recovered: %v", r)\n\t\t}\n\t}()\n\treturn a / b, nil\n}\n_, err := safe(1, 0)\nerr.Error()',
        ["recovered: runtime error: integer divide by zero"],
    ),
    "many lines": ('for i := range 200_000 {\n\tfmt.Println("line", i)\n}', ["line 199999"]),
    "last": ('"the end"', ["the end"]),
}


def flowers():
    """Lengths of sepals and petals of three species, 30 of each."""
    drawn = random.Random(1)
    rows = ["sepal,petal,species"]
    for species, sepal, petal in [("setosa", 5.0, 1.5), ("versicolor", 5.9, 4.3), ("virginica", 6.6, 5.5)]:
        rows += [f"{drawn.gauss(sepal, 0.35):.2f},{drawn.gauss(petal, 0.3):.2f},{species}" for _ in range(30)]
    return "\n".join(rows) + "\n"


def notebook():
    """A notebook with a cell for each task."""
    cells = [nbformat.v4.new_code_cell(code, id=f"task{i}") for i, (code, _) in enumerate(TASKS.values())]
    for cell, (_, shows) in zip(cells, TASKS.values()):
        if STDERR in shows:
            cell.metadata["tags"] = ["raises-exception"]
    kernel = {"kernelspec": {"name": "goanvil", "display_name": "Go (anvil)", "language": "go"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=kernel)


@pytest.fixture(scope="module")
def page(browser, lab, lab_folder):
    """JupyterLab after the cells of all tasks have run."""
    (lab_folder / "flowers.csv").write_text(flowers())
    nbformat.write(notebook(), lab_folder / "tasks.ipynb")
    page = open_notebook(browser, lab, "tasks.ipynb")
    # The braces keep evaluate from waiting for the command, which ends at the first error.
    page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells') }")
    page.locator(".jp-OutputArea-output", has_text="the end").wait_for()
    yield page
    page.close()


def outputs(page, n):
    """The text that cell n shows, and the MIME types of its outputs and of images with alternative text."""
    cell = page.locator(".jp-Notebook .jp-Cell").nth(n)
    cell.locator(".jp-OutputArea-output").first.wait_for()
    return cell.evaluate(
        """cell => [...cell.querySelectorAll('.jp-OutputArea-output')].map(
            output => [output.textContent, output.dataset.mimeType ?? '',
                ...[...output.querySelectorAll('img[alt]')].map(image => image.src.slice(5, 18))].join(' ')).join('\\n')"""
    )


@pytest.mark.parametrize("task", TASKS)
def test_task(page, task):
    n = list(TASKS).index(task)
    seen = outputs(page, n)
    for want in TASKS[task][1]:
        assert want in seen, seen[-2000:]
    if STDERR not in TASKS[task][1]:
        assert "application/vnd.jupyter.stderr" not in seen.replace("application/vnd.jupyter.stdout", ""), seen[-2000:]


def test_formulas_are_typeset(page):
    cell = page.locator(".jp-Notebook .jp-Cell").nth(list(TASKS).index("LaTeX"))
    cell.locator("mjx-container").wait_for()


def test_tokens_are_coloured(page):
    """Keywords, numbers and strings have colours of their own."""
    colours = page.evaluate(
        """() => {
            const colour = text => {
                for (const token of document.querySelectorAll('.jp-Notebook .cm-line span'))
                    if (token.textContent === text) return getComputedStyle(token).color;
            };
            return ['for', '400', '"the end"'].map(colour);
        }"""
    )
    assert None not in colours and len(set(colours)) == 3, colours
    assert page.evaluate("() => jupyterapp.shell.currentWidget.content.codeMimetype") == "text/x-go"


def test_both_themes(page):
    page.set_viewport_size({"width": 1000, "height": 9000})
    for theme in photographed(page, "tasks"):
        hard = page.evaluate(HARD_TO_READ)
        assert not hard, f"{theme}: hard to read: {hard[:5]}"
    page.set_viewport_size({"width": 1000, "height": 1500})


def write(page, code):
    """Puts code into a new cell at the end, with the cursor behind it."""
    page.evaluate(
        """async code => {
            const notebook = jupyterapp.shell.currentWidget.content;
            notebook.activeCellIndex = notebook.widgets.length - 1;
            await jupyterapp.commands.execute('notebook:insert-cell-below');
            notebook.activeCell.model.sharedModel.setSource(code);
        }""",
        code,
    )
    page.locator(".jp-Notebook .jp-Cell").last.locator(".cm-content").click()
    page.keyboard.press("Control+End")


@pytest.mark.parametrize(
    "code, offers",
    {
        "points.Me": ["Mean", "Median"],
        "nv.Sum(points, nv.Ax": ["Axis"],
        't.Col("': ["sepal", "petal", "species"],
        'nv.ReadCSV("fl': ["flowers.csv"],
        "strc": ["strconv"],
        "strings.ToUp": ["ToUpper"],
        "%ti": ["%time"],
    }.items(),
)
def test_tab_completes(page, code, offers):
    write(page, code)
    page.keyboard.press("Tab")
    for text in offers:  # in the list, or inserted if it is the only one
        page.wait_for_function(
            """text => jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.source.includes(text)
                || [...document.querySelectorAll('.jp-Completer-item')].some(item => item.textContent.includes(text))""",
            arg=text,
        )
    page.keyboard.press("Escape")


def test_shift_tab_explains(page):
    write(page, "nv.MatMul(")
    page.keyboard.press("Shift+Tab")
    tip = page.locator(".jp-Tooltip")
    tip.wait_for()
    text = tip.text_content()
    parts = ["func nv.MatMul(", "MatMul returns the matrix product", "options:", "nv.Precision(name)", "example:"]
    places = [text.find(part) for part in parts]
    assert -1 not in places and places == sorted(places), text
    assert "Ivy" not in text
    page.keyboard.press("Escape")


def test_panel_of_variables(page):
    page.locator(".jp-DebuggerBugButton").first.click()
    panel = page.locator(".jp-DebuggerVariables")
    expect(panel).to_contain_text("nv.Tensor f64{90,2}", timeout=PATIENCE * 1000)
    expect(panel).to_contain_text("90 rows of sepal, petal, species")
    page.evaluate("() => jupyterapp.commands.execute('debugger:render-mime-variable', {name: 'points'})")
    page.locator(".jp-DebuggerRichVariable", has_text="shape {90,2}").first.wait_for()
    page.evaluate(
        """() => {
            const widgets = [...jupyterapp.shell.widgets('main')];
            widgets.filter(widget => !widget.sessionContext).forEach(widget => widget.dispose());
            jupyterapp.shell.activateById(widgets.find(widget => widget.sessionContext).id);
        }"""
    )
    page.locator(".jp-DebuggerBugButton").first.click()


def test_interrupt_and_restart(page):
    """Interrupting keeps the names, restarting forgets them."""
    write(page, 'fmt.Println("going")\nfor {\n}')
    page.evaluate("() => { jupyterapp.commands.execute('notebook:run-cell') }")
    cell = page.locator(".jp-Notebook .jp-Cell").last
    cell.locator(".jp-OutputArea-output", has_text="going").wait_for()
    page.evaluate("() => jupyterapp.commands.execute('notebook:interrupt-kernel')")
    cell.locator(".jp-OutputArea-output", has_text="Interrupt").wait_for()
    write(page, "points.Shape()")
    page.evaluate("() => jupyterapp.commands.execute('notebook:run-cell')")
    page.locator(".jp-Notebook .jp-Cell").last.locator(".jp-OutputArea-output", has_text="{90,2}").wait_for()
    page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    write(page, "points.Shape()")
    page.evaluate("() => jupyterapp.commands.execute('notebook:run-cell')")
    page.locator(".jp-Notebook .jp-Cell").last.locator(".jp-OutputArea-output", has_text="undefined: points").wait_for()
