/** Short sounds, made in the browser; off unless the user has switched them on. */
import { settings } from "../settings.svelte";

type Sound = "card" | "roll" | "win" | "lose" | "turn";
const NOTES: Record<Sound, [number, number][]> = {
  card: [[520, 0.04]],
  roll: [[180, 0.05], [240, 0.05], [160, 0.06]],
  win: [[523, 0.12], [659, 0.12], [784, 0.2]],
  lose: [[311, 0.16], [233, 0.26]],
  turn: [[660, 0.08], [880, 0.1]],
};
let context: AudioContext | null = null;

export function play(sound: Sound): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [frequency, seconds] of NOTES[sound]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.08, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds * 0.9;
  }
}
