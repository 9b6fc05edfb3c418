"""yt-gsheet-orchestrator over a Sheets server at another address, its sleeps summed up instead of slept.

usage: prior_sheets.py URL ACCOUNT_FILE SPREADSHEET TASKS
"""

import json
import logging
import sys
import time

import requests

url, account, spreadsheet, wanted = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
slept = 0.0
now = time.time


def sleep(seconds: float) -> None:
    global slept  # noqa: PLW0603 - a patch of another program's time
    slept += seconds


send = requests.adapters.HTTPAdapter.send


def elsewhere(self, request, **options):  # type: ignore[no-untyped-def]
    request.url = request.url.replace("https://sheets.googleapis.com", url).replace("https://www.googleapis.com", url)
    return send(self, request, **options)


time.sleep = sleep
time.time = lambda: now() + slept
requests.adapters.HTTPAdapter.send = elsewhere
logging.disable(logging.CRITICAL)

from orc import Config, Orchestrator  # noqa: E402

orchestrator = Orchestrator(Config(worker_name="prior", spreadsheet_id=spreadsheet, service_account_file=account))
print(json.dumps({"ready": True}), flush=True)
sys.stdin.readline()
began = slept
done = 0
while done < wanted and orchestrator.process_next_task(lambda _url: None):
    done += 1
    orchestrator.send_heartbeat()
print(json.dumps({"tasks": done, "slept": slept - began}), flush=True)
