"""`keepsake memory doctor`: what is wrong with the memories of a root, and the repairs, one kind or one problem at a time."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import unified_diff
from typing import Any

from desktop.base.errors import NotFoundError, UsageError
from desktop.cli.memory_names import store_of
from desktop.cli.output import put, put_json, say
from desktop.compose import Services, Workspace
from desktop.memory.health import KINDS, REPAIRABLE, repair
from desktop.memory.health_fix import FIXES, FixPlan, previews
from desktop.memory.health_report import Finding, Health
from desktop.memory.store import Change, ChangeOrigin

PERSON = ChangeOrigin("person")
EVERY = "*"
"""`--fix` without a kind: what needs no judgement."""


def session_ids(services: Services) -> frozenset[str]:
    """Ids of all sessions that are stored."""
    return frozenset(entry.name.removesuffix(".jsonl") for entry in services.sessions.files())


def finding_to_json(finding: Finding) -> dict[str, Any]:
    problem = finding.problem
    return {
        "kind": problem.kind,
        "path": problem.path,
        "line": problem.line,
        "message": problem.message,
        "fix": problem.fix,
        "id": problem.id,
        "fixes": list(finding.fixes),
        "informative": problem.informative,
        "ignored": finding.ignored,
    }


def doctor(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    store = store_of(found, workspace)
    root = store.memory_root.id
    health = Health(workspace.memories, services.paths, services.clock, lambda: session_ids(services))
    for given, name in ((found.using, "--with"), (found.preview, "--preview")):
        if given and found.fix in (None, EVERY):
            raise UsageError(f"{name} is for one kind or one problem.", hint="Name it behind --fix.")
    fixed: Sequence[Change] = ()
    plan: FixPlan | None = None
    if found.ignore or found.show_again:
        _pass_over(health, root, found)
    if found.fix == EVERY:
        fixed = repair(store, REPAIRABLE, origin=PERSON)
    elif found.fix:
        chosen = _chosen(health.check(root).findings, found.fix)
        plan = health.plan(chosen, found.using or "")
        if found.preview:
            return _show(plan, json=found.json)
        fixed = health.apply(root, plan, PERSON).changes
    findings = health.check(root).findings
    if found.json:
        shown: dict[str, Any] = {"root": str(store.root), "problems": [finding_to_json(one) for one in findings]}
        if found.fix:
            shown["fixed"] = [{"id": change.id, "op": change.op, "path": change.path} for change in fixed]
            shown["passed"] = [{"id": problem.id, "path": problem.path, "reason": why} for problem, why in (plan.passed if plan else ())]
        put_json(shown)
    else:
        _tell(found, findings, fixed, plan)
    return 0


def _show(plan: FixPlan, *, json: bool) -> int:
    """What a repair would change; secrets are covered on both sides."""
    files = previews(plan)
    if json:
        put_json(
            {
                "files": [{"path": one.path, "before": one.before, "after": one.after, "deleted": one.deleted} for one in files],
                "passed": [{"id": problem.id, "path": problem.path, "reason": why} for problem, why in plan.passed],
            }
        )
        return 0
    for one in files:
        if one.deleted:
            put(f"{one.path} goes to the trash")
        elif one.before == one.after:
            put(f"{one.path}: what it says stays as it is; the file gets a place of its own")
        else:
            put("\n".join(unified_diff(one.before.split("\n"), one.after.split("\n"), one.path, one.path, lineterm="")))
    for _ in plan.confirmed:
        put("Noted beside the memory as still true: its file stays as it is.")
    for problem, why in plan.passed:
        say(f"Not mended: {problem.path}: {why}")
    say("Nothing was changed. The same without --preview makes it.")
    return 0


def _pass_over(health: Health, root: str, found: argparse.Namespace) -> None:
    known = {one.problem.id for one in health.check(root).findings}
    state = health.state(root)
    for wanted, act in ((found.ignore, state.ignore), (found.show_again, state.show_again)):
        if wanted and wanted not in known:
            raise NotFoundError(f"There is no problem {wanted} here.", hint="“keepsake memory doctor --json” gives the ids.")
        if wanted:
            act([wanted])


def _chosen(findings: Sequence[Finding], wanted: str) -> list[Finding]:
    """The problems of a kind, or the one with an id.

    Raises:
        UsageError: it is neither; or the kind needs a person's hand.
        NotFoundError: there is no such problem.
    """
    if wanted in KINDS:
        if wanted not in FIXES:
            raise UsageError(f"“{wanted}” cannot be mended by itself.", hint="Open the memory and correct it.")
        chosen = [one for one in findings if one.problem.kind == wanted and one.fixes and not one.ignored]
        if not chosen:
            raise NotFoundError(
                f"There is no problem of the kind “{wanted}” here that can be mended.", hint="“keepsake memory doctor” shows them."
            )
        return chosen
    chosen = [one for one in findings if one.problem.id == wanted]
    if not chosen:
        kinds = ", ".join(kind for kind in KINDS if kind in FIXES)
        raise NotFoundError(f"“{wanted}” is neither a kind nor the id of a problem here.", hint=f"Kinds: {kinds}.")
    return chosen


def _tell(found: argparse.Namespace, findings: Sequence[Finding], fixed: Sequence[Change], plan: FixPlan | None) -> None:
    for change in fixed:
        say(f"Mended: {change.path} ({change.op}). “keepsake memory undo {change.id}” takes it back.")
    if plan is not None:
        if plan.confirmed:
            say(f"Noted as still true: {len(plan.confirmed)}.")
        for problem, why in plan.passed:
            say(f"Not mended: {problem.path}: {why}")
    shown = [one for one in findings if not one.ignored]
    for one in shown:
        problem = one.problem
        place = f"{problem.path}:{problem.line}" if problem.line else problem.path
        repairs = f": {', '.join(one.fixes)}" if one.fixes else ""
        put(f"{place}: {problem.message}" + (f" {problem.fix}" if problem.fix else "") + f" [{problem.kind} {problem.id}{repairs}]")
    passed = len(findings) - len(shown)
    if passed:
        say(f"{passed} ignored; --json shows them.")
    if not shown:
        say("Nothing is wrong with these memories.")
