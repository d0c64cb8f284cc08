"""The service: an index over HTTP, for programs in other languages and on other machines.

::

    cli/serve.py ─→ sockets.py ─→ supervisor.py ─→ process.py ─→ app.py
    options         where to      several           one           the application
                    listen        processes         process

    a request passes    observing.py   counted, timed, logged; nothing unforeseen gets out
                        body.py        how large a body may be, and how long it may take
                        guard.py       token; without one: this machine's own programs only
                        gate.py        how many at once
                        routes/        what can be asked; schemas/ says it to programs

    and is answered by  service.py, which has the work done on few threads (threads.py):
                        library.py     the index, opened again when it comes back
                        asker.py       questions that wait together are asked together
                        passages.py    copied passages of one text, as an answer
                        writer.py      what waits together is stored together
                        reading.py     documents of every kind to text

Texts and tokens are in no log, and where the index lies is in no answer.
"""
