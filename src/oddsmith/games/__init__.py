"""The mechanics that come with oddsmith, a folder for each."""
