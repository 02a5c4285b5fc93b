/** What the user has set for this browser; colours and movement follow the system unless told otherwise. */
import { keepSetting, keptSetting } from "./api/keeping";
import { words } from "./text";

export type Theme = "auto" | "light" | "dark";
export type Motion = "auto" | "full" | "reduced";

class Settings {
  theme = $state<Theme>(keptSetting("theme", "auto"));
  motion = $state<Motion>(keptSetting("motion", "auto"));
  sound = $state<boolean>(keptSetting("sound", false));
  name = $state<string>(keptSetting("name", ""));
  coach = $state<boolean>(keptSetting("coach", false));

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
