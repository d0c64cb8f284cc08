"""How often one address may ask."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Network, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import UsageError
from likewise.server.middleware import rate
from likewise.server.middleware.rate import RateLimiter, client_of
from likewise.server.settings import ServerSettings
from tests.server.conftest import Api, message_of

MakeApi = Callable[..., Api]
TOKEN = "a-token-of-some-length"
RIGHT = {"Authorization": f"Bearer {TOKEN}"}
WRONG = {"Authorization": "Bearer something-else-of-some-length"}


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_store_is_used_up_and_fills_steadily() -> None:
    clock = Clock()
    rates = RateLimiter(2.0, 4.0, clock)
    assert [rates.take("a") for _ in range(5)] == [0, 0, 0, 0, 1]
    assert rates.take("b") == 0
    clock.now += 0.5
    assert [rates.take("a"), rates.take("a")] == [0, 1]
    clock.now += 1_000
    assert [rates.take("a") for _ in range(5)] == [0, 0, 0, 0, 1]
    assert rates.take("b") == 0


@given(st.lists(st.floats(0, 3), max_size=60), st.floats(0.1, 20), st.integers(1, 10))
def test_never_more_than_the_store_and_what_came_in(
    pauses: list[float], often: float, most: int
) -> None:
    clock = Clock()
    rates = RateLimiter(often, most, clock)
    passed = 0
    for pause in pauses:
        clock.now += pause
        wait = rates.take("a")
        passed += not wait
        assert passed <= most + often * (clock.now - 1_000) + 1e-6
        if wait:  # and as long as is told, and no longer
            clock.now += wait
            assert rates.take("a") == 0
            passed += 1


def test_there_is_an_end_to_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate, "MAX_ADDRESSES", 100)
    rates = RateLimiter(0.001, 1.0, Clock())
    for i in range(1_000):
        assert rates.take(str(i)) == 0
    assert len(rates.buckets) == 100
    assert rates.take("999") > 0


LOOPBACK, NETWORK = ip_network("127.0.0.1"), ip_network("10.1.0.0/16")


@pytest.mark.parametrize(("peer", "forwarded", "proxy", "client"), [
    ("192.0.2.7", "", None, "192.0.2.7"),
    ("192.0.2.7", "198.51.100.1", LOOPBACK, "192.0.2.7"),  # who is not our proxy may say anything
    ("127.0.0.1", "198.51.100.1", None, "127.0.0.1"),  # and so may a program on this machine
    ("127.0.0.1", "198.51.100.1", LOOPBACK, "198.51.100.1"),
    ("127.0.0.1", "1.2.3.4, 198.51.100.1", LOOPBACK, "198.51.100.1"),
    ("127.0.0.1", "made up", LOOPBACK, "127.0.0.1"),
    ("::ffff:127.0.0.1", "198.51.100.1", LOOPBACK, "198.51.100.1"),
    ("10.1.2.3", "198.51.100.1", NETWORK, "198.51.100.1"),
    ("10.2.2.3", "198.51.100.1", NETWORK, "10.2.2.3"),
    ("::1", "", LOOPBACK, "::/64"),
    ("2001:db8:1:2:3:4:5:6", "", None, "2001:db8:1:2::/64"),
    ("::ffff:192.0.2.7", "", None, "192.0.2.7"),
    ("fe80::1%eth0", "", None, "fe80::/64"),
    ("", "", LOOPBACK, "None"),
    ("a socket", "1.2.3.4", LOOPBACK, "None"),
])  # fmt: skip
def test_who_asks(peer: str, forwarded: str, proxy: IPv4Network | None, client: str) -> None:
    assert client_of(peer, forwarded, proxy) == client


def test_who_asks_too_often_is_told_when_to_come_again(make_api: MakeApi, file: str) -> None:
    api = make_api(file, token=TOKEN, rate=0.2, headers=RIGHT)
    assert api("GET", "/api/index").status_code == 200
    for path in ("/api/index", "/nothing"):
        response = api("GET", path)
        assert response.status_code == 429
        assert message_of(response) == "too many requests from this address"
        assert 1 <= int(response.headers["Retry-After"]) <= 5
        assert response.json()["error"]["hint"].startswith("try again in")
    for path in ("/health", "/", "/static/icon.svg"):
        assert api("GET", path).status_code == 200
    elsewhere = {"X-Forwarded-For": "198.51.100.1"}
    assert api("GET", "/api/index", headers=elsewhere).status_code == 429


def test_a_proxy_says_who_asks_if_it_is_trusted(make_api: MakeApi, file: str) -> None:
    api = make_api(file, token=TOKEN, rate=0.2, trust_proxy="127.0.0.1", headers=RIGHT)
    for client in ("198.51.100.1", "198.51.100.2"):
        elsewhere = {"X-Forwarded-For": client}
        statuses = [api("GET", "/api/index", headers=elsewhere).status_code for _ in range(2)]
        assert statuses == [200, 429]


@pytest.mark.parametrize("proxy", ["", "localhost", "127.0.0.1:80", "10.1.2.3/16", "*"])
def test_a_proxy_has_a_numeric_address(proxy: str) -> None:
    with pytest.raises(UsageError, match="is not an IP address or network"):
        ServerSettings(trust_proxy=proxy)


def test_ordinary_use_is_not_held_up(make_api: MakeApi, file: str) -> None:
    api = make_api(file, token=TOKEN, headers=RIGHT)
    answers = api.together(*(api.client.get("/api/index") for _ in range(200)))
    assert {answer.status_code for answer in answers} == {200}


def test_who_guesses_tokens_is_held_up_and_who_has_the_right_one_is_not(
    make_api: MakeApi, file: str
) -> None:
    api = make_api(file, token=TOKEN)
    statuses = [api("GET", "/api/index", headers=WRONG).status_code for _ in range(30)]
    assert statuses == [401] * 20 + [429] * 10
    response = api("GET", "/api/index", headers=WRONG)
    assert message_of(response) == "too many wrong tokens from this address"
    assert TOKEN not in response.text
    # A whole class may have that address.
    assert api("GET", "/api/index", headers=RIGHT).status_code == 200
    assert api("GET", "/").status_code == 200
    assert api("GET", "/api/index").status_code == 401


def test_requests_without_the_token_do_not_use_up_those_with_it(
    make_api: MakeApi, file: str
) -> None:
    api = make_api(file, token=TOKEN, rate=1.0)
    assert {api("GET", "/api/index").status_code for _ in range(8)} == {401}
    assert api("GET", "/api/index", headers=RIGHT).status_code == 200


def test_a_class_behind_one_address_opens_the_app(make_api: MakeApi, file: str) -> None:
    api = make_api(file, token=TOKEN)
    page = api("GET", "/").text
    files = re.findall(r'(?:src|href)="(static/[^"]+)"', page)
    assert files
    for _ in range(30):
        answers = api.together(*(api.client.get(path) for path in ("/", *files * 10)))
        assert {answer.status_code for answer in answers} == {200}
        statuses = [api("GET", "/api/index", headers=RIGHT).status_code for _ in range(5)]
        assert statuses == [200] * 5


def test_only_wrong_tokens_have_a_limit_if_it_is_left_to_others(
    make_api: MakeApi, file: str
) -> None:
    api = make_api(file, token=TOKEN, rate=0.0)
    assert {api("GET", "/api/index", headers=RIGHT).status_code for _ in range(50)} == {200}
    statuses = [api("GET", "/api/index", headers=WRONG).status_code for _ in range(30)]
    assert statuses == [401] * 20 + [429] * 10
    assert api("GET", "/api/index", headers=RIGHT).status_code == 200


def test_this_machine_alone_may_ask_as_often_as_it_can(make_api: MakeApi, file: str) -> None:
    api = make_api(file, rate=0.1)
    assert {api("GET", "/api/index").status_code for _ in range(20)} == {200}
