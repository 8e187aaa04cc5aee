"""JupyterLab in a real browser: what a person sees of a notebook."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import urllib.request

import nbformat
import pytest
from conftest import NOTEBOOKS, ROOT
from playwright.sync_api import sync_playwright

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SHOTS = pathlib.Path(os.environ.get("GOANVIL_SHOTS", ROOT / ".cache" / "shots"))


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab over copies of the example notebooks."""
    folder = tmp_path_factory.mktemp("lab")
    for path in NOTEBOOKS:
        shutil.copy(path, folder)
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0",
         "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True",
         "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={folder}"],
        stderr=subprocess.PIPE,
        text=True,
    )
    address = next(line.split()[-1] for line in server.stderr if "http://127.0.0.1" in line)
    threading.Thread(target=server.stderr.read, daemon=True).start()  # a full pipe would stop the server
    yield address
    api = address.removesuffix("/lab") + "/api/kernels"
    for kernel in json.load(urllib.request.urlopen(api)):
        urllib.request.urlopen(urllib.request.Request(f"{api}/{kernel['id']}", method="DELETE"))
    server.kill()
    server.wait()


@pytest.fixture(scope="module")
def browser():
    assert BROWSER, "no Chromium: install the package chromium"
    with sync_playwright() as p:
        b = p.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield b
        b.close()


def run_all(browser, lab, notebook, theme):
    """The page of the notebook after all its cells ran in JupyterLab."""
    page = browser.new_page(viewport={"width": 1000, "height": 1500})
    page.goto(f"{lab}/tree/{notebook}?reset")
    page.wait_for_function("window.jupyterapp !== undefined", timeout=60_000)
    page.wait_for_selector(".jp-NotebookPanel", timeout=60_000)
    page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.evaluate(
        """async () => {
            jupyterapp.shell.collapseLeft();
            const panel = jupyterapp.shell.currentWidget;
            await panel.context.ready;
            await panel.sessionContext.ready;
            await jupyterapp.commands.execute('notebook:run-all-cells');
        }"""
    )
    return page


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook_in_lab(browser, lab, path, theme):
    page = run_all(browser, lab, path.name, theme)
    page.locator(".jp-OutputArea-output", has_text="ok 11/11").wait_for(timeout=60_000)
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == expected_errors(path)
    badges = page.locator("[data-mime-type='text/html']", has_text="shape")
    assert badges.count() > 0
    if "display.Table" not in path.read_text():
        pictures = page.locator("[data-mime-type='image/svg+xml'], .jp-OutputArea-output svg")
        assert pictures.count() > 0
    page.locator(".jp-WindowedPanel-outer").evaluate("panel => panel.scrollTo(0, 0)")
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{path.stem}-{theme.split()[-1].lower()}.png")
    page.close()


def expected_errors(path):
    cells = nbformat.read(path, as_version=4).cells
    return sum("raises-exception" in cell.metadata.get("tags", []) for cell in cells)
