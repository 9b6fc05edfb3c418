"""What the documentation shows runs as it stands there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="the sources are not here")


def blocks(document: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / document).read_text("utf-8"), re.DOTALL)


def run(*arguments: str, directory: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "COORDINATION_URL": f"sqlite:///{directory}/work.db",
        "MUTIRAO_STATE_DIR": str(directory / "state"),
    }
    return subprocess.run(
        [sys.executable, *arguments], cwd=directory, env=environment, capture_output=True, text=True, check=False
    )


FILL = """
import asyncio
from app import create_app
from domain.work import Task
async def fill():
    async with create_app() as app:
        await app.store.tasks.add([Task("url 1", "https://x.example/1"), Task("url 2", "http://x.example/2")])
asyncio.run(fill())
"""


@pytest.mark.parametrize("readme", ["README.md", "README.pt-BR.md"])
def test_the_readmes_examples_run(readme: str, tmp_path: Path) -> None:
    handler, library, swapping = blocks(readme)
    (tmp_path / "jobs.py").write_text(handler)
    assert run("-c", FILL, directory=tmp_path).returncode == 0
    worked = run("-c", library, directory=tmp_path)
    assert worked.returncode == 0, worked.stderr
    assert "Traceback" not in worked.stderr, worked.stderr
    assert worked.stdout.split()[-1] == "https://x.example/1"
    run("-m", "app", "dlq", "redrive", "--all", directory=tmp_path)
    drained = run("-m", "app", "worker", "--handler", "jobs:process_video", "--drain", directory=tmp_path)
    assert drained.returncode == 0, drained.stderr
    assert drained.stdout.split()[-1] == "http://x.example/2"
    assert run("-c", swapping, directory=tmp_path).returncode == 0


def test_the_adapter_of_the_how_to_keeps_its_contract(tmp_path: Path) -> None:
    *files, use = blocks("docs/writing-an-adapter.md")
    for code in files:
        name = re.match(r"# (\S+\.py)\n", code)
        assert name, "a file of the how-to begins with its name"
        (tmp_path / name[1]).write_text(code)
    tested = run("-m", "pytest", "-q", "-p", "no:cacheprovider", directory=tmp_path)
    assert tested.returncode == 0, tested.stdout
    assert "9 passed" in tested.stdout
    used = run("-c", use, directory=tmp_path)
    assert used.returncode == 0, used.stderr


def test_the_emulators_examples_run(tmp_path: Path) -> None:
    pointing, testing = blocks("docs/sheets-emulator.md")
    ran = run("-c", testing, directory=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split()[0] == "1", "one write"
    (tmp_path / "tabs.json").write_text(json.dumps({"Tasks": [["ID"], ["=1+1"]]}))
    command = [sys.executable, "-m", "app", "sheets-emulator", "--port", "0", "--seed-from", "tabs.json"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        described = "".join(iter(server.stdout.readline, "}\n")) + "}"
        pointed = pointing.replace("http://127.0.0.1:8089", json.loads(described)["url"])
        ran = run("-c", pointed + "\nprint(book.worksheet('Tasks').get_all_values())", directory=tmp_path)
        server.terminate()
    assert ran.stdout.strip() == "[['ID'], ['2']]", ran.stderr
