"""The kernel under test: GOANVIL_BIN, installed into a data folder of its own."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
QUIZZES = NOTEBOOKS[:4]  # their last cells ask the reader; those of the other notebooks count the claims that hold
PATIENCE = 900  # seconds after which something counts as hung

_home = tempfile.TemporaryDirectory(prefix="goanvil-e2e-")
for variable, folder in {
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "IPYTHONDIR": "ipython",
}.items():
    path = pathlib.Path(_home.name, folder)
    path.mkdir()
    os.environ[variable] = str(path)

_settings = pathlib.Path(_home.name, "config", "labconfig", "default_setting_overrides.json")
_settings.parent.mkdir()
_settings.write_text(json.dumps({
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},  # cells out of view keep their elements
}))


def pytest_sessionstart(session):
    subprocess.run([os.environ["GOANVIL_BIN"], "install", "--user"], check=True)


def pytest_sessionfinish(session):
    _home.cleanup()


def last_words(path):
    """A text that the notebook's last cell shows after all cells have run."""
    return "none answered yet; 5 to go" if path in QUIZZES else "ok 11/11"


@pytest.fixture(scope="session")
def lab_folder(tmp_path_factory):
    """The folder that JupyterLab shows, with copies of the example notebooks."""
    folder = tmp_path_factory.mktemp("lab")
    for path in NOTEBOOKS:
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="session")
def lab(lab_folder):
    """The address of a JupyterLab."""
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0",
         "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True",
         "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={lab_folder}"],
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


@pytest.fixture(scope="session")
def browser():
    from browser import BROWSER, FLAGS
    from playwright.sync_api import sync_playwright

    assert BROWSER, "no Chromium: install the package chromium"
    with sync_playwright() as p:
        b = p.chromium.launch(executable_path=BROWSER, args=FLAGS, timeout=PATIENCE * 1000)
        yield b
        b.close()
