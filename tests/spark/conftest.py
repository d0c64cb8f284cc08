"""A Spark session for all tests, and a small cluster on the loopback interface."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Nothing may listen on, or look for, another interface.
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_HOSTNAME"] = "localhost"

# Small tables: what compiles and plans for large ones only takes time. The cluster runs as it is.
OPTIONS = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.ui.enabled": "false",
    # What was run is remembered for pages that nobody looks at, and plans are large.
    "spark.ui.retainedJobs": "1",
    "spark.ui.retainedStages": "1",
    "spark.ui.retainedTasks": "1",
    "spark.sql.ui.retainedExecutions": "1",
    "spark.ui.showConsoleProgress": "false",
}


def need_spark() -> None:
    """Skips, or in CI fails, where Spark cannot run."""
    missing = None
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing = "Java is not installed"
    try:
        import pyspark  # noqa: F401
    except ModuleNotFoundError:
        missing = "pyspark is not installed"
    if missing is None:
        return
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    need_spark()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("tests")
    for name, value in OPTIONS.items():
        builder = builder.config(name, value)
    folder = tmp_path_factory.mktemp("spark")
    builder = builder.config("spark.local.dir", str(folder))
    session = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse")).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


class Cluster:
    """One master and two workers, each a process group of its own."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self._home = Path(pyspark.__path__[0])
        self._folder = folder
        self._port, self._web = _free_port(), _free_port()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self.url = f"spark://127.0.0.1:{self._port}"
        self._start(
            "master", "master.Master", "--host", "127.0.0.1", "--port", str(self._port),
            "--webui-port", str(self._web),
        )  # fmt: skip
        self.workers = ["worker-1", "worker-2"]
        for name in self.workers:
            self._start_worker(name)
        self._wait()

    def _start_worker(self, name: str) -> None:
        self._start(
            name, "worker.Worker", self.url, "--host", "127.0.0.1", "--cores", "1",
            "--memory", "700m", "--work-dir", str(self._folder / name),
        )  # fmt: skip

    def replace_worker(self) -> None:
        """Kills the worker that is there longest, and starts another."""
        self.kill(self.workers.pop(0))
        last = self.workers[-1]
        self.workers.append(f"worker-{int(last.split('-')[1]) + 1}")
        self._start_worker(self.workers[-1])

    def _start(self, name: str, program: str, *arguments: str) -> None:
        environment = os.environ | {
            "SPARK_HOME": str(self._home),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_LOCAL_DIRS": str(self._folder / f"{name}-scratch"),
            "SPARK_NO_DAEMONIZE": "1",
        }
        with (self._folder / f"{name}.log").open("wb") as log:
            self._processes[name] = subprocess.Popen(
                [self._home / "bin" / "spark-class", f"org.apache.spark.deploy.{program}",
                 *arguments],
                stdout=log, stderr=log, env=environment, cwd=self._folder, start_new_session=True,
            )  # fmt: skip

    def _wait(self) -> None:
        """Until the master knows both workers."""
        page = f"http://127.0.0.1:{self._web}/json/"
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(page, timeout=5) as answer:
                    if answer.read().count(b'"ALIVE"') >= 1 + len(self.workers):
                        return
            except OSError:
                pass
            assert all(process.poll() is None for process in self._processes.values())
            time.sleep(0.2)
        pytest.fail("the cluster did not start")

    def kill(self, name: str) -> None:
        """Kills a process with all that it has started, without a chance to say good-bye."""
        process = self._processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)

    def stop(self) -> None:
        for name in list(self._processes):
            self.kill(name)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    need_spark()
    made = Cluster(tmp_path)
    yield made
    made.stop()
