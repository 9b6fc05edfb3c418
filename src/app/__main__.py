"""``python -m app``, and the script ``mutirao``."""

import sys


def main() -> None:
    """Run the command line, and exit."""
    try:
        # within reach of Ctrl-C, which may come before all is imported
        from app.cli.streams import ready_streams

        ready_streams()
        from app.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
