"""Transfer: fetches one file from one http(s) address. It resumes after a break and never stores more than announced.

`requests` speaks HTTP. Everything here is what a general downloader does not do: resume with a Range, limit the size,
refuse redirects to other schemes, give up on slow servers, and check the digest before the file gets its name. This
module knows nothing of releases or caches.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from hansproof.generators.errors import DownloadError
from hansproof.generators.input import within
from hansproof.release.checksums import digest_of

if TYPE_CHECKING:
    import requests

__all__ = ["Patience", "fetch", "shown"]

_BLOCK = 1 << 16
_REDIRECTS = 5
_TRANSIENT = (408, 425, 429, 500, 502, 503, 504)  # HTTP statuses worth another try


@dataclass(frozen=True)
class Patience:
    """How long and how often to try. All times are in seconds."""

    tries: int = 5
    """Tries per address."""
    connect: float = 10.0
    """Longest wait for a connection."""
    silence: float = 30.0
    """Longest pause within one answer, and longest wait for all of its headers after the connection."""
    slowest: float = 2000.0
    """Bytes per second. A slower answer is given up after `silence`; the next try resumes it."""
    first_wait: float = 0.5
    """Wait before the second try; doubled each time."""
    longest_wait: float = 20.0
    """Longest wait between two tries, whatever the server asks for."""
    sleep: Callable[[float], None] = time.sleep


class _TryError(Exception):
    """One try failed; `again` says whether another try at this address can help."""

    def __init__(self, reason: str, again: bool, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.again = again
        self.wait = wait


@dataclass(frozen=True)
class _Part:
    """The bytes of a file that have arrived so far."""

    path: Path
    size: int
    """Bytes of the whole file."""

    def have(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def drop(self) -> None:
        self.path.unlink(missing_ok=True)


def fetch(url: str, path: Path, size: int, sha256: str, work: Path, patience: Patience | None = None) -> None:
    """Put the file at `url` at `path`, in one step, once its size and SHA-256 are right.

    What arrived before a break stays in the folder `work` (on the same disk), and the next try or the next run resumes
    from there. The caller holds a lock: only one process at a time may use a `work` folder.
    Raises DownloadError after `patience.tries` tries, or at once if another try cannot help.
    """
    patience = patience or Patience()
    part = _Part(work / f"{sha256}.part", size)
    wait = patience.first_wait
    for left in range(patience.tries - 1, -1, -1):
        try:
            _try(url, part, sha256, patience)
            part.path.replace(path)
            return
        except _TryError as failure:
            if not (failure.again and left):
                raise DownloadError(str(failure), shown(url)) from failure
            patience.sleep(min(max(wait, failure.wait), patience.longest_wait))
            wait *= 2
        except OSError as error:
            raise DownloadError(f"cannot be written: {error.strerror or error}", str(path)) from error


def shown(url: str) -> str:
    """The address without any user name and password in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _try(url: str, part: _Part, sha256: str, patience: Patience) -> None:
    """Bring `part` to its full size and check it; what is wrong is dropped."""
    if part.have() > part.size:
        part.drop()
    resumed = part.have() > 0
    if part.have() < part.size or not part.size:
        resumed = _request(url, part, patience)
    if part.have() != part.size:
        raise _TryError(f"broke off after {part.have()} of {part.size} bytes", again=True)
    if digest_of(part.path) != sha256:
        part.drop()
        dropped = " (dropped the part that an earlier try left)" if resumed else ""
        reason = f"is not the file of this release: its SHA-256 differs{dropped}; try another address with --from"
        raise _TryError(reason, again=resumed)


def _request(url: str, part: _Part, patience: Patience) -> bool:
    """Send one request and append its answer to `part`; whether that resumed an earlier part."""
    import requests
    from urllib3.exceptions import HTTPError

    # A compressed answer has other sizes and offsets than the file.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={part.have()}-"} if part.have() else {})
    try:
        with (
            requests.Session() as session,
            # The answer once all of its headers are there, however slowly each byte of them comes.
            within(patience.connect + patience.silence, lambda: _open(session, url, headers, patience)) as answer,
        ):
            resumed = _check(answer, part)
            _receive(answer, part, patience)
            return resumed
    except requests.exceptions.InvalidURL as error:
        raise _TryError("is not a valid address, or redirects to one that is not", again=False) from error
    except (requests.exceptions.Timeout, TimeoutError) as error:
        raise _TryError(f"no answer within {patience.silence:g} s", again=True) from error
    except (requests.exceptions.RequestException, HTTPError) as error:
        reason = f"broke off after {part.have()} of {part.size} bytes" if part.have() else "the connection failed"
        raise _TryError(f"{reason} ({type(error).__name__})", again=True) from error


def _open(session: requests.Session, url: str, headers: dict[str, str], patience: Patience) -> requests.Response:
    """The answer at the end of at most five redirects, all of them to http or https."""
    import requests

    for _ in range(_REDIRECTS + 1):
        # Not `session.get`: even without following a redirect, it first reads the whole of its body.
        request = session.prepare_request(requests.Request("GET", url, headers))
        settings: dict[str, Any] = {**session.merge_environment_settings(request.url, {}, True, None, None)}
        limits = (patience.connect, patience.silence)
        answer = session.get_adapter(url).send(request, timeout=limits, **settings)
        if not answer.is_redirect:
            return answer
        answer.close()
        try:
            url = urljoin(url, answer.headers["location"])
            scheme = urlsplit(url).scheme
        except ValueError as error:
            raise requests.exceptions.InvalidURL from error
        if scheme not in ("http", "https"):
            raise _TryError("redirects to an address that is not http or https", again=False)
    raise _TryError(f"redirects more than {_REDIRECTS} times", again=False)


def _check(answer: requests.Response, part: _Part) -> bool:
    """Whether the answer continues `part`. Drops the part if the answer is the whole file; refuses anything else."""
    status, have = answer.status_code, part.have()
    if status == 416 or (status == 206 and not answer.headers.get("Content-Range", "").startswith(f"bytes {have}-")):
        part.drop()
        raise _TryError(f"did not send the range that was requested (HTTP {status})", again=have > 0)
    if status not in (200, 206):
        reason = f"HTTP {status} {answer.reason or ''}".strip()
        raise _TryError(reason, again=status in _TRANSIENT, wait=_number(answer, "Retry-After"))
    if status == 200:
        part.drop()
    if part.have() + _number(answer, "Content-Length") > part.size:
        raise _TryError(f"is larger than the {part.size} bytes of this file", again=False)
    return part.have() > 0


def _number(answer: requests.Response, header: str) -> float:
    """A header that is a plain number; 0 if it is absent or anything else."""
    value = answer.headers.get(header, "")
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _receive(answer: requests.Response, part: _Part, patience: Patience) -> None:
    """Append the body to `part`, reading at most one byte more than the file has."""
    end = time.monotonic() + patience.silence + part.size / patience.slowest
    have = part.have()

    def block_of(size: int) -> bytes:
        # read1, because read waits for a full block. The socket itself gives up on silence; the deadline is for what
        # frames a block and may drip, too.
        try:
            return within(2 * patience.silence, lambda: answer.raw.read1(size, decode_content=True))
        except TimeoutError:
            answer.raw.shutdown()  # closing alone would wait for the reader that was given up
            raise

    with part.path.open("ab") as file:
        while block := block_of(min(_BLOCK, part.size - have + 1)):
            have += len(block)
            if have > part.size:
                file.close()  # Windows removes no open file
                part.drop()
                raise _TryError(f"is larger than the {part.size} bytes of this file", again=False)
            file.write(block)
            if have < part.size and time.monotonic() > end:
                raise _TryError(f"too slow: {have} of {part.size} bytes arrived", again=True)
