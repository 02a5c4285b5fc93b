/** Lines for the polite live region; lines within 100 ms are joined, so that none replaces another. */
const MOMENT = 100;

class Announcer {
  line = $state("");
  #said: string[] = [];
  #count = 0;

  say(text: string): void {
    if (!text) return;
    if (!this.#said.length) setTimeout(() => this.#tell(), MOMENT);
    this.#said.push(text);
  }

  #tell(): void {
    const text = this.#said.splice(0).join(" ");
    this.#count += 1;
    // a trailing no-break space makes a repeated line differ, so that it is read again
    this.line = this.#count % 2 ? text : `${text}\u00a0`;
  }
}

export const announcer = new Announcer();
