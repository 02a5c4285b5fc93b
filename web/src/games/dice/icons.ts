/** Icons of the kinds of dice, as strokes in a square of 24; no kind is marked by colour alone. */
export type DieIcon = { path?: string; text?: string };

const ICONS: Record<string, DieIcon> = {
  weighted: { path: "M12 4v16M7 20h10M4 8h16M4 8l-2.500 6h5zM20 8l-2.500 6h5z" },
  light: { path: "M5 20C6 11 11 5 20 4c0 8-5 12-12 12M5 20l9-10" },
  heavy: { path: "M9 8a3 3 0 1 1 6 0M7 8h10l3 12H4z" },
  glass: { path: "M12 3l8 8-8 10-8-10zM4 11h16M12 3l-3 8 3 10 3-10z" },
  odd: { text: "135" },
  even: { text: "246" },
  wild: { path: "M12 3l2.700 5.800 6.300.8-4.600 4.300 1.200 6.300L12 17.100 6.400 20.200l1.200-6.300L3 9.600l6.300-.8z" },
  mirror: { path: "M12 3v18M9 7L3 12l6 5zM15 7l6 5-6 5z" },
  echo: { path: "M6 12h.01M10 8a5.500 5.500 0 0 1 0 8M14 5a10 10 0 0 1 0 14M18 2.500a15 15 0 0 1 0 19" },
};

/** Kinds with a drawing of their own; others have their first letter. */
export const DRAWN = new Set(["normal", ...Object.keys(ICONS)]);

/** Return the icon of a kind; null for the normal one. */
export function iconOf(kind: string, normal: string): DieIcon | null {
  if (kind === normal && !(kind in ICONS)) return null;
  return ICONS[kind] ?? { text: kind.charAt(0).toUpperCase() };
}
