"""`Stats` as text."""

from __future__ import annotations

from likewise.run import Stats, counted


def summary(stats: Stats) -> str:
    """One line: what was searched, how, and what came out."""
    counts, settings = stats.counts, stats.settings
    pairs = counted(counts["pairs"], "pair")
    if settings["top"] is not None:
        pairs = f"the {pairs} most similar"
    documents = counted(counts["documents"], "document")
    return (
        f"{pairs} at {settings['measure']} {settings['threshold']:g} or more among {documents} "
        f"({settings['profile']}; {settings['search']})"
    )


def stats_text(stats: Stats) -> str:
    """Settings, counts and times, a line each."""
    lines = ["settings:"]
    lines += [f"  {name}: {value}" for name, value in stats.settings.items()]
    lines += ["counts:"]
    lines += [f"  {name}: {value}" for name, value in stats.counts.items()]
    lines += ["seconds:"]
    lines += [f"  {name}: {value:.6f}" for name, value in stats.seconds.items()]
    return "\n".join(lines) + "\n"
