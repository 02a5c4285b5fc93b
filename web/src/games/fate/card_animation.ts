/** The animation of a card that comes from the deck and turns over; none with reduced motion. */
import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import { settings } from "../../settings.svelte";

export function dealCard(_node: Element, { order }: { order: number }): TransitionConfig {
  if (settings.reducesMotion) return { duration: 0 };
  return {
    delay: order * 160,
    duration: 560,
    easing: cubicOut,
    css: (_there, away) => `transform: perspective(800px) translate(${-away * 150}px, ${-away * 24}px) rotateY(${away * 180}deg)`,
  };
}
