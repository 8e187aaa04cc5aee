"""The kernel under test: GOANVIL_BIN, installed into a data folder of its own."""

import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PATIENCE = 900  # seconds until something counts as hung; no test waits for time to pass

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
