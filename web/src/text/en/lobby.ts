export const lobby = {
  home: {
    line: "Choose a mechanic. Play it against bots or a friend, or see its odds, counted to the last card.",
    play: "Play",
    odds: "Odds",
  },
};
