"""Settings come from the environment and `.env`; what is wrong with them is said all at once."""

import socket
from pathlib import Path

import pytest
from attrs import evolve

from app import ConfigurationError, MutiraoError, Settings
from app.settings import SettingRow, load_settings


def rows(settings: Settings) -> dict[str, SettingRow]:
    return {row.name: row for row in settings.describe()}


def problems_of(environment: dict[str, str]) -> str:
    with pytest.raises(ConfigurationError) as problem:
        Settings.from_env(environment)
    return str(problem.value)


@pytest.fixture
def key(tmp_path: Path) -> str:
    path = tmp_path / "key.json"
    path.write_text("{}")
    return str(path)


class TestDefaults:
    def test_work_is_shared_through_a_file_under_the_hosts_name(self) -> None:
        settings = Settings.from_env({})
        assert settings == Settings()
        assert settings.coordination_url == "sqlite:///mutirao.db"
        assert settings.worker_name == socket.gethostname()
        assert (settings.lease_ttl, settings.max_attempts, settings.max_crashes) == (300, 1, 5)

    @pytest.mark.parametrize(("ttl", "interval"), [("300", 30), ("1h", 30), ("60", 6), ("2s", 0.2)])
    def test_a_heartbeat_is_sent_ten_times_a_lease_and_twice_a_minute_at_least(self, ttl: str, interval: float) -> None:
        assert Settings.from_env({"LEASE_TTL": ttl}).heartbeat_interval == interval

    def test_an_empty_variable_counts_as_unset(self) -> None:
        assert Settings.from_env({"LEASE_TTL": "", "COORDINATION_URL": " ", "SCAN_LIMIT": ""}) == Settings()


class TestReading:
    def test_each_kind_of_value_is_read_as_people_write_it(self) -> None:
        settings = Settings.from_env(
            {
                "LEASE_TTL": "5m",
                "MAX_ATTEMPTS": "-1",
                "SCAN_SHORTS": "Não",
                "SCAN_LIVE": "on",
                "SCAN_LIMIT": " 7 ",
                "YTDLP_EXTRACTORS": "youtube, generic",
                "YTDLP_OPTIONS": '{"retries": 5}',
                "LOG_FORMAT": "JSON",
                "SSRF_POLICY": "10.0.0.0/8,api.example",
            }
        )
        assert settings.lease_ttl == 300
        assert settings.max_attempts == -1
        assert (settings.scan_shorts, settings.scan_live, settings.scan_limit) == (False, True, 7)
        assert settings.ytdlp_extractors == ("youtube", "generic")
        assert settings.ytdlp_options == {"retries": 5}
        assert settings.log_format == "json"
        assert settings.ssrf_policy == ("10.0.0.0/8", "api.example")

    def test_the_scans_filters_are_what_a_source_is_scanned_with(self) -> None:
        options = Settings.from_env(
            {
                "SCAN_TITLE": "aula",
                "SCAN_MIN_DURATION": "1m",
                "SCAN_MAX_DURATION": "1h",
                "SCAN_SHORTS": "no",
                "SCAN_LIVE": "no",
                "SCAN_LIMIT": "9",
            }
        ).scan_options
        assert (options.title, options.min_duration, options.max_duration) == ("aula", 60, 3600)
        assert (options.shorts, options.live, options.limit) == (False, False, 9)

    def test_an_old_name_is_understood_and_the_new_one_wins(self) -> None:
        old = {"BOREAL_RABBITMQ_URL": "amqp://old"}
        assert Settings.from_env(old).broker_url == "amqp://old"
        assert Settings.from_env({**old, "BROKER_URL": "amqp://new"}).broker_url == "amqp://new"
        assert Settings.from_env({**old, "BROKER_URL": ""}).broker_url == "amqp://old"


class TestSpreadsheet:
    def test_a_spreadsheet_with_an_account_is_the_store(self, key: str) -> None:
        by_file = {"SPREADSHEET_ID": "abc", "SERVICE_ACCOUNT_FILE": key}
        assert Settings.from_env(by_file).coordination_url == "gsheets://abc"
        by_text = {"SPREADSHEET_ID": "abc", "SERVICE_ACCOUNT_JSON": "{}"}
        assert Settings.from_env(by_text).coordination_url == "gsheets://abc"

    @pytest.mark.parametrize("url", ["memory://", "sqlite:///mutirao.db"])
    def test_a_store_that_is_named_wins(self, key: str, url: str) -> None:
        environment = {"SPREADSHEET_ID": "abc", "SERVICE_ACCOUNT_FILE": key, "COORDINATION_URL": url}
        assert Settings.from_env(environment).coordination_url == url

    def test_a_spreadsheet_without_an_account_is_for_whatever_account_the_machine_is_given(self) -> None:
        assert Settings.from_env({"SPREADSHEET_ID": "abc"}).coordination_url == "gsheets://abc"

    def test_an_account_without_a_spreadsheet_is_refused(self, key: str) -> None:
        assert "SPREADSHEET_ID" in problems_of({"SERVICE_ACCOUNT_FILE": key})

    def test_an_account_beside_a_store_that_is_named_is_fine(self, key: str) -> None:
        environment = {"SERVICE_ACCOUNT_FILE": key, "COORDINATION_URL": "sqlite:///mutirao.db"}
        assert Settings.from_env(environment).service_account_file == key


class TestProblems:
    def test_each_is_reported_with_its_name_its_value_and_what_it_should_be(self) -> None:
        wrong = {
            "LEASE_TTL": ("soon", "a length of time"),
            "HEARTBEAT_INTERVAL": ("0", "a length of time above 0"),
            "MAX_ATTEMPTS": ("0", "a whole number of 1 or more, or -1"),
            "MAX_CRASHES": ("many", "a whole number of 1 or more"),
            "COORDINATION_URL": ("work.db", "a URL"),
            "SERVICE_ACCOUNT_FILE": ("/nowhere/key.json", "a file"),
            "SCAN_SHORTS": ("perhaps", "true or false"),
            "SCAN_TITLE": ("(", "a regular expression"),
            "YTDLP_COOKIES": ("/nowhere/cookies.txt", "a file"),
            "HTTP_DISPATCHER": ("wget", "one of curl, httpx"),
            "LOG_FORMAT": ("xml", "one of text, json"),
        }
        lines = problems_of({name: value for name, (value, _) in wrong.items()}).splitlines()
        for line, (name, (value, expected)) in zip(sorted(lines), sorted(wrong.items()), strict=True):
            assert line.startswith(f"{name} is {value!r}, but should be {expected}")

    @pytest.mark.parametrize("text", ["[1]", "{", "5"])
    def test_what_should_be_json_and_is_not_is_refused(self, text: str) -> None:
        problems = problems_of({"YTDLP_OPTIONS": text, "SERVICE_ACCOUNT_JSON": text})
        assert problems.count("but should be a JSON object") == 2

    def test_values_that_contradict_each_other_are_reported_beside_the_others(self) -> None:
        problems = problems_of(
            {
                "LEASE_TTL": "30s",
                "HEARTBEAT_INTERVAL": "20s",
                "SCAN_MIN_DURATION": "2h",
                "SCAN_MAX_DURATION": "1h",
                "BATCH": "none",
            }
        )
        for name in ("HEARTBEAT_INTERVAL", "SCAN_MIN_DURATION", "BATCH"):
            assert name in problems

    def test_a_heartbeat_may_be_a_third_of_the_lease(self) -> None:
        assert Settings.from_env({"LEASE_TTL": "30s", "HEARTBEAT_INTERVAL": "10s"}).heartbeat_interval == 10

    def test_a_change_that_leaves_a_contradiction_is_refused_too(self) -> None:
        with pytest.raises(ConfigurationError, match="HEARTBEAT_INTERVAL"):
            evolve(Settings(), lease_ttl=3)

    def test_it_is_an_error_of_ours_and_a_value_error(self) -> None:
        assert issubclass(ConfigurationError, MutiraoError)
        assert issubclass(ConfigurationError, ValueError)


SECRETS = {
    "COORDINATION_URL": "postgresql://maria:hunter2@db.example/work",
    "BROKER_URL": "amqp://maria:hunter2@mq.example/",
    "SERVICE_ACCOUNT_JSON": '{"private_key": "hunter2"}',
    "YTDLP_PROXY": "http://maria:hunter2@proxy.example",
    "YTDLP_OPTIONS": '{"password": "hunter2"}',
}


class TestSecrets:
    def test_no_secret_is_shown(self) -> None:
        settings = Settings.from_env(SECRETS)
        assert "hunter2" not in repr(settings) + str(settings) + str(settings.describe())
        assert "db.example" in repr(settings)

    @pytest.mark.parametrize("name", sorted(SECRETS))
    def test_no_problem_shows_one(self, name: str) -> None:
        wrong = SECRETS[name].replace("://", ":").replace("{", "[")
        environment = {name: wrong, "LEASE_TTL": "soon"}
        assert "hunter2" not in problems_of(environment)

    def test_a_secret_that_is_set_can_be_told_from_one_that_is_not(self) -> None:
        assert rows(Settings.from_env(SECRETS))["YTDLP_OPTIONS"].value
        assert not rows(Settings())["YTDLP_OPTIONS"].value


class TestDescription:
    def test_every_field_has_a_row_with_a_name_of_its_own_and_help(self) -> None:
        described = Settings().describe()
        assert len({row.name for row in described}) == len(described)
        assert all(row.help for row in described)
        assert all((row.value, row.origin) == (row.default, "default") for row in described)

    def test_a_row_tells_the_value_the_default_and_where_it_came_from(self) -> None:
        described = rows(Settings.from_env({"LEASE_TTL": "1m", "BOREAL_RABBITMQ_URL": "amqp://mq"}, worker_name="w"))
        ttl = described["LEASE_TTL"]
        assert (ttl.value, ttl.default, ttl.origin) == ("60", "300", "environment")
        assert described["BROKER_URL"].origin == "environment, as BOREAL_RABBITMQ_URL"
        assert described["WORKER_NAME"].origin == "code"

    def test_a_store_that_follows_from_the_spreadsheet_says_so(self, key: str) -> None:
        described = rows(Settings.from_env({"SPREADSHEET_ID": "abc", "SERVICE_ACCOUNT_FILE": key}))
        assert described["COORDINATION_URL"].value == "gsheets://abc"
        assert described["COORDINATION_URL"].origin == "SPREADSHEET_ID"

    def test_values_are_shown_as_they_would_be_written(self) -> None:
        environment = {"SCAN_SHORTS": "false", "YTDLP_EXTRACTORS": "youtube,generic", "SCAN_MIN_DURATION": "0.5"}
        described = rows(Settings.from_env(environment))
        assert {name: described[name].value for name in environment} == environment

    def test_repr_shows_what_differs_from_the_defaults(self) -> None:
        assert repr(Settings()) == "Settings()"
        assert repr(Settings(batch=7)) == "Settings(BATCH=7)"


@pytest.mark.usefixtures("bare_environment")
class TestDotenv:
    def test_the_environment_wins_over_the_file(self, bare_environment: pytest.MonkeyPatch) -> None:
        Path(".env").write_text("WORKER_NAME=from-file\nLEASE_TTL=2m\n")
        bare_environment.setenv("WORKER_NAME", "from-environment")
        settings = load_settings()
        assert (settings.worker_name, settings.lease_ttl) == ("from-environment", 120)
        assert rows(settings)["LEASE_TTL"].origin == str(Path(".env").resolve())

    def test_what_is_given_in_code_wins_over_both(self, bare_environment: pytest.MonkeyPatch) -> None:
        Path(".env").write_text("WORKER_NAME=from-file\n")
        bare_environment.setenv("WORKER_NAME", "from-environment")
        assert load_settings(worker_name="given").worker_name == "given"

    def test_an_empty_variable_takes_the_files_back(self, bare_environment: pytest.MonkeyPatch) -> None:
        Path(".env").write_text("LEASE_TTL=2m\n")
        bare_environment.setenv("LEASE_TTL", "")
        assert load_settings().lease_ttl == 300

    def test_an_old_name_in_the_environment_wins_over_the_new_one_in_the_file(
        self, bare_environment: pytest.MonkeyPatch
    ) -> None:
        Path(".env").write_text("BROKER_URL=amqp://file\n")
        bare_environment.setenv("BOREAL_RABBITMQ_URL", "amqp://environment")
        assert load_settings().broker_url == "amqp://environment"

    def test_a_file_further_up_is_found(self, bare_environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / ".env").write_text("LEASE_TTL=2m\n")
        (tmp_path / "deep" / "down").mkdir(parents=True)
        bare_environment.chdir(tmp_path / "deep" / "down")
        assert load_settings().lease_ttl == 120

    def test_a_byte_order_mark_is_no_part_of_the_first_name(self) -> None:
        Path(".env").write_text("LEASE_TTL=2m\n", encoding="utf-8-sig")
        assert load_settings().lease_ttl == 120

    def test_a_file_that_is_no_text_is_a_configuration_error(self) -> None:
        Path(".env").write_bytes(b"LEASE_TTL=\xff\xfe\n")
        with pytest.raises(ConfigurationError, match=r"\.env cannot be read"):
            load_settings()

    def test_the_file_changes_nothing_in_the_environment(self, bare_environment: pytest.MonkeyPatch) -> None:
        Path(".env").write_text("LEASE_TTL=2m\n")
        load_settings()
        Path(".env").write_text("")
        assert load_settings().lease_ttl == 300
