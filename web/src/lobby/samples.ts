/** What lies in the picture of a game: cards, null for one that lies face down, and dice. */
export type Thing = { card: string | null } | { face: number; locked: boolean };

export const cards = (...texts: (string | null)[]): Thing[] => texts.map((card) => ({ card }));
