"""The example notebooks, run by the tools that people run notebooks with."""

import os
import subprocess

import nbclient
import nbformat
import pytest
from conftest import NOTEBOOKS


def shown(notebook):
    """What a reader sees of each code cell, as text; images by their presence."""
    cells = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        seen = []
        for output in cell.outputs:
            if output.output_type == "stream":
                seen.append((output.name, output.text))
            elif output.output_type == "error":
                seen.append((output.ename, output.evalue))
            else:
                data = output.data
                seen.append((sorted(data), data.get("text/plain"), data.get("text/html")))
        cells.append((cell.source, seen))
    return cells


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_outputs_are_what_the_kernel_prints(path):
    committed = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbclient.NotebookClient(fresh, kernel_name="goanvil", timeout=120).execute()
    for want, got in zip(shown(committed), shown(fresh), strict=True):
        assert got == want


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_nbconvert_makes_a_page(path, tmp_path):
    subprocess.run(
        ["jupyter", "nbconvert", "--to", "html", "--execute", "--output-dir", tmp_path, path],
        check=True,
        env={**os.environ},
    )
    page = (tmp_path / path.with_suffix(".html").name).read_text()
    assert "<table" in page and "AnvilTensor" not in page.split("<body", 1)[0]
