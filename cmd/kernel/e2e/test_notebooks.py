"""The example notebooks, run by the tools that people run notebooks with."""

import functools
import io
import logging
import subprocess

import nbclient
import nbconvert
import nbformat
import pytest
from conftest import NOTEBOOKS, PATIENCE, last_words


@functools.cache
def executed(path):
    """The notebook after nbclient has run it. nbclient does not allow input."""
    fresh = nbformat.read(path, as_version=4)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbclient.NotebookClient(
        fresh,
        kernel_name="goanvil",
        timeout=PATIENCE,
        startup_timeout=PATIENCE,
        iopub_timeout=PATIENCE,
        raise_on_iopub_timeout=True,
    ).execute()
    return fresh


def shown(notebook):
    """The source and the outputs of each code cell, as text, in which an image is only its MIME type.

    Outputs about programs that took long to compile are left out, since they depend on the machine.
    For a cell tagged "varies" only the kinds of its outputs are returned: its numbers depend on the
    time, or on the processor's rounding over a whole training.
    """
    cells = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        seen = []
        varies = "varies" in cell.metadata.get("tags", [])
        for output in cell.outputs:
            if output.get("data", {}).get("text/plain", "").startswith("compiled a program of "):
                continue
            if varies:
                seen.append((output.output_type, sorted(output.get("data", {}))))
                continue
            if output.output_type == "stream":
                if seen and seen[-1][0] == output.name:  # the number of messages depends on the time
                    seen[-1] = (output.name, seen[-1][1] + output.text)
                else:
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
    for want, got in zip(shown(committed), shown(executed(path)), strict=True):
        assert got == want


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_nbconvert_makes_a_page(path):
    exporter, warnings = nbconvert.HTMLExporter(), io.StringIO()
    handler = logging.StreamHandler(warnings)
    exporter.log.addHandler(handler)
    page, _ = exporter.from_notebook_node(executed(path))
    exporter.log.removeHandler(handler)
    assert not warnings.getvalue()
    body = page.split("<body", 1)[1]
    assert last_words(path) in body
    assert "<table" in body or "<table" not in path.read_text()
    assert "<script" not in "".join(html for _, html in outputs(path)), "an output has a script"


def test_nbconvert_runs_a_notebook(tmp_path):
    path = NOTEBOOKS[0]
    timeouts = [f"--ExecutePreprocessor.{option}={PATIENCE}" for option in ("startup_timeout", "iopub_timeout")]
    command = ["jupyter", "nbconvert", "--to", "html", "--execute", *timeouts, "--output-dir", tmp_path, path]
    subprocess.run(command, check=True)
    assert last_words(path) in (tmp_path / path.with_suffix(".html").name).read_text()


def outputs(path):
    """The text and HTML that each output of the notebook shows."""
    for cell in executed(path).cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            yield data.get("text/plain", ""), data.get("text/html", "")
