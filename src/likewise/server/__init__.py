"""The service: indexes over HTTP, as a web app for people and as an API for programs.

::

    cli/serve.py ─→ sockets.py ─→ supervisor.py ─→ process.py ─→ app.py
    options         where to      several           one           the application
                    listen        processes         process

    middleware/   headers.py              security headers of every answer
                  request_log.py          counts, times and logs requests; hides unexpected errors
                  body.py                 maximum size and time of a body
                  access.py               token; without one, only programs of this machine
                  rate.py                 requests per second and address
                  concurrency_limit.py    requests at once
                  collection_routing.py   which collection a request is about
    routes/       one module per group of routes; schemas/ describes them

    collections.py   the indexes by name; services.py opens those that requests ask for
    service.py       one collection; has work done by the pools of jobs/:
                       query_batcher.py   queries that wait together run together
                       writer.py          changes that wait together go into one transaction
                       executor.py        everything else, on a bounded thread pool
                       surveys.py         the overview of a collection, made in the background
                       shared_pools.py    the pools that all collections share
    index_client.py  the index, opened again when it comes back
    passages.py, view_answers.py   answers; uploads.py, reading.py   documents of every type to text

Texts and tokens are in no log, and where the index lies is in no answer.
"""
