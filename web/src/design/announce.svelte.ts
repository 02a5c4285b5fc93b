/** What a screen reader is told, politely: what is said at the same moment is told together, and nothing of it is lost. */
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
    // a no-break space at the end makes the same line twice two different lines
    this.line = this.#count % 2 ? text : `${text}\u00a0`;
  }
}

export const announcer = new Announcer();
