/** Cards and dice in the picture of a game; null is a card face down. */
export type Thing = { card: string | null } | { face: number; locked: boolean };

export const cards = (...texts: (string | null)[]): Thing[] => texts.map((card) => ({ card }));
