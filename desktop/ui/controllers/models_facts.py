"""What the models page shows, read in a worker thread: models on this machine, keys and where they come from, endpoints. Values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.bridge.spoken import spoken
from desktop.providers.catalogue import CATALOGUE, CatalogueModel, installed
from desktop.providers.encoders import SETTING, VARIABLE, installed_encoders
from desktop.providers.fetch import free_disk
from desktop.providers.known_encoders import ENCODERS, KnownEncoder
from desktop.providers.registry import VENDORS, ProviderContext, default_model_id, list_models
from desktop.settings.secrets import SecretSource, environment_names

if TYPE_CHECKING:
    from desktop.compose import Services


@dataclass(frozen=True, slots=True)
class EmbeddedFacts:
    """One model that runs on this computer.

    Attributes:
        name, label: as the catalogue or the file says.
        size: bytes of the file, or of the download.
        resident: bytes of memory that it takes while it runs; 0 where unknown.
        licence, publisher: of the catalogue, empty for an own file.
        path: where the file is, or empty.
        problem: why the file is not used, or empty.
        can_fetch: it can be downloaded.
        can_remove: the file is in this profile's own folder.
    """

    name: str
    label: str
    size: int
    resident: int
    licence: str
    publisher: str
    path: str
    problem: str
    can_fetch: bool
    can_remove: bool


@dataclass(frozen=True, slots=True)
class EncoderFacts(EmbeddedFacts):
    """One encoder for search by meaning. `size` is that of the download until it is here.

    Attributes:
        languages: codes of the languages that it knows; empty: any.
        passage_ms: processor milliseconds for a passage of 500 characters.
    """

    languages: tuple[str, ...]
    passage_ms: float


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """A provider and its key.

    Attributes:
        name: of the key, and the prefix of model ids.
        label: for people.
        source: where the key comes from, None for none.
        variables: environment variables that may hold it.
        models: ids that are known, best first.
    """

    name: str
    label: str
    source: SecretSource | None
    variables: tuple[str, ...]
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndpointFacts:
    """A configured OpenAI-compatible server, and its key."""

    name: str
    base_url: str
    models: tuple[str, ...]
    context_window: int | None
    source: SecretSource | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A model for new chats."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class ModelsFacts:
    """All of the page.

    Attributes:
        free: bytes that are free where models are stored.
        keyring: the system can keep keys.
        key_file: where the key file is or would be.
        key_store: the setting `keys.store`.
        default: id of the model of new chats.
        choices: models that can be used now.
        encoders: for search by meaning, best first.
        encoder: the setting `search.encoder`.
        encoder_forced: what the environment says instead, or empty.
    """

    embedded: tuple[EmbeddedFacts, ...]
    vendors: tuple[KeyFacts, ...]
    endpoints: tuple[EndpointFacts, ...]
    free: int
    keyring: bool
    key_file: str
    key_store: str
    default: str
    choices: tuple[Choice, ...]
    encoders: tuple[EncoderFacts, ...] = ()
    encoder: str = ""
    encoder_forced: str = ""


def _embedded(services: Services, catalogue: Sequence[CatalogueModel]) -> tuple[EmbeddedFacts, ...]:
    found = {model.name: model for model in installed(services.paths, services.environ, catalogue=catalogue)}
    rows = []
    for entry in catalogue:
        here = found.pop(entry.name, None)
        rows.append(
            EmbeddedFacts(
                entry.name, entry.label, entry.size, entry.resident, entry.licence, entry.publisher,
                str(here.path) if here else "", spoken(here.problem or "") if here else "", here is None or here.problem is not None,
                here is not None and here.path.parent == services.paths.models,
            )
        )  # fmt: skip
    for own in found.values():
        ours = own.path.parent == services.paths.models
        rows.append(EmbeddedFacts(own.name, spoken(own.label), own.size, 0, "", "", str(own.path), spoken(own.problem or ""), False, ours))
    return tuple(rows)


def _encoders(services: Services, encoders: Sequence[KnownEncoder]) -> tuple[EncoderFacts, ...]:
    rows = []
    for one in installed_encoders(services.paths, services.environ, encoders=encoders):
        known = one.known
        here = [file.path for file in one.files if file]
        rows.append(
            EncoderFacts(
                known.name, known.label, known.size if one.ready else known.download, known.resident, known.licence, known.publisher,
                str(here[0]) if one.ready else "", spoken(one.problem or ""), not one.ready,
                any(path.parent == services.paths.models for path in here),
                tuple(sorted(known.languages or ())), known.passage_ms,
            )
        )  # fmt: skip
    return tuple(rows)


def _endpoint(name: str, entry: Mapping[str, Any], context: ProviderContext) -> EndpointFacts:
    models = entry.get("models")
    window = entry.get("context_window")
    return EndpointFacts(
        name,
        str(entry.get("base_url", "")),
        tuple(str(model) for model in models) if isinstance(models, list) else (),
        window if isinstance(window, int) else None,
        context.secrets.source(name),
    )


def read_models(
    services: Services, catalogue: Sequence[CatalogueModel] = CATALOGUE, encoders: Sequence[KnownEncoder] = ENCODERS
) -> ModelsFacts:
    """Everything. Blocking; slow the first time, since price list and keyring are loaded.

    Raises:
        StorageError: the disk cannot be looked at.
    """
    context = services.providers
    keyring = services.secrets.keyring_available()  # first: from here on it is asked, also for a key that is not noted
    every = list_models(context)
    ready = {info.id for info in list_models(context, only_ready=True)}
    secrets = services.secrets
    endpoints = services.settings.value("model.endpoints")
    vendors = tuple(
        KeyFacts(
            name, vendor.label, secrets.source(name), environment_names(name), tuple(info.id for info in every if info.provider == name)
        )
        for name, vendor in VENDORS.items()
    )
    return ModelsFacts(
        embedded=_embedded(services, catalogue),
        vendors=vendors,
        endpoints=tuple(_endpoint(name, entry, context) for name, entry in endpoints.items() if isinstance(entry, dict)),
        free=free_disk(services.paths.models),
        keyring=keyring,
        key_file=str(secrets.file),
        key_store=str(services.settings.value("keys.store")),
        default=default_model_id(context),
        choices=tuple(Choice(info.id, spoken(info.label)) for info in every if info.id in ready),
        encoders=_encoders(services, encoders),
        encoder=str(services.settings.value(SETTING)),
        encoder_forced=services.environ.get(VARIABLE, "").strip(),
    )
