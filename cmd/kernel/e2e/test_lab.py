"""JupyterLab in a real browser: what a person sees of a notebook."""

import json

import nbformat
import pytest
from conftest import NOTEBOOKS, PATIENCE, QUIZZES, last_words
from browser import HARD_TO_READ, open_notebook, photographed
from playwright.sync_api import expect


def run_all(browser, lab, path):
    """The page of the notebook after all its cells ran in JupyterLab, without a stop at a question."""
    page = open_notebook(browser, lab, path.name)
    run_from(page, 0, path)
    return page


def run_from(page, n, path):
    """Runs the cells from number n on, and fails if one of them asks."""
    page.evaluate(
        """async n => {
            await jupyterapp.commands.execute('notebook:clear-all-cell-outputs');
            jupyterapp.shell.currentWidget.content.activeCellIndex = n;
            jupyterapp.commands.execute('notebook:run-all-below');  // which ends with the last cell
        }""",
        n,
    )
    asking = page.locator(".jp-Stdin-input")
    ended = page.locator(".jp-Notebook .jp-CodeCell").last.locator(".jp-OutputArea-output", has_text=last_words(path))
    asking.or_(ended).first.wait_for()
    assert not asking.count(), "a cell asks, and the others wait"
    assert not page.locator(".jp-OutputArea-output", has_text="right: it is").count(), "nobody has answered"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook_in_lab(browser, lab, path):
    page = run_all(browser, lab, path)
    expect(page.locator("[data-mime-type='application/vnd.jupyter.stderr']")).to_have_count(
        expected_errors(path), timeout=PATIENCE * 1000
    )
    saved = [o for c in json.loads(path.read_text())["cells"] for o in c.get("outputs", [])]
    html = "".join("".join(o.get("data", {}).get("text/html", "")) for o in saved)
    tensor = "shape" if "shape" in html else None  # a word of every tensor; None: the notebook shows no tensor
    page.locator("[data-mime-type='text/html']", has_text=tensor).first.wait_for()
    # Tokens, here a number, have a class of the editor's colours.
    page.locator(".jp-CodeCell .cm-line span[class*='ͼ']", has_text="1").first.wait_for()
    if "image/svg+xml" in path.read_text():
        page.locator(".jp-OutputArea-output img[alt], .jp-OutputArea-output svg[role=img]").first.wait_for()
    assert not page.locator(".jp-OutputArea-output img:not([alt])").count(), "an image without alternative text"
    for theme in photographed(page, path.stem):
        hard = page.evaluate(HARD_TO_READ)
        assert not hard, f"{theme}: hard to read: {hard[:5]}"
    page.close()


def run_alone(page, cell):
    """Runs a cell by itself, as a person would: some time after all others have ended."""
    page.locator(".jp-CodeCell .jp-InputPrompt", has_text="[*]").wait_for(state="detached")
    page.wait_for_timeout(1000)
    page.evaluate(
        """n => {
            jupyterapp.shell.currentWidget.content.activeCellIndex = n;
            jupyterapp.commands.execute('notebook:run-cell');
        }""",
        index(cell),
    )


def test_run_all_never_asks(browser, lab):
    """Neither the first nor the last cell of a run asks, although JupyterLab pauses to draw between the cells it sends."""
    page = run_all(browser, lab, QUIZZES[3])
    n = index(page.locator(".jp-CodeCell", has_text="%%predict").first)
    for _ in range(20):
        run_from(page, n, QUIZZES[3])
    page.close()


def index(cell):
    return cell.evaluate("cell => [...cell.parentElement.children].indexOf(cell)")


def test_questions_in_lab(browser, lab):
    """Cells run by themselves ask and grade; without an answer nothing is graded."""
    page = run_all(browser, lab, QUIZZES[0])
    asking = page.locator(".jp-Stdin-input")

    def answer(text):
        box = asking.first.element_handle()
        box.fill(text)
        box.press("Enter")
        box.wait_for_element_state("hidden")

    predicted = page.locator(".jp-CodeCell", has_text="%%predict").first
    for said, graded in [
        ("f32{} 7.5", "right: it is f32{}"),
        ("f64", "not so: you said f64"),
        ("", "you gave no answer"),
    ]:
        run_alone(page, predicted)
        asking.wait_for()
        expect(predicted.locator(".jp-OutputArea-output", has_text="7.5")).to_have_count(0)
        answer(said)
        predicted.locator(".jp-OutputArea-output", has_text=graded).wait_for()
        predicted.locator(".jp-OutputArea-output", has_text="7.5").first.wait_for()

    check = page.locator(".jp-CodeCell").last
    run_alone(page, check)
    for said in ["f64", "f64", "i16", "", "2"]:
        asking.wait_for()
        answer(said)
    check.locator(".jp-OutputArea-output", has_text="3 right of 4 answered; 1 to go").wait_for()
    for theme in photographed(page, "questions"):
        hard = page.evaluate(HARD_TO_READ)
        assert not hard, f"{theme}: hard to read: {hard[:5]}"
    page.close()


def expected_errors(path):
    cells = nbformat.read(path, as_version=4).cells
    return sum("raises-exception" in cell.metadata.get("tags", []) for cell in cells)
