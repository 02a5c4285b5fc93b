"""The console, prompts and written files of all commands."""
