"""The verdict on one access: allow, ask or deny, by mode, place, grants and the memory rule. The only place where these meet.

Never asks the person itself and changes nothing. The memory rule comes last and may turn only an “ask” and the plan mode's denial into
“allow”; every other denial stays. Anything unclear is asked. Touches the file system only to resolve the two roots; any thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop.base.phrases import say, together
from desktop.permissions.access import Access, Decision, Mode
from desktop.permissions.grants import Grants
from desktop.permissions.places import protected_part, sensitive_kind

RULE_MEMORY = "memory.file.markdown"
RULE_PLAN = "mode.plan.nonReadOnly"
RULE_ASK = "memory.ask"
SHARED_ROOT = "workspace"
"""The root whose file lies in the opened folder: ordinary questions and ordinary grants hold for it (PM-04)."""


def decide(
    access: Access, *, mode: Mode, workspace: Path, memory_root: Path | None, grants: Grants, readable: Sequence[Path] = ()
) -> Decision:
    """What the rules say of `access`.

    Args:
        access: resolved by a tool; `target` is a real path.
        mode: the session's permission mode.
        workspace: the opened folder.
        memory_root: this project's memory folder, or None when memory is off.
        grants: what the person allowed before. A background job passes an empty `Grants()` and takes “ask” for no.
        readable: folders of further memory roots, read without a question like the project's own; empty when memory is off.
    """
    if access.memory_denied is not None:
        return Decision("deny", "memory.refused", access.memory_denied)
    own = (*(() if memory_root is None else (memory_root.resolve(),)), *(folder.resolve() for folder in readable))
    decision = _ordinary(access, mode, workspace.resolve(), own, grants)
    if access.memory_target is not None:
        decision = _by_root(access, decision, memory_root is not None)
    if decision.effect == "ask" and access.note:
        return Decision("ask", decision.rule, together(decision.reason, access.note))
    return decision


def _by_root(access: Access, decision: Decision, enabled: bool) -> Decision:
    """The memory rule on top of the ordinary decision, by the policy of the root: it lifts a question or plan mode's no, nothing else."""
    if access.memory_policy == "deny" or not enabled:
        return Decision("deny", "memory.refused", say("{path} is not to be changed here.", path=access.memory_target))
    if access.memory_policy == "allow":
        if decision.effect == "ask" or decision.rule == RULE_PLAN:
            return Decision("allow", RULE_MEMORY, say("{path} is a Markdown file of this project's memory.", path=access.memory_target))
        return decision
    if decision.effect == "allow" and access.memory_root == SHARED_ROOT:
        return decision
    if decision.effect != "deny":
        return Decision("ask", RULE_ASK, _question(access))
    return decision


def _question(access: Access) -> str:
    if access.memory_root == SHARED_ROOT:
        return say("{path} in the folder's own memory goes to whoever gets this folder.", path=access.memory_target)
    return say("{path} in the memory of all your projects is changed by you alone.", path=access.memory_target)


def _ordinary(access: Access, mode: Mode, workspace: Path, memory_roots: Sequence[Path], grants: Grants) -> Decision:
    match access.kind:
        case "read":
            return _read(access, workspace, memory_roots, grants)
        case "session":
            return _session(access, grants)
        case "write":
            return _write(access, mode, workspace, grants)
        case "execute":
            return _execute(access, mode, grants)


def _granted(access: Access, grants: Grants) -> Decision | None:
    kind = grants.covers(access)
    if kind is None:
        return None
    return Decision(
        "allow", f"grant.{kind}", say("You allowed this for the session.") if kind == "session" else say("You always allow this.")
    )


def _read(access: Access, workspace: Path, memory_roots: Sequence[Path], grants: Grants) -> Decision:
    target = access.target
    if target is None:
        return Decision("ask", "read.unresolved", say("What would be read is not known."))
    if target.is_relative_to(workspace) or any(target.is_relative_to(root) for root in memory_roots):
        return Decision("allow", "read.inside", say("Reading inside the workspace and its memory is always allowed."))
    secret = access.sensitive or sensitive_kind(target)
    if secret is not None:
        return Decision(
            "ask", "read.sensitive", say("{target} looks like {secret}; what is read is sent to the model.", target=target, secret=secret)
        )
    return _granted(access, grants) or Decision(
        "ask", "read.outside", say("{target} lies outside the workspace {workspace}.", target=target, workspace=workspace)
    )


def _session(access: Access, grants: Grants) -> Decision:
    if not access.foreign_session:
        return Decision("allow", "session.own", say("The session belongs to this project."))
    if access.content.startswith("sess_"):
        reason = say("Session {content} belongs to another project.", content=access.content)
    else:
        reason = say("{tool} would look into the sessions of other projects.", tool=access.tool)
    return _granted(access, grants) or Decision("ask", "session.foreign", reason)


def _write(access: Access, mode: Mode, workspace: Path, grants: Grants) -> Decision:
    target = access.target
    if mode == "plan":
        return Decision(
            "deny", RULE_PLAN, say("Plan mode changes nothing: {tool} is not run. Finish the plan, or leave plan mode.", tool=access.tool)
        )
    if target is None:
        return Decision("ask", "write.unresolved", say("What would be written is not known."))
    inside = target.is_relative_to(workspace)
    if access.memory_target is None and _is_own(target, workspace, grants):
        return Decision(
            "deny",
            "write.own",
            say("{target} is one of Keepsake's own files: tools do not change them, its settings page does.", target=target),
        )
    secret = access.sensitive or sensitive_kind(target)
    if secret is not None:
        return Decision("ask", "write.sensitive", say("{target} looks like {secret}.", target=target, secret=secret))
    if not inside:
        return _granted(access, grants) or Decision(
            "ask", "write.outside", say("{target} lies outside the workspace {workspace}.", target=target, workspace=workspace)
        )
    part = protected_part(target, workspace)
    if part is not None:
        return Decision(
            "ask", "write.protected", say("“{part}” is a protected name: other programs run or obey what stands there.", part=part)
        )
    if mode == "accept-edits":
        return Decision("allow", "mode.acceptEdits", say("Edits inside the workspace are accepted in this mode."))
    return _granted(access, grants) or Decision("ask", "write.inside", say("{tool} changes a file of the workspace.", tool=access.tool))


def _is_own(target: Path, workspace: Path, grants: Grants) -> bool:
    """Below Keepsake's own folders; a workspace that was opened inside them stays a workspace."""
    return any(
        target.is_relative_to(folder) and not (workspace.is_relative_to(folder) and target.is_relative_to(workspace))
        for folder in grants.own_folders
    )


def _execute(access: Access, mode: Mode, grants: Grants) -> Decision:
    if mode == "plan":
        return Decision(
            "deny", RULE_PLAN, say("Plan mode runs no commands: {tool} is not run. Finish the plan, or leave plan mode.", tool=access.tool)
        )
    return _granted(access, grants) or Decision("ask", "execute.command", say("A shell command can do anything that you can do."))
