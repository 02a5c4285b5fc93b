"""The parts that a mechanic has without writing them: questions and bots that need nothing but its game."""
