/** What the user has set for this browser; colours and movement follow the system unless told otherwise. */
import { keepSetting, keptSetting } from "./api/keeping";
import { words } from "./text";

const THEMES = ["auto", "light", "dark"] as const;
const MOTIONS = ["auto", "full", "reduced"] as const;
export type Theme = (typeof THEMES)[number];
export type Motion = (typeof MOTIONS)[number];

class Settings {
  theme = $state<Theme>(keptSetting<Theme>("theme", "auto", THEMES));
  motion = $state<Motion>(keptSetting<Motion>("motion", "auto", MOTIONS));
  sound = $state(keptSetting<boolean>("sound", false));
  name = $state(keptSetting<string>("name", ""));
  coach = $state(keptSetting<boolean>("coach", false));

  get playerName(): string {
    return this.name.trim() || words.house.settings.defaultName;
  }

  /** Whether things should move as little as possible. */
  get isStill(): boolean {
    return this.motion === "reduced" || (this.motion === "auto" && matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  /** Let the page follow the settings, and keep them. */
  follow(): void {
    $effect(() => {
      const root = document.documentElement;
      if (this.theme === "auto") root.removeAttribute("data-theme");
      else root.dataset.theme = this.theme;
      if (this.motion === "auto") root.removeAttribute("data-motion");
      else root.dataset.motion = this.motion;
    });
    $effect(() => keepSetting("theme", this.theme));
    $effect(() => keepSetting("motion", this.motion));
    $effect(() => keepSetting("sound", this.sound));
    $effect(() => keepSetting("name", this.name));
    $effect(() => keepSetting("coach", this.coach));
  }
}

export const settings = new Settings();
