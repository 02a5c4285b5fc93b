"""`python -m oddsmith` is `oddsmith`."""

from oddsmith.cli import main

if __name__ == "__main__":
    main()
