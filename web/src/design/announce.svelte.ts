/** Lines for the polite live region; lines within 100 ms are joined, so that none replaces another. */
const JOIN_MS = 100;

class Announcer {
  line = $state("");
  #pending: string[] = [];
  #count = 0;

  say(text: string): void {
    if (!text) return;
    if (!this.#pending.length) setTimeout(() => this.#flush(), JOIN_MS);
    this.#pending.push(text);
  }

  #flush(): void {
    const text = this.#pending.splice(0).join(" ");
    this.#count += 1;
    // a trailing no-break space makes a repeated line differ, so that it is read again
    this.line = this.#count % 2 ? text : `${text}\u00a0`;
  }
}

export const announcer = new Announcer();
