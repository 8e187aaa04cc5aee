"""JupyterLab in a real browser: what a person sees of a notebook."""

import json

import nbformat
import pytest
from conftest import NOTEBOOKS, PATIENCE
from browser import HARD_TO_READ, open_notebook, photographed
from playwright.sync_api import expect


def run_all(browser, lab, notebook):
    """The page of the notebook after all its cells ran in JupyterLab."""
    page = open_notebook(browser, lab, notebook)
    page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells') }")  # which ends with the last cell
    answer_all(page, until=page.locator(".jp-OutputArea-output", has_text="ok 11/11"))
    return page


def answer_all(page, until):
    """Answers what cells ask, until something is there to see."""
    asking = page.locator(".jp-Stdin-input")
    while True:
        until.or_(asking).first.wait_for()
        if until.count():
            return
        box = asking.first.element_handle()
        box.fill("i32")
        box.press("Enter")
        box.wait_for_element_state("hidden")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook_in_lab(browser, lab, path):
    page = run_all(browser, lab, path.name)
    expect(page.locator("[data-mime-type='application/vnd.jupyter.stderr']")).to_have_count(
        expected_errors(path), timeout=PATIENCE * 1000
    )
    shown = [o.get("data", {}).get("text/html", "") for c in json.loads(path.read_text())["cells"] for o in c.get("outputs", [])]
    words = "shape" if "shape" in "".join("".join(h) for h in shown) else None  # of a tensor, if one is shown
    page.locator("[data-mime-type='text/html']", has_text=words).first.wait_for()
    page.locator(".jp-CodeCell .cm-line span[class*='ͼ']", has_text="1").first.wait_for()  # a number is a coloured token
    if "image/svg+xml" in path.read_text():
        page.locator("[data-mime-type='image/svg+xml'], .jp-OutputArea-output svg").first.wait_for()
    for theme in photographed(page, path.stem):
        hard = page.evaluate(HARD_TO_READ)
        assert not hard, f"{theme}: hard to read: {hard[:5]}"
    page.close()


def expected_errors(path):
    cells = nbformat.read(path, as_version=4).cells
    return sum("raises-exception" in cell.metadata.get("tags", []) for cell in cells)
