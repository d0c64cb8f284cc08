"""`Reports`: a collection as a single-file report, made in the background like its survey.

The survey is computed again by the same function, since the app does not keep the texts of one.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import NamedTuple

from likewise.server.errors import ApiError
from likewise.server.jobs.surveys import Surveys, make_survey
from likewise.server.json_response import as_json

NO_TEXTS = "this collection stores no texts, so it cannot be saved as a report"


class ReportOptions(NamedTuple):
    """Whether a report has names and, if it has none, dates."""

    anonymous: bool = False
    keep_dates: bool = False


class SavedReport(NamedTuple):
    """A report as one HTML file, and the key of an anonymous one as CSV."""

    page: bytes
    key: bytes


class Reports(Surveys):
    """The reports of one index; the one that was made last is kept."""

    what = "report"

    def get(self) -> bytes:
        """The progress of making a report with names."""
        return self.progress(ReportOptions())

    def progress(self, options: ReportOptions) -> bytes:
        """Whether a report is ready, or the progress of making it, as JSON."""
        if not self._client.settings.keep_text:
            raise ApiError(422, NO_TEXTS, hint="add the documents to a collection with texts")
        if not self._client.count():
            return as_json({"state": "empty"})
        _, is_ready, progress = self._latest(options)
        return as_json({"state": "ready"}) if is_ready else progress

    def saved(self, options: ReportOptions) -> SavedReport:
        """A report that is ready; raises `ApiError` if it is not."""
        if self._client.settings.keep_text and self._client.count():
            made, is_ready, _ = self._latest(options)
            if made is not None and is_ready:
                return SavedReport(made.data, made.key)
        hint = "request /api/report until its state is ready"
        raise ApiError(404, "the report is not ready", hint=hint)

    def _compute(self, state: tuple[object, ...]) -> tuple[bytes, bytes]:
        from likewise.pages.key_file import write_key
        from likewise.pages.page import write_page
        from likewise.survey.anonymous.survey import AnonymousSurvey

        options = state[-1]
        assert isinstance(options, ReportOptions)
        survey = make_survey(self._client, self._archives, self._title, self._report_progress)
        if isinstance(survey, dict):
            raise ApiError(422, NO_TEXTS)
        unread = self._client.unread()["files"]
        skipped = [(file["name"], "", file["reason"]) for file in unread]
        survey.run = replace(survey.run, skipped=skipped)
        page, key = io.BytesIO(), io.BytesIO()
        if options.anonymous:
            shown = AnonymousSurvey(survey, keep_dates=options.keep_dates)
            write_key(shown.key(), key)
            write_page(shown, page, progress=self._report_progress)
        else:
            write_page(survey, page, progress=self._report_progress)
        return page.getvalue(), key.getvalue()
