"""`make bench`: every benchmark in turn. Each can be run alone: ``python -m benchmarks.store``."""

import importlib

BENCHMARKS = ("startup", "store", "expansion", "dispatch")


def main() -> None:
    for name in BENCHMARKS:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n== {name}: {(module.__doc__ or '').splitlines()[0]}\n", flush=True)
        module.main()


if __name__ == "__main__":
    main()
