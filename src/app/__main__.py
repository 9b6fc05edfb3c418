"""``python -m app``, and the script ``mutirao``."""

from app.cli.main import main

if __name__ == "__main__":
    main()
