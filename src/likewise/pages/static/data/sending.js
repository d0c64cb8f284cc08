// One file on its way to the server, and the answers line by line. fetch cannot report how much has
// been sent, so this is the older way.

import { PlainError } from "../parts/notice.js";

export function sendFile(address, headers, file, onProgress, onLine) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let read = 0;
    let last = null;
    const readLines = (all) => {
      const text = request.responseText;
      const end = all ? text.length : text.lastIndexOf("\n") + 1;
      for (const line of text.slice(read, end).split("\n").filter(Boolean)) {
        last = parsedLine(line);
        if (last !== null && !last.done && !last.error) onLine(last);
      }
      read = end;
    };
    request.open("POST", address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => onProgress(event.loaded, event.total));
    request.addEventListener("progress", () => {
      if (request.status === 200) readLines(false);
    });
    request.addEventListener("load", () => {
      if (request.status !== 200) {
        reject(refusal(request));
        return;
      }
      readLines(true);
      if (last?.done) resolve(last);
      else reject(last?.error ? new PlainError(last.error.message, last.error.hint ?? null) : new PlainError("The connection was interrupted.", "Documents listed as added are stored; send the file again to add the rest."));
    });
    request.addEventListener("error", () => reject(new PlainError("The server is not responding.", "Check that it is running, then send the file again.")));
    request.send(file);
  });
}

function parsedLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function refusal(request) {
  const problem = parsedLine(request.responseText)?.error;
  const wait = Number(request.getResponseHeader("Retry-After")) || null;
  const error = new PlainError(problem?.message ?? (request.status === 413 ? "The file is larger than the server accepts." : `The server answered ${request.status}.`), problem?.hint ?? null, request.status);
  error.wait = wait;
  return error;
}
