/** What a screen reader is told: one polite line at a time, the newest last. */
class Announcer {
  line = $state("");
  #count = 0;

  say(text: string): void {
    if (!text) return;
    this.#count += 1;
    // a no-break space at the end makes the same line twice two different lines
    this.line = this.#count % 2 ? text : `${text}\u00a0`;
  }
}

export const announcer = new Announcer();
