"""The service: indexes over HTTP, as a web app for people and as an API for programs.

::

    cli/serve.py ─→ sockets.py ─→ supervisor.py ─→ process.py ─→ app.py
    options         where to      several           one           the application
                    listen        processes         process

    a request passes    headers.py     what browsers are told about every answer
                        observing.py   counted, timed, logged; nothing unforeseen gets out
                        body.py        how large a body may be, and how long it may take
                        guard.py       token; without one: this machine's own programs only
                        rate.py        how often one address may ask
                        gate.py        how many at once
                        collected.py   which collection it is about
                        routes/        what can be asked; schemas/ says it to programs

    collections.py      which indexes there are, by name; services.py opens those that are asked
    lanes.py            what all of them share

    and is answered by  service.py, which has the work done on few threads (threads.py):
                        library.py     the index, opened again when it comes back
                        asker.py       questions that wait together are asked together
                        passages.py    copied passages of one text, as an answer
                        writer.py      what waits together is stored together
                        viewing.py     a document, or a pair, as people look at it
                        surveys.py     the overview of a collection, made in the background
                        uploads.py     files and archives, document by document
                        reading.py     documents of every kind to text

Texts and tokens are in no log, and where the index lies is in no answer.
"""
