"""A browser with JupyterLab, for the tests of what a person sees."""

import os
import pathlib
import shutil

from conftest import PATIENCE, ROOT

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


def open_notebook(browser, lab, notebook):
    """The page of a notebook in JupyterLab, with its kernel ready."""
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
        }"""
    )
    return page


def photographed(page, name):
    """Yields each theme once the page shows it, and then takes a picture of the top of the notebook."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    for theme in ["Light", "Dark"]:
        set_theme(page, theme)
        yield theme
        page.locator(".jp-WindowedPanel-outer").evaluate("panel => panel.scrollTo(0, 0)")
        page.screenshot(path=SHOTS / f"{name}-{theme.lower()}.png")


# Returns the texts in HTML outputs whose contrast with their background is less than 4.5 to 1, the minimum of
# WCAG 2 at level AA.
HARD_TO_READ = """() => {
    const parse = css => (css.match(/[\\d.]+/g) ?? []).map(Number);
    const over = ([r, g, b, a = 1], under) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a));
    const behind = element => {
        const own = parse(getComputedStyle(element).backgroundColor);
        if (own.length === 3 || own[3] === 1 || !element.parentElement)
            return own.length ? own.slice(0, 3) : [255, 255, 255];
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
    page.wait_for_selector("#jupyterlab-splash", state="detached")  # the splash covers the page while the theme loads
