/** The user's settings in this browser; colours and motion follow the system by default. */
import { saveSetting, loadSetting } from "./api/storage";
import { words } from "./text";

const THEMES = ["auto", "light", "dark"] as const;
const MOTIONS = ["auto", "full", "reduced"] as const;
export type Theme = (typeof THEMES)[number];
export type Motion = (typeof MOTIONS)[number];

class Settings {
  theme = $state<Theme>(loadSetting<Theme>("theme", "auto", THEMES));
  motion = $state<Motion>(loadSetting<Motion>("motion", "auto", MOTIONS));
  sound = $state(loadSetting<boolean>("sound", false));
  name = $state(loadSetting<string>("name", ""));
  coach = $state(loadSetting<boolean>("coach", false));

  get playerName(): string {
    return this.name.trim() || words.common.settings.defaultName;
  }

  /** Whether motion is to be reduced. */
  get reducesMotion(): boolean {
    return this.motion === "reduced" || (this.motion === "auto" && matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  /** Apply the settings to the page, and store them. */
  follow(): void {
    $effect(() => {
      const root = document.documentElement;
      if (this.theme === "auto") root.removeAttribute("data-theme");
      else root.dataset.theme = this.theme;
      if (this.motion === "auto") root.removeAttribute("data-motion");
      else root.dataset.motion = this.motion;
    });
    $effect(() => saveSetting("theme", this.theme));
    $effect(() => saveSetting("motion", this.motion));
    $effect(() => saveSetting("sound", this.sound));
    $effect(() => saveSetting("name", this.name));
    $effect(() => saveSetting("coach", this.coach));
  }
}

export const settings = new Settings();
