"""The service: indexes over HTTP, as a web app for people and as an API for programs.

::

    cli/serve.py ─→ process/: sockets.py → supervisor.py (several processes) → process.py ─→ app.py

    middleware/   headers.py              security headers of every answer
                  request_log.py          counts, times and logs requests; hides unexpected errors
                  body.py                 maximum size and time of a body; answers errors
                  access.py, rate.py      token, or this machine only; requests per second
                  concurrency_limit.py    requests at once
                  collection_routing.py   the collection of a request
    routes/       one module per group of routes; schemas/ has their requests and answers

    services.py      opens the service of a collection; collections.py has their names
    service.py       one collection; its work is done by the threads of jobs/:
                       query_batcher.py   queries that wait together run together
                       writer.py          changes that wait together go into one transaction
                       executor.py        everything else, on a bounded thread pool
                       surveys.py         the survey of a collection, made in the background
                       shared_pools.py    the pools that all collections share
    index_client.py  the index; match_answers.py, passage_answers.py, view_answers.py make answers
    uploads.py       stores files of every type; file_reader.py extracts their text

No log contains texts or tokens, and no answer the location of the index.
"""
