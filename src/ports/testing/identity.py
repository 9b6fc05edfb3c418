"""The promises of `ports.identity`, as tests. Bind them to an adapter of your own::

class TestMyIdentity(WorkerIdentityContract):
    @pytest.fixture
    def start(self, tmp_path):
        return lambda: MyIdentity(tmp_path)
"""

from collections.abc import Callable

import pytest

from ports.identity import WorkerIdentity

Start = Callable[[], WorkerIdentity]

ODD_NAMES = ["maria.silva", "maria.souza", "maria", "a/b", "a_b", "..", "", "João 🎈", "w" * 300, "W" * 300 + "2"]


class WorkerIdentityContract:
    """Override `start`: each call gives what one more process of the same machine would have."""

    @pytest.fixture
    def start(self) -> Start:
        raise NotImplementedError("override the `start` fixture: return what makes a WorkerIdentity")

    def test_a_worker_goes_by_the_name_it_asked_for(self, start: Start) -> None:
        assert start().acquire("maria").name == "maria"

    def test_a_restarted_worker_is_the_same_worker(self, start: Start) -> None:
        earlier = start()
        worker = earlier.acquire("maria")
        earlier.release()
        assert start().acquire("maria") == worker

    def test_two_live_processes_are_two_workers(self, start: Start) -> None:
        one, other = start(), start()
        assert one.acquire("maria").id != other.acquire("maria").id

    def test_one_process_may_be_several_workers(self, start: Start) -> None:
        identity = start()
        assert len({identity.acquire("maria").id for _ in range(5)}) == 5

    def test_several_workers_restart_as_the_same_ones(self, start: Start) -> None:
        earlier, later = start(), start()
        workers = {earlier.acquire("maria") for _ in range(5)}
        earlier.release()
        assert {later.acquire("maria") for _ in range(5)} == workers

    def test_release_gives_up_what_this_process_has_and_no_more(self, start: Start) -> None:
        one, other = start(), start()
        kept, given_up = one.acquire("maria"), other.acquire("maria")
        other.release()
        later = start()
        assert later.acquire("maria") == given_up
        assert later.acquire("maria") != kept

    def test_release_is_idempotent(self, start: Start) -> None:
        identity = start()
        identity.release()
        worker = identity.acquire("maria")
        identity.release()
        identity.release()
        assert identity.acquire("maria") == worker

    def test_an_id_stays_with_its_name_whatever_it_is_made_of(self, start: Start) -> None:
        earlier, later = start(), start()
        workers = [earlier.acquire(name) for name in ODD_NAMES]
        assert len({worker.id for worker in workers}) == len(ODD_NAMES)
        earlier.release()
        assert [later.acquire(name) for name in reversed(ODD_NAMES)] == workers[::-1]
