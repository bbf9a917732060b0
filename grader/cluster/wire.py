"""The messages between the machines: submissions go out in batches, records come back.

A batch holds no student's name. The messages are MessagePack; a record is JSON, which is checked when it is
read.
"""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import msgpack

from grader.errors import GraderError, SubmissionError
from grader.grading.cache_key import cache_key, code_digest
from grader.grading.master import Master
from grader.grading.record import Record
from grader.grading.submissions import Submission
from grader.grading.workers import WorkerFailure
from grader.messages import Message
from grader.references import grading_digest
from grader.sandbox.job import Limits

# Digits of a digest that a refusal shows.
SHOWN = 12


@dataclass(frozen=True)
class Setup:
    """What a batch has to be graded with.

    Attributes:
        assignment: the chapter's stem.
        device: where answers run.
        limits: what a submission may use.
        parts: versions and digests of what decides a record, by what it is of; equal on all machines.
    """

    assignment: str
    device: str
    limits: Limits
    parts: Mapping[str, str] = field(hash=False)

    @classmethod
    def here(cls, master: Master, device: str, limits: Limits) -> "Setup":
        """Return the setup of this process.

        Raises:
            ReferenceDataError: the references are missing or unreadable.
        """
        import torch  # noqa: PLC0415 - slow; whoever has a master has imported it

        parts = {
            "Python": ".".join(platform.python_version_tuple()[:2]),
            "PyTorch": torch.__version__,
            "the grader": code_digest()[:SHOWN],
            "the references": grading_digest(master.chapter.stem, master.paths)[:SHOWN],
            "the master notebook": master.digest[:SHOWN],
            # Whatever else a record may ever depend on.
            "the key": cache_key(b"", master, device, limits)[:SHOWN],
        }
        return cls(master.chapter.stem, device, limits, parts)

    def differences(self, other: "Setup") -> tuple[str, ...]:
        """Return what differs in another machine's setup, a phrase for each part."""
        found = tuple(
            f"{name} is {other.parts.get(name)}, not {value}"
            for name, value in self.parts.items()
            if other.parts.get(name) != value
        )
        return found if len(found) < 2 else tuple(one for one in found if not one.startswith("the key"))


@dataclass(frozen=True)
class Sent:
    """A submission as it goes out.

    Attributes:
        submission: what was handed in.
        others: the contents of the further notebooks, as far as they could be read.
    """

    submission: Submission
    others: Mapping[str, bytes] = field(default_factory=dict)

    def read_other(self, name: str) -> bytes:
        """Return the content of a further notebook.

        Raises:
            SubmissionError: it could not be read.
        """
        if name not in self.others:
            raise SubmissionError(f"{name} could not be read.")
        return self.others[name]

    @property
    def size(self) -> int:
        """Bytes, about."""
        return len(self.submission.content) + sum(map(len, self.others.values()))


def pack_batch(setup: Setup, batch: Sequence[Sent]) -> bytes:
    """Return the message that asks for a batch to be graded."""
    sent = [
        {
            "content": one.submission.content,
            "told": [told.to_json() for told in one.submission.told],
            "files": dict(one.submission.files),
            "names": one.submission.others,
            "others": dict(one.others),
        }
        for one in batch
    ]
    return msgpack.packb({"setup": asdict(setup), "batch": sent}, unicode_errors="surrogatepass")


def unpack_batch(message: bytes) -> tuple[Setup, list[Sent]]:
    """Return what ``pack_batch`` was given; times of submission stay at home."""
    data = msgpack.unpackb(message, unicode_errors="surrogatepass")
    setup = Setup(**data["setup"] | {"limits": Limits(**data["setup"]["limits"])})
    return setup, [
        Sent(
            Submission(
                one["content"],
                None,
                tuple(map(Message.from_json, one["told"])),
                one["files"],
                tuple(one["names"]),
            ),
            one["others"],
        )
        for one in data["batch"]
    ]


@dataclass(frozen=True)
class Reply:
    """A worker's reply to a batch.

    Attributes:
        worker: the name of the machine and the process.
        results: of each submission in the batch's order, a record or why there is none.
        refused: why the worker must not grade this, empty if it may.
    """

    worker: str
    results: tuple[Record | WorkerFailure, ...] = ()
    refused: tuple[str, ...] = ()

    def pack(self) -> bytes:
        """Return it as a message."""
        results = [
            {"failure": one.reason}
            if isinstance(one, WorkerFailure)
            else {"record": json.dumps(one.to_json())}
            for one in self.results
        ]
        return msgpack.packb({"worker": self.worker, "results": results, "refused": self.refused})

    @classmethod
    def unpack(cls, message: bytes) -> "Reply":
        """Return the reply of a message.

        Raises:
            GraderError: it is none.
        """
        try:
            data = msgpack.unpackb(message)
            results = tuple(
                WorkerFailure(str(one["failure"]))
                if "failure" in one
                else Record.from_json(json.loads(one["record"]))
                for one in data["results"]
            )
            return cls(str(data["worker"]), results, tuple(map(str, data["refused"])))
        except (ValueError, TypeError, KeyError) as error:
            raise GraderError(f"A worker's reply is damaged: {type(error).__name__}: {error}") from error
