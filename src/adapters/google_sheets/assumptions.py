"""What the store takes for granted of Google and Google does not promise, each tried out in a scratch tab."""

from collections.abc import Awaitable, Callable, Sequence

from adapters.google_sheets import experiments_on_batches as batches
from adapters.google_sheets import experiments_on_cells as cells
from adapters.google_sheets.failures import Refused
from adapters.google_sheets.scratch import Scratch, relied_on, untold
from domain.errors import MutiraoError
from domain.finding import Finding

Experiment = Callable[[Scratch], Awaitable[Finding]]
EXPERIMENTS: Sequence[Experiment] = (
    batches.race_for_a_word,
    batches.missing_fence,
    batches.second_fence,
    batches.second_tab,
    batches.repeated_batch,
    batches.concurrent_appends,
    cells.appended_texts,
    cells.words,
    cells.exact_matching,
    cells.hidden_rows,
    cells.folding,
    cells.state_in_the_answer,
    cells.other_replacements,
    batches.other_duplicates,
)


async def tried(scratch: Scratch, experiments: Sequence[Experiment] = EXPERIMENTS) -> Sequence[Finding]:
    """What came of each experiment. One that could not be brought to its end is a warning, not a reason to stop."""
    findings = []
    for experiment in experiments:
        try:
            findings.append(await experiment(scratch))
        except Refused as refusal:
            findings.append(relied_on(_name(experiment), f"Google refused what it takes: {refusal}", holds=False))
        except MutiraoError as error:
            findings.append(untold(_name(experiment), str(error)))
    return findings


def _name(experiment: Experiment) -> str:
    return getattr(experiment, "__name__", "experiment").replace("_", " ")
