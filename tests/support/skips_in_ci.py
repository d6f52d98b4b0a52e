"""In CI nothing is skipped because a tool is missing: such a skip fails the run."""

import os

import pytest

PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
ALLOWED = ("needs user namespaces", *(["compil"] if PLAIN else []))
"""Parts of reasons that no installation can mend: what the system allows, and how the kernels run."""
_missing: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note(report)


def _note(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and isinstance(report.longrepr, tuple):
        reason = str(report.longrepr[2])
        if not any(part in reason for part in ALLOWED):
            _missing.append(f"{report.nodeid}: {reason}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _is_ci() and _missing:
        terminalreporter.section("skipped, although this is CI")
        for line in _missing:
            terminalreporter.line(line)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _is_ci() and _missing and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _is_ci() -> bool:
    return os.environ.get("CI", "") not in ("", "0", "false")
