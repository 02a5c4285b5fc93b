"""High roll: roll a die, and once more if you like; the highest die wins."""
