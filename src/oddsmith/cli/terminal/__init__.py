"""What commands share: the console, prompts, and the files that they write."""
