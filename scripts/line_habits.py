"""Counts habits that make a line of code hard to read, for `structure.py`.

The aim of all of them is one thought in each line.
"""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence

LONG_FUNCTION = 50
"""Lines."""
MANY_PARTS = 7
"""Parameters of a constructor that wants a record instead."""
MANY_POSITIONAL = 4
"""Positional arguments of a call that wants keywords instead."""
_WITHOUT_NOUN = re.compile(r"(Of|By|In|For|The same|Those|What|That)\b")
"""How the docstring of a field begins that does not begin with its noun."""
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]+")
_SYSTEM_TIMES = ("fromtimestamp", "utcfromtimestamp", "localtime", "gmtime", "mktime")
"""Functions for times that fail on Windows before 1970."""
_PATCHES = ("setattr", "patch", "patch.object")
"""Ends of the names of functions that exchange an attribute of something."""


def paired_assignments(tree: ast.Module) -> Iterator[int]:
    """Lines of `a, b = x, y`. Swapping is one thought, and so is unpacking."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
            continue
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and ast.unparse(target) != _swapped(node.value):
            yield node.lineno


def _swapped(values: ast.Tuple) -> str:
    """Values as they would look as targets in the other order."""
    return ast.unparse(ast.Tuple(elts=values.elts[::-1], ctx=ast.Store()))


def conditional_expressions(tree: ast.Module) -> Iterator[int]:
    """Lines of `x if c else y`."""
    return (node.lineno for node in ast.walk(tree) if isinstance(node, ast.IfExp))


def walruses(tree: ast.Module) -> Iterator[int]:
    """Lines of `name := value`."""
    return (node.lineno for node in ast.walk(tree) if isinstance(node, ast.NamedExpr))


def positional_calls(tree: ast.Module) -> Iterator[int]:
    """Lines of calls with many arguments by place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) >= MANY_POSITIONAL:
            yield node.lineno


def long_functions(tree: ast.Module) -> Iterator[int]:
    """Lines of functions that are longer than they may be."""
    for node in _functions(tree):
        if (node.end_lineno or node.lineno) - node.lineno + 1 > LONG_FUNCTION:
            yield node.lineno


def large_constructors(tree: ast.Module) -> Iterator[int]:
    """Lines of constructors with many parts."""
    for node in _constructors(tree):
        if len(_parameters(node)) - 1 >= MANY_PARTS:
            yield node.lineno


def callbacks(tree: ast.Module) -> Iterator[int]:
    """Lines of callbacks that a constructor gets."""
    for node in _constructors(tree):
        for parameter in _parameters(node):
            if parameter.annotation and "Callable[" in ast.unparse(parameter.annotation):
                yield parameter.lineno


def workspace_ids(tree: ast.Module) -> Iterator[int]:
    """Lines of functions that take the id of a workspace, and have to look it up."""
    for node in _functions(tree):
        for parameter in _parameters(node):
            annotation = ast.unparse(parameter.annotation) if parameter.annotation else ""
            is_name = parameter.arg == "workspace" and annotation.startswith("str")
            if is_name or parameter.arg == "workspace_id" or annotation.startswith("WorkspaceId"):
                yield node.lineno
                break


def dictionaries_by_workspace(tree: ast.Module) -> Iterator[int]:
    """Lines of attributes that keep state of workspaces by their ids, outside of them."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Attribute):
            continue
        if re.match(r"(dict|defaultdict|set)\[WorkspaceId", ast.unparse(node.annotation)):
            yield node.lineno


def shared_questions(tree: ast.Module) -> Iterator[int]:
    """Lines that ask a workspace whether it is shared, in place of letting it act."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr != "shared":
            continue
        if ast.unparse(node.value).rpartition(".")[2] in ("workspace", "record", "each"):
            yield node.lineno


def fields_without_noun(tree: ast.Module) -> Iterator[int]:
    """Lines of docstrings of fields and constants that do not begin with their noun."""
    for line, text in _field_docstrings(tree):
        if _WITHOUT_NOUN.match(text):
            yield line


def patched_constants(tree: ast.Module) -> Iterator[int]:
    """Lines that exchange a constant of a module, which a test should hand in instead."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call | ast.For | ast.Assign):
            names = (name.rpartition(".")[2] for name in _patched_names(node))
            if any(map(_CONSTANT.fullmatch, names)):
                yield node.lineno


def _patched_names(node: ast.Call | ast.For | ast.Assign) -> Sequence[str]:
    """Names of attributes that a call, an assignment, or each turn of a loop exchanges."""
    if isinstance(node, ast.Assign):
        return [target.attr for target in node.targets if isinstance(target, ast.Attribute)]
    if isinstance(node, ast.For):
        if any(map(_is_patch, ast.walk(node))):
            return [*_texts(node.iter)]
        return ()
    if not _is_patch(node):
        return ()
    # The name is the first text: what comes after it is the value.
    texts = (argument for argument in node.args[:2] if isinstance(argument, ast.Constant))
    return [str(text.value) for text in texts][:1]


def _is_patch(node: ast.AST) -> bool:
    """Whether this is a call that exchanges an attribute of something."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(_PATCHES)


def _texts(node: ast.AST) -> Iterator[str]:
    """Texts that stand in an expression."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def system_times(tree: ast.Module) -> Iterator[int]:
    """Lines that ask the system for a local time, which Windows has only from 1970 to 3000.

    The present moment is never outside of that. `text/age` handles all other times.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        is_present = ast.unparse(node.func.value).endswith(".now()")
        is_local = node.func.attr == "astimezone" and not node.args and not is_present
        if is_local or node.func.attr in _SYSTEM_TIMES:
            yield node.lineno


MEASURES: Mapping[str, Callable[[ast.Module], Iterator[int]]] = {
    "paired assignments": paired_assignments,
    "conditional expressions": conditional_expressions,
    "walruses": walruses,
    f"calls with {MANY_POSITIONAL} arguments by place": positional_calls,
    f"functions over {LONG_FUNCTION} lines": long_functions,
    f"constructors with {MANY_PARTS} parts": large_constructors,
    "callbacks in constructors": callbacks,
    "functions that take the id of a workspace": workspace_ids,
    "dictionaries by the id of a workspace": dictionaries_by_workspace,
    "questions whether a workspace is shared": shared_questions,
    "docstrings of fields without their noun": fields_without_noun,
    "local times from the system": system_times,
}
"""Name of a habit -> the lines of a module that have it."""


def field_docstring_count(tree: ast.Module) -> int:
    """Number of docstrings of fields and constants."""
    return sum(1 for _ in _field_docstrings(tree))


def comment_lines(text: str) -> int:
    """Number of lines that are a comment and nothing else."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(
        token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip()
        for token in tokens
    )


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _constructors(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in _functions(tree) if node.name == "__init__")


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _field_docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for before, after in itertools.pairwise(body):
            if isinstance(before, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr):
                text = getattr(after.value, "value", None)
                if isinstance(text, str):
                    yield after.lineno, text
