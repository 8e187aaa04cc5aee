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
from conftest import NOTEBOOKS, PATIENCE, ROOT
from playwright.sync_api import expect, sync_playwright

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
        b = p.chromium.launch(executable_path=BROWSER, args=FLAGS, timeout=PATIENCE * 1000)
        yield b
        b.close()


def run_all(browser, lab, notebook):
    """The page of the notebook after all its cells ran in JupyterLab."""
    page = browser.new_page(viewport={"width": 1000, "height": 1500})
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{lab}/tree/{notebook}?reset")
    page.wait_for_function("window.jupyterapp !== undefined")
    page.wait_for_selector(".jp-NotebookPanel")
    page.evaluate(
        """async () => {
            jupyterapp.shell.collapseLeft();
            const panel = jupyterapp.shell.currentWidget;
            await panel.context.ready;
            await panel.sessionContext.ready;
            jupyterapp.commands.execute('notebook:run-all-cells'); // which ends with the last cell
        }"""
    )
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
    SHOTS.mkdir(parents=True, exist_ok=True)
    for theme in ["Light", "Dark"]:
        set_theme(page, theme)
        hard = page.evaluate(HARD_TO_READ)
        assert not hard, f"{theme}: hard to read: {hard[:5]}"
        page.locator(".jp-WindowedPanel-outer").evaluate("panel => panel.scrollTo(0, 0)")
        page.screenshot(path=SHOTS / f"{path.stem}-{theme.lower()}.png")
    page.close()


# The words in HTML outputs whose contrast to what is behind them is under 4.5
# to 1, which is what WCAG asks of text.
HARD_TO_READ = """() => {
    const parse = css => (css.match(/[\\d.]+/g) ?? []).map(Number);
    const over = ([r, g, b, a = 1], under) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a));
    const behind = element => {
        const own = parse(getComputedStyle(element).backgroundColor);
        if (own.length === 3 || own[3] === 1 || !element.parentElement) return own.length ? own.slice(0, 3) : [255, 255, 255];
        return over(own, behind(element.parentElement));
    };
    const luminance = colour => {
        const [r, g, b] = colour.map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const hard = [];
    for (const output of document.querySelectorAll("[data-mime-type='text/html']")) {
        const texts = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
        for (let text; text = texts.nextNode();) {
            const element = text.parentElement;
            if (!text.data.trim() || element.closest("svg, style")) continue;
            const ground = behind(element), ink = over(parse(getComputedStyle(element).color), ground);
            const [dark, light] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
            const contrast = (light + 0.05) / (dark + 0.05);
            if (contrast < 4.5) hard.push(`${text.data.trim()} (${contrast.toFixed(1)})`);
        }
    }
    return hard;
}"""


def set_theme(page, theme):
    page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", f"JupyterLab {theme}")
    page.wait_for_selector(f"body[data-jp-theme-name='JupyterLab {theme}']", state="attached")


def expected_errors(path):
    cells = nbformat.read(path, as_version=4).cells
    return sum("raises-exception" in cell.metadata.get("tags", []) for cell in cells)
