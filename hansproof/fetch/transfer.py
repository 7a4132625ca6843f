"""Transfer: one file from one address into one place, resumed where it broke off, never larger than announced.

`pooch` names, checks and moves the file; what pooch cannot do (go on after a break, a limit to the size, no redirect
to anything but http) is in `Resuming`, the downloader that it is given. Nothing here knows releases or caches.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from generators.errors import DownloadError

if TYPE_CHECKING:
    import requests

__all__ = ["Patience", "fetch", "shown"]

_BLOCK = 1 << 16
_REDIRECTS = 5
_AGAIN = (408, 425, 429, 500, 502, 503, 504)  # states of a server that may be over in a moment


@dataclass(frozen=True)
class Patience:
    """How long and how often to try; all times in seconds."""

    tries: int = 5
    """Per address."""
    connect: float = 10.0
    silence: float = 30.0
    """The longest pause between two pieces of one answer."""
    slowest: float = 2000.0
    """Bytes per second below which, after `silence`, a try is given up; the next one goes on where it stopped."""
    first_wait: float = 0.5
    """Before the second try; doubled each time."""
    longest_wait: float = 20.0
    sleep: Callable[[float], None] = time.sleep


class _TryError(Exception):
    """One try went wrong; `again` tells whether another one at the same address can help."""

    def __init__(self, reason: str, again: bool, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.again = again
        self.wait = wait


def fetch(url: str, path: Path, size: int, sha256: str, work: Path, patience: Patience | None = None) -> None:
    """Put the file at `url` to `path`, in one step and only once its size and SHA-256 are right.

    What has arrived before a break stays in the folder `work` (on the same disk), so that the next try, or the next
    run, goes on from there. Only one process at a time may use a `work` folder (the caller holds a lock).
    Raises DownloadError after `patience.tries` tries, or at once where another try cannot help.
    """
    patience = patience or Patience()
    wait = patience.first_wait
    for left in range(patience.tries - 1, -1, -1):
        try:
            _try(url, path, size, sha256, work, patience)
            return
        except _TryError as failure:
            if not (failure.again and left):
                raise DownloadError(f"{shown(url)}: {failure}") from failure
            patience.sleep(min(max(wait, failure.wait), patience.longest_wait))
            wait *= 2


def shown(url: str) -> str:
    """The address without the user name and password that may stand in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _try(url: str, path: Path, size: int, sha256: str, work: Path, patience: Patience) -> None:
    import pooch  # type: ignore[import-untyped]

    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel(logging.WARNING)  # it would print the address, password and all
    resuming = Resuming(work / f"{sha256}.part", size, patience)
    try:
        # Not straight to `path`: a process that is killed leaves pooch's own temporary files where it worked.
        pooch.retrieve(url, known_hash=f"sha256:{sha256}", fname=sha256, path=work, downloader=resuming)
        (work / sha256).replace(path)
    except ValueError as error:
        # pooch's word for a wrong digest; its message has both digests, ours what to do.
        old = " (the part that an earlier try left was dropped)" if resuming.resumed else ""
        reason = f"is not the file of this release: its SHA-256 differs{old}; try another address with --from"
        raise _TryError(reason, again=resuming.resumed) from error
    except OSError as error:
        raise DownloadError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        logger.setLevel(level)


def _session() -> requests.Session:
    """A session that follows no redirect by itself: requests would read the whole of its text first."""
    import requests

    class Session(requests.Session):
        def get_redirect_target(self, resp: requests.Response) -> str | None:
            return None

    return Session()


class Resuming:
    """A downloader for pooch: `downloader(url, output_file, pooch)`."""

    def __init__(self, part: Path, size: int, patience: Patience) -> None:
        self.part = part
        self.size = size
        self.patience = patience
        self.resumed = False

    def __call__(self, url: str, output_file: Any, pooch: object = None) -> None:
        """Bring `part` to its full size and move it to `output_file`. Raises _TryError."""
        if self._have() > self.size:
            self.part.unlink()
        self.resumed = self._have() > 0
        if self._have() < self.size or not self.size:
            self._request(url)
        if self._have() != self.size:
            raise _TryError(f"broke off after {self._have()} of {self.size} bytes", again=True)
        self.part.replace(output_file)

    def _have(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _request(self, url: str) -> None:
        import requests
        from urllib3.exceptions import HTTPError

        # Compressed answers have other sizes and offsets than the file.
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={self._have()}-"} if self.resumed else {})
        try:
            with _session() as session, self._open(session, url, headers) as answer:
                self._check(answer)
                self._receive(answer)
        except requests.exceptions.InvalidURL as error:
            raise _TryError("is or leads to an address that is none", again=False) from error
        except (requests.exceptions.Timeout, TimeoutError) as error:
            raise _TryError(f"no answer within {self.patience.silence:g} s", again=True) from error
        except (requests.exceptions.RequestException, HTTPError) as error:
            have = self._have()
            reason = f"broke off after {have} of {self.size} bytes" if have else "the connection failed"
            raise _TryError(f"{reason} ({type(error).__name__})", again=True) from error

    def _open(self, session: requests.Session, url: str, headers: dict[str, str]) -> requests.Response:
        """The answer at the end of at most five redirects, each of them to http or https."""
        limits = (self.patience.connect, self.patience.silence)
        for _ in range(_REDIRECTS + 1):
            answer = session.get(url, headers=headers, stream=True, timeout=limits)
            if not answer.is_redirect:
                return answer
            answer.close()  # unread: what stands in a redirect is nobody's file, and may be endless
            url = urljoin(url, answer.headers["location"])
            if urlsplit(url).scheme not in ("http", "https"):
                raise _TryError("leads to an address that is not http or https", again=False)
        raise _TryError(f"redirects more than {_REDIRECTS} times", again=False)

    def _check(self, answer: Any) -> None:
        """Whether the answer is (the rest of) the file; forgets the part where the server starts from the beginning."""
        status = answer.status_code
        if status == 416:
            self.part.unlink(missing_ok=True)
            raise _TryError("does not have the rest of the file (HTTP 416)", again=self.resumed)
        if status not in (200, 206):
            wait = answer.headers.get("Retry-After", "")
            seconds = float(wait) if wait.isascii() and wait.isdigit() else 0.0
            raise _TryError(f"HTTP {status} {answer.reason or ''}".strip(), again=status in _AGAIN, wait=seconds)
        if status == 206 and not answer.headers.get("Content-Range", "").startswith(f"bytes {self._have()}-"):
            self.part.unlink(missing_ok=True)
            raise _TryError("answered with another part of the file than asked for", again=self.resumed)
        if status == 200:
            self.part.unlink(missing_ok=True)
            self.resumed = False
        announced = answer.headers.get("Content-Length", "")
        if (
            len(announced) < 20
            and announced.isascii()
            and announced.isdigit()
            and self._have() + int(announced) > self.size
        ):
            raise _TryError(f"is larger than the {self.size} bytes of this file", again=False)

    def _receive(self, answer: Any) -> None:
        """Append what comes, at most up to one byte more than the file has."""
        end = time.monotonic() + self.patience.silence + self.size / self.patience.slowest
        have = self._have()
        with self.part.open("ab") as file:
            # read1, not read: a server that sends a byte now and then would keep a full block waiting for ever.
            while block := answer.raw.read1(min(_BLOCK, self.size - have + 1), decode_content=True):
                have += len(block)
                if have > self.size:
                    file.close()
                    self.part.unlink()
                    raise _TryError(f"is larger than the {self.size} bytes of this file", again=False)
                file.write(block)
                if have < self.size and time.monotonic() > end:
                    raise _TryError(f"too slow: {have} of {self.size} bytes came", again=True)
