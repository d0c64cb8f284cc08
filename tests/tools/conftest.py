"""A small class of essays, made and read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.classroom.files import write_class
from tools.classroom.school_class import SchoolClass, make_class
from tools.classroom.scoring import ReadClass

SMALL = {"essays": 24, "last_year": 8, "long_words": 8_000}


@pytest.fixture(scope="session")
def small_class() -> SchoolClass:
    return make_class(1, **SMALL)


@pytest.fixture(scope="session")
def class_folder(small_class: SchoolClass, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    write_class(small_class, folder)
    return folder


@pytest.fixture(scope="session")
def read_class(small_class: SchoolClass, class_folder: Path) -> ReadClass:
    return ReadClass(small_class, class_folder)
