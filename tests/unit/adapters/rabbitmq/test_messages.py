"""A task as an AMQP message, and what is kept when it is sent again."""

from datetime import UTC, datetime
from typing import Any

import pika
import pytest
from attrs import evolve

from adapters.rabbitmq.messages import Received, message_of
from adapters.rabbitmq.pika_connection import UnreadableProperties
from domain.errors import MessageUndecodable
from domain.push_task import Attempts, PushTask

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
TASK = PushTask("one", "https://x.example/", payload={"n": 1}, priority=3, deadline=5.0)


def received(task: PushTask = TASK, **headers: Any) -> Received:
    """`task` as the broker delivers it, with more `headers`."""
    message = message_of(task, "queue")
    properties = message.properties
    properties.headers = {**(properties.headers or {}), **headers}
    return Received(7, properties, message.body)


def test_a_task_comes_out_as_it_went_in() -> None:
    assert received().task() == TASK


def test_a_repetition_carries_the_new_attempts_and_no_header_of_the_brokers() -> None:
    again = TASK.retried(NOW, Attempts(failed=2, last_reason="HTTP 503"))
    message = received(**{"x-death": [{}], "x-delivery-count": 3, "tenant": 7}).again("queue", again)
    assert Received(1, message.properties, message.body).task() == again
    assert message.due == NOW
    assert message.properties.headers["tenant"] == 7
    assert not [name for name in message.properties.headers if name.startswith("x-")]


def test_foreign_headers_that_would_not_leave_room_are_left_out() -> None:
    message = received(flood="x" * 100_000).again("queue", TASK)
    assert "flood" not in message.properties.headers
    assert Received(1, message.properties, message.body).task() == TASK


def test_a_reason_of_any_length_and_content_fits_into_a_header() -> None:
    task = evolve(TASK, attempts=Attempts(1, last_reason="日" * 1_000_000))
    message = received().dead("queue", "\ud800" + "日" * 1_000_000, NOW, task)
    assert sum(map(len, message.properties.encode())) < 64_000


def test_a_dead_letter_has_its_reason_and_the_time_of_its_death() -> None:
    message = received().dead("queue", "HTTP 410", NOW, TASK)
    letter = Received(1, message.properties, message.body).letter()
    assert (letter.id, letter.reason, letter.died_at, letter.task) == ("one", "HTTP 410", NOW, TASK)


@pytest.mark.parametrize("time", [NOW, NOW.replace(tzinfo=None)])
def test_what_the_broker_dead_lettered_says_so(time: datetime) -> None:
    death = {"reason": "delivery_limit", "time": time, "queue": "queue"}
    letter = received(**{"x-death": [death], "x-delivery-count": 21}).letter()
    assert "21 times" in letter.reason
    assert letter.died_at == NOW


@pytest.mark.parametrize("deaths", ["no list", [], ["no table"], [{"time": "no time"}]])
def test_whatever_stands_where_the_broker_writes_is_read(deaths: object) -> None:
    letter = received(**{"x-death": deaths}).letter()
    assert letter.reason.startswith("the broker gave it up")
    assert letter.died_at is None


def test_a_message_without_an_id_has_the_same_one_at_each_delivery() -> None:
    one, two = (Received(tag, pika.BasicProperties(), b'{"metadata": {}, "payload": 1}') for tag in (1, 2))
    other = Received(1, pika.BasicProperties(), b'{"metadata": {}, "payload": 2}')
    assert one.task().id == two.task().id != other.task().id


def test_unreadable_properties_make_no_task() -> None:
    with pytest.raises(MessageUndecodable, match="properties cannot be read"):
        evolve(received(), properties=UnreadableProperties()).task()


def test_headers_that_are_no_text_are_neither_read_nor_sent_again() -> None:
    message = received()
    message.properties.headers.update({b"\xff": "value", "mutirao-failed": b"\xff"})
    for again in (message.as_it_came("queue"), message.dead("queue", "no task", NOW, None)):
        assert Received(1, again.properties, again.body).task() == TASK
        assert b"\xff" not in again.properties.headers


def test_a_count_of_returns_that_is_none_counts_as_none() -> None:
    assert received(**{"x-delivery-count": "many"}).returns == 0
    assert received(**{"x-delivery-count": 4}).returns == 4
