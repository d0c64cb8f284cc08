"""Which column of a table has the author, the title, the date, the group and the document's name.

Columns are recognised by the words that people and learning platforms put at the top of them, in
several languages; `matching.py` finds the column with the names of documents by its content.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from likewise.documents.document import FIELDS
from likewise.errors import ColumnError

KEY = "file"
"""What the column that names the document is called in options and messages."""

_WORDS: dict[str, str] = {
    KEY: "id, file, filename, file name, path, document, datei, dateiname, dokument, fichier, "
    "nom du fichier, archivo, nombre de archivo, nombre del archivo, fichero, documento, file, "
    "nome file, ficheiro, submission file, name, identifier, id number, user id, kennung",
    "title": "title, titel, titre, titulo, titolo, essay title, paper title, document title, "
    "thema, topic, sujet, tema",
    "author": "author, authors, student, student name, full name, name, autor, autorin, autoren, "
    "auteur, auteurs, autore, studierende, studierender, studentin, vollstandiger name, "
    "vor und nachname, schuler, schulerin, teilnehmer, teilnehmerin, teilnehmer in, etudiant, "
    "etudiante, eleve, nom complet, nom et prenom, nom prenom, estudiante, alumno, alumna, "
    "nombre completo, nombre y apellidos, apellidos y nombre, studente, nome completo, "
    "participant, display name, writer, nom, nombre, nome",
    "surname": "surname, last name, lastname, family name, nachname, familienname, nom de famille, "
    "apellido, apellidos, apellido s, cognome, sobrenome",
    "first name": "first name, firstname, given name, given names, forename, vorname, prenom, "
    "prenoms, nombre, nombres, nombre s, nome",
    "date": "date, submitted, submission date, date submitted, submitted at, submitted on, "
    "last modified submission, datum, abgabe, abgabedatum, abgegeben, abgegeben am, eingereicht, "
    "zuletzt geandert abgabe, date de remise, date de soumission, remis le, depose le, "
    "derniere modification travail remis, fecha, fecha de entrega, entregado, "
    "ultima modificacion entrega, data, data di consegna, year, jahr, annee, ano, anno",
    "group": "group, groups, class, section, course, cohort, team, tutorial, gruppe, gruppen, "
    "klasse, kurs, groupe, groupes, classe, cours, grupo, grupos, clase, curso, seccion, gruppo, "
    "corso, turma, set",
}
WORDS = {name: tuple(words.split(", ")) for name, words in _WORDS.items()}
# Words for the whole name, and for the part of it that is not in a column of its own.
_EITHER = ("name", "nom", "nombre", "nome")


def plain(header: str) -> str:
    """A header in lower case, without accents, punctuation and double spaces.

    >>> plain("Apellido(s)"), plain("Dernière modification (travail remis)")
    ('apellido s', 'derniere modification travail remis')
    """
    letters = unicodedata.normalize("NFKD", header.casefold())
    kept = "".join(sign for sign in letters if not unicodedata.combining(sign))
    return " ".join(re.findall(r"[^\W_]+", kept))


@dataclass(frozen=True)
class Columns:
    """The columns of a table: for each field the numbers of those that have it.

    The author may be in two columns, the first name and the surname; every other field is in one.
    """

    names: Sequence[str]
    of: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def describe(self) -> str:
        """As in "file = column 'Datei', author = 'Vorname' + 'Nachname'"."""
        parts = [
            f"{name} = {'column ' if name == KEY else ''}"
            + " + ".join(repr(self.names[at]) for at in columns)
            for name, columns in self.of.items()
        ]
        return ", ".join(parts)


def find_columns(names: Sequence[str], key: int | None, *, key_is_author: bool = False) -> Columns:
    """The columns by their headers.

    Args:
        key: the column that names the document; it has no other field.
        key_is_author: except the author, where documents are named by it.
    """
    headers = list(map(plain, names))
    if key is not None and not key_is_author:
        headers[key] = ""
    found: dict[str, tuple[int, ...]] = {} if key is None else {KEY: (key,)}
    for name in FIELDS:
        columns = _author(headers) if name == "author" else _first(headers, WORDS[name])
        if columns and not (key_is_author and name != "author" and columns == (key,)):
            found[name] = columns
    return Columns(names, found)


def override(columns: Columns, chosen: Mapping[str, str], source: str) -> Columns:
    """The columns that the user names instead, by their headers. Raises `ColumnError`."""
    of = dict(columns.of)
    for name, header in chosen.items():
        of[name] = (named_column(columns.names, header, source),)
    return Columns(columns.names, {name: of[name] for name in (KEY, *FIELDS) if name in of})


def named_column(names: Sequence[str], header: str, source: str) -> int:
    """The number of the column with this header. Raises `ColumnError`."""
    wanted = header.strip().casefold()
    found = [at for at, name in enumerate(names) if name.strip().casefold() == wanted]
    if not found:
        raise ColumnError(f"{source}: no column {header!r}; it has {listed(names)}")
    if len(found) > 1:
        raise ColumnError(f"{source}: duplicate column {header!r}")
    return found[0]


def check_unique(columns: Columns, source: str) -> None:
    """Raises `ColumnError` if a column that is used has the header of another one."""
    headers = [name.strip().casefold() for name in columns.names]
    for used in columns.of.values():
        for at in used:
            if headers.count(headers[at]) > 1:
                raise ColumnError(f"{source}: duplicate column {columns.names[at]!r}")


def listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names)) or "none"


def rank_as_key(header: str) -> int:
    """How much a header looks like that of the column that names documents; less is more."""
    words = WORDS[KEY]
    name = plain(header)
    return words.index(name) if name in words else len(words)


def _first(headers: Sequence[str], words: Sequence[str]) -> tuple[int, ...]:
    """The column with the first of these words that is a header."""
    return next(((headers.index(word),) for word in words if word in headers), ())


def _author(headers: Sequence[str]) -> tuple[int, ...]:
    """First name and surname, if both have a column; else the column with the whole name."""
    certain = [word for word in WORDS["first name"] if word not in _EITHER]
    first, surname = _first(headers, certain), _first(headers, WORDS["surname"])
    if first and not surname:
        surname = _first(headers, _EITHER)
    elif surname and not first:
        first = _first(headers, _EITHER)
    if first and surname:
        return first + surname
    return _first(headers, WORDS["author"]) or surname
