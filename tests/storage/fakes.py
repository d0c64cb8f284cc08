"""As much of Google Cloud Storage and of the Hugging Face Hub as their libraries ask for.

Neither can be had on this machine. These servers were written by what gcsfs and huggingface_hub
send, so they show that likewise and these libraries fit together, not how the services behave.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

Files = dict[str, bytes]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    files: Files
    seen: list[str]

    def log_message(self, format: str, *arguments: object) -> None:
        pass

    def send(self, status: int, data: bytes = b"", **headers: str) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def send_json(self, value: Any) -> None:
        self.send(200, json.dumps(value).encode(), Content_Type="application/json")

    def send_file(self, data: bytes, **headers: str) -> None:
        """The whole file, or the part that is asked for."""
        match = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if match is None:
            self.send(200, data, **headers)
            return
        start, stop = int(match[1]), int(match[2] or len(data) - 1) + 1
        where = f"bytes {start}-{min(stop, len(data)) - 1}/{len(data)}"
        self.send(206, data[start:stop], Content_Range=where, **headers)

    def answer(self) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self.seen.append(f"{self.command} {self.path}")
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer()

    do_POST = do_PUT = do_DELETE = do_HEAD = do_GET  # noqa: N815


class _Google(_Handler):
    def _facts(self, bucket: str, key: str) -> dict[str, Any]:
        data = self.files[f"{bucket}/{key}"]
        return {
            "kind": "storage#object", "name": key, "bucket": bucket, "size": str(len(data)),
            "generation": str(int(hashlib.md5(data).hexdigest()[:12], 16)),
            "updated": "2026-01-01T00:00:00Z", "timeCreated": "2026-01-01T00:00:00Z",
        }  # fmt: skip

    def answer(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match = re.fullmatch(
            r"(?:/upload|/download)?/storage/v1/b/([^/]+)(?:/o/?(.*))?", parts.path
        )
        assert match is not None, self.path
        bucket, key = match[1], unquote(match[2] or "")
        if self.command == "POST":
            key, data = self._uploaded(query)
            self.files[f"{bucket}/{key}"] = data
            self.send_json(self._facts(bucket, key))
        elif key and f"{bucket}/{key}" not in self.files:
            self.send(404, b'{"error": {"code": 404, "message": "not found"}}')
        elif key and self.command == "DELETE":
            del self.files[f"{bucket}/{key}"]
            self.send(204)
        elif key and (query.get("alt") == "media" or parts.path.startswith("/download")):
            self.send_file(self.files[f"{bucket}/{key}"])
        elif key:
            self.send_json(self._facts(bucket, key))
        else:
            self.send_json(self._listed(bucket, query))

    def _listed(self, bucket: str, query: dict[str, str]) -> dict[str, Any]:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
        items, prefixes = [], set()
        for path in sorted(self.files):
            own, _, key = path.partition("/")
            if own != bucket or not key.startswith(prefix):
                continue
            if delimiter and delimiter in key[len(prefix) :]:
                below = key[len(prefix) :].partition(delimiter)[0]
                prefixes.add(prefix + below + delimiter)
            else:
                items.append(self._facts(bucket, key))
        return {"kind": "storage#objects", "items": items, "prefixes": sorted(prefixes)}

    def _uploaded(self, query: dict[str, str]) -> tuple[str, bytes]:
        assert query["uploadType"] == "multipart"
        boundary = re.search(r'boundary="?([^";]+)', self.headers["Content-Type"])
        assert boundary is not None
        _, facts, content, _ = self.body.split(b"--" + boundary[1].encode(), 3)
        name = json.loads(re.split(rb"\r?\n\r?\n", facts, maxsplit=1)[1])["name"]
        data = re.split(rb"\r?\n\r?\n", content, maxsplit=1)[1]
        return name, re.sub(rb"\r?\n\Z", b"", data)


class _HuggingFace(_Handler):
    def answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        repo = "datasets/group/essays"
        if path.startswith(f"/api/{repo}/tree/main"):
            below = path.removeprefix(f"/api/{repo}/tree/main").lstrip("/")
            self.send_json([
                self._facts(name) for name in sorted(self.files)
                if not below or name.startswith(below + "/")
            ])  # fmt: skip
        elif path == f"/api/{repo}/preupload/main":
            self.send_json({"files": [
                {"path": one["path"], "uploadMode": "regular", "shouldIgnore": False}
                for one in json.loads(self.body)["files"]
            ]})  # fmt: skip
        elif path == f"/api/{repo}/commit/main":
            for line in map(json.loads, self.body.splitlines()):
                if line["key"] == "file":
                    data = base64.b64decode(line["value"]["content"])
                    self.files[line["value"]["path"]] = data
            commit = f"http://{self.headers['Host']}/{repo}/commit/{'0' * 40}"
            self.send_json({"commitUrl": commit, "commitOid": "0" * 40})
        elif path == f"/api/{repo}/paths-info/main":
            wanted = parse_qs(self.body.decode()).get("paths") or json.loads(self.body)["paths"]
            self.send_json([self._facts(name) for name in wanted if name in self.files] + [
                {"type": "directory", "path": name, "oid": "1" * 40}
                for name in wanted if any(file.startswith(name + "/") for file in self.files)
            ])  # fmt: skip
        elif path.startswith(f"/api/{repo}"):
            self.send_json({"id": "group/essays", "sha": "0" * 40, "siblings": [], "tags": []})
        elif path.startswith(f"/{repo}/resolve/main/"):
            data = self.files.get(path.removeprefix(f"/{repo}/resolve/main/"))
            if data is None:
                self.send(404, b"", X_Error_Code="EntryNotFound")
            else:
                tag = hashlib.sha1(data).hexdigest()
                self.send_file(data, ETag=f'"{tag}"', X_Repo_Commit="0" * 40)
        else:
            self.send(401, b"{}", X_Error_Code="RepoNotFound")

    def _facts(self, name: str) -> dict[str, Any]:
        data = self.files[name]
        return {
            "type": "file", "path": name, "size": len(data), "oid": hashlib.sha1(data).hexdigest(),
        }  # fmt: skip


@contextmanager
def _serve(kind: type[_Handler], files: Files, seen: list[str]) -> Iterator[str]:
    handler = type("Handler", (kind,), {"files": files, "seen": seen})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def google(files: Files, seen: list[str]) -> Any:
    """Serve objects by "bucket/key"; what is asked for is added to `seen`."""
    return _serve(_Google, files, seen)


def hugging_face(files: Files, seen: list[str]) -> Any:
    """Serve the files of the dataset group/essays."""
    return _serve(_HuggingFace, files, seen)
