"""The settings of recall, flush and dreaming, in our spelling and in OpenClaw's."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.config.loading import load_settings

OPENCLAW = """{ agents: { defaults: { compaction: {
  mode: "safeguard", reserveTokensFloor: 24000,
  memoryFlush: { enabled: false, softThresholdTokens: 6000, prompt: "Save.", model: "x" },
} } }, %s }"""


def test_a_pasted_block_of_openclaw_sets_the_flush(tmp_path: Path) -> None:
    file = tmp_path / "config.json5"
    file.write_text(OPENCLAW % "")
    loaded = load_settings(file)
    flush = loaded.settings.flush
    assert (flush.enabled, flush.reserve_tokens_floor, flush.soft_threshold_tokens) == (
        False,
        24_000,
        6_000,
    )
    assert (flush.prompt, flush.system_prompt, flush.context_window) == ("Save.", "", 200_000)
    assert loaded.problems == ()
    assert "agents.defaults.compaction.memoryFlush.model" in loaded.not_used


def test_our_own_keys_count_more(tmp_path: Path) -> None:
    file = tmp_path / "config.json5"
    file.write_text(OPENCLAW % "flush: { enabled: true, softThresholdTokens: 1 }")
    flush = load_settings(file).settings.flush
    assert (flush.enabled, flush.soft_threshold_tokens, flush.reserve_tokens_floor) == (
        True,
        1,
        24_000,
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{recall: {capture: "always"}}', "recall.capture"),
        ('{dreaming: {at: "25:00"}}', "dreaming.at"),
        ("{dreaming: {enabled: 1}}", "dreaming.enabled"),
        ("{flush: {contextWindow: -1}}", "flush.contextWindow"),
        ("{agents: {defaults: {compaction: {reserveTokensFloor: []}}}}", "reserveTokensFloor"),
    ],
)
def test_what_makes_no_sense_is_told_and_leaves_things_off(
    tmp_path: Path, text: str, key: str
) -> None:
    file = tmp_path / "config.json5"
    file.write_text(text)
    loaded = load_settings(file)
    assert any(key in problem.key for problem in loaded.problems)
    settings = loaded.settings
    assert (settings.recall.capture, settings.dreaming.at) == ("off", "03:00")
    assert not settings.dreaming.enabled
    assert settings.flush.reserve_tokens_floor == 20_000
