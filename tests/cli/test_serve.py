"""`likewise serve` before it serves: its options, what it refuses, and the index of the user."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from likewise.index.index import Index
from tests.cli.conftest import Run

TOKEN = "a-token-of-some-length"
SERVERS = ("fastapi", "starlette", "pydantic", "uvicorn", "prometheus_client", "numpy")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    with Index.create(tmp_path / "some.db") as index:
        index.add(["the cat sat on the mat"], ["cat"])
    return tmp_path / "some.db"


Serve = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a server in a folder of the test's own."""
    made: list[subprocess.Popen[str]] = []

    def start(*arguments: object, **environment: str) -> subprocess.Popen[str]:
        made.append(
            subprocess.Popen(
                [sys.executable, "-m", "likewise", "serve", "--port", "0", *map(str, arguments)],
                cwd=tmp_path, stderr=subprocess.PIPE, text=True,
                env={**os.environ, **environment},
            )
        )  # fmt: skip
        return made[-1]

    yield start
    for one in made:
        one.kill()
        one.communicate()


def first_lines(server: subprocess.Popen[str], count: int) -> list[str]:
    assert server.stderr is not None
    return [server.stderr.readline() for _ in range(count)]


def test_help_loads_nothing_of_the_server() -> None:
    code = (
        "import sys\n"
        "from likewise.cli.main import run\n"
        "try:\n    run(['serve', '--help'])\n"
        "finally:\n"
        f"    print([name for name in {SERVERS!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "--token-file" in done.stdout
    assert done.stderr.splitlines()[-1] == "[]"


def test_what_is_not_installed_is_named(db: Path) -> None:
    code = (
        "import sys\n"
        "sys.modules['uvicorn'] = None\n"
        "from likewise.cli.main import run\n"
        f"sys.exit(run(['serve', '--index', {str(db)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "the server requires uvicorn, which is not installed" in done.stderr
    assert "hint: pip install 'likewise[server]'" in done.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--port", 65536], "port is 65536; it must be from 0 to 65,535"),
        (["--port", "x"], "'x' is not a whole number"),
        (["--workers", 0], "workers is 0"),
        (["--workers", 1000], "workers is 1000"),
        (["--timeout", 0], "timeout is 0; it must be from 0.1 to 3,600"),
        (["--timeout", "nan"], "timeout is nan"),
        (["--grace", -1], "grace is -1"),
        (["--max-request", "12"], "max-request is 12"),
        (["--max-request", "many"], "'many' is not a size such as 256MB"),
        (["--max-documents", 0], "max-documents is 0"),
        (["--at-once", 0], "at-once is 0"),
        (["--host", "no.such.host.invalid"], "cannot listen on 'no.such.host.invalid'"),
        (["--host", ""], "cannot listen on ''"),
        (["--token-file", "none"], "none: cannot be read"),
        (["--index", "none.db"], "none.db: no such index"),
        (["--index", "elsewhere/some.db"], "two indexes are called 'some'"),
        (["--folder", "none"], "none: not a folder"),
        (["--rate", -1], "rate is -1; it must be from 0 to 1,000,000"),
        (["--rate", "nan"], "rate is nan"),
        (["--rate", "often"], "'often' is not a number"),
        (["elsewhere"], "unrecognized arguments: elsewhere"),
    ],
)
def test_bad_options_are_reported(run: Run, db: Path, options: list[object], told: str) -> None:
    result = run("serve", "--port", 0, "--index", db, *options)
    assert result.status == 2
    assert told in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_others_are_not_served_without_a_token(run: Run, db: Path, host: str) -> None:
    result = run("serve", "--index", db, "--port", 0, "--host", host)
    assert result.status == 2
    assert f"connections from other machines ({host})" in result.err
    assert "hint: use --token-file FILE or set LIKEWISE_TOKEN, or listen on 127.0.0.1" in result.err


def test_others_are_served_with_a_token_from_the_environment(serve: Serve, db: Path) -> None:
    server = serve("--index", db, "--host", "0.0.0.0", LIKEWISE_TOKEN=TOKEN)
    (line,) = first_lines(server, 1)
    assert line.startswith("likewise: listening on http://0.0.0.0:")
    assert line.endswith(f"({db}, 1 document; token required)\n")


@pytest.mark.parametrize("token", ["", "short", "two words of some length", "ümläute sind schön"])
def test_a_bad_token_is_refused(run: Run, db: Path, tmp_path: Path, token: str) -> None:
    (tmp_path / "token").write_text(token, encoding="utf-8")
    result = run("serve", "--index", db, "--port", 0, "--token-file", "token")
    assert result.status == 2
    assert "token: a token must have at least 16" in result.err or "not ASCII" in result.err
    assert not token or token not in result.err


def test_an_empty_token_in_the_environment_is_none_that_protects(serve: Serve, db: Path) -> None:
    server = serve("--index", db, LIKEWISE_TOKEN="")
    _, said = server.communicate(timeout=60)
    assert server.returncode == 2
    assert "LIKEWISE_TOKEN: a token must have" in said


def test_a_token_that_others_can_read_is_reported(serve: Serve, db: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "token").chmod(0o644)
    told, listening = first_lines(serve("--index", db, "--token-file", "token"), 2)
    assert told == "likewise: token: other users can read this file (use chmod 600)\n"
    assert "token required" in listening


@pytest.mark.parametrize("workers", [1, 2])
def test_a_port_that_is_taken_is_reported(run: Run, db: Path, serve: Serve, workers: int) -> None:
    (line,) = first_lines(serve("--index", db, "--workers", 2), 1)
    port = line.split(":")[3].split(" ")[0]
    result = run("serve", "--index", db, "--port", port, "--workers", workers)
    assert result.status == 2
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in result.err
    assert "hint: use another --port, or --port 0" in result.err


def test_the_other_loopback_is_served_too(serve: Serve, db: Path) -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    (line,) = first_lines(serve("--index", db, "--host", "::1"), 1)
    if "cannot listen" in line:
        pytest.skip("this machine has no IPv6 loopback")
    assert line.startswith("likewise: listening on http://[::1]:")


def test_the_user_has_an_index_that_is_made_when_it_is_first_served(
    serve: Serve, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    path = data / "likewise" / "index.db"
    made, listening = first_lines(serve(XDG_DATA_HOME=str(data)), 2)
    assert made == f"likewise: {path}: new index created\n"
    assert listening.endswith(f"({path}, 0 documents)\n")
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with Index(path) as index:
        index.add(["a text"], ["one"])
    (listening,) = first_lines(serve(XDG_DATA_HOME=str(data)), 1)
    assert listening.endswith(f"({path}, 1 document)\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_can_be_stopped_as_soon_as_it_begins(serve: Serve, db: Path, number: int) -> None:
    server = serve("--index", db)
    first_lines(server, 1)
    server.send_signal(number)
    _, said = server.communicate(timeout=60)
    assert server.returncode == 0
    assert said == ""


def test_a_folder_is_served_and_gets_an_index_if_it_has_none(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "courses"
    folder.mkdir()
    made, listening = first_lines(serve("--folder", "courses"), 2)
    assert made == f"likewise: {folder / 'index.db'}: new index created\n"
    assert listening.endswith(f"({folder / 'index.db'}, 0 documents)\n")
    for name in "ab":
        Index.create(folder / f"{name}.db").close()
    (listening,) = first_lines(serve("--folder", "courses"), 1)
    assert listening.endswith("(3 collections: index, a, b)\n")
    (folder / "index.db").unlink()
    (listening,) = first_lines(serve("--folder", "courses"), 1)
    assert listening.endswith("(2 collections: a, b)\n")


def test_several_indexes_are_served_and_all_must_be_there(
    run: Run, serve: Serve, db: Path, tmp_path: Path
) -> None:
    Index.create(tmp_path / "other.db").close()
    (listening,) = first_lines(serve("--index", db, "--index", "other.db"), 1)
    assert listening.endswith("(2 collections: some, other)\n")
    result = run("serve", "--port", 0, "--index", db, "--index", tmp_path / "none.db")
    assert result.status == 2
    assert "none.db: no such index" in result.err


def test_what_cannot_be_shared_with_readers(
    run: Run, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run("serve", "--port", 0, "--index", db, "--share", "some")
    assert result.status == 2
    assert "--share needs readers, and there is no token for them" in result.err
    monkeypatch.setenv("LIKEWISE_READER_TOKEN", TOKEN)
    result = run("serve", "--port", 0, "--index", db, "--share", "other")
    assert result.status == 2
    assert "--share 'other': there is no collection of that name" in result.err
    assert "hint: its collections are: some" in result.err


def test_readers_have_a_token_of_their_own(serve: Serve, db: Path, tmp_path: Path) -> None:
    (tmp_path / "readers").write_text("a-token-for-readers")
    (tmp_path / "readers").chmod(0o600)
    both = serve("--index", db, "--reader-token-file", "readers", LIKEWISE_TOKEN=TOKEN)
    assert first_lines(both, 1)[0].endswith("; token required, another for readers)\n")
    alone = serve("--index", db, "--host", "0.0.0.0", LIKEWISE_READER_TOKEN="a-token-for-readers")
    assert first_lines(alone, 1)[0].endswith("; token required, read only)\n")


def test_the_two_tokens_must_differ(serve: Serve, db: Path) -> None:
    server = serve("--index", db, LIKEWISE_TOKEN=TOKEN, LIKEWISE_READER_TOKEN=TOKEN)
    _, said = server.communicate(timeout=60)
    assert server.returncode == 2
    assert "reviewers and readers have the same token" in said
    assert TOKEN not in said
