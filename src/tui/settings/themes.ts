/** The available themes: built-in ones and the user's theme files. */
import {
  BUILT_IN_THEMES,
  isBuiltInTheme,
  ownThemes,
  readTheme,
  themeFile,
  type BuiltIn,
  type OwnPalette,
} from "../../config/themes.ts";
import { words } from "../../text/words.ts";
import { makeTheme, type Theme } from "../render/theme.ts";
import type { Themes } from "../screen/host.ts";

interface ThemeLibraryOptions {
  level: Theme["level"];
  env: Readonly<Record<string, string | undefined>>;
  /** The value of the setting. */
  chosen: string;
  /** Receives a sentence about a fault in a theme file. */
  onFault(sentence: string): void;
}

export class ThemeLibrary implements Themes {
  readonly #options: ThemeLibraryOptions;
  #chosen: string;
  /** The terminal's background is light. */
  #light = false;
  /** Faults already reported. */
  #reported = "";

  constructor(options: ThemeLibraryOptions) {
    this.#options = options;
    this.#chosen = options.chosen;
  }

  list(): { name: string; words: string }[] {
    const { env } = this.#options;
    const builtIn = Object.entries(BUILT_IN_THEMES).map(([name, description]) => ({
      name,
      words: description,
    }));
    const userThemes = ownThemes(env).map((name) => ({
      name,
      words: words.themes.own(themeFile(env, name)),
    }));
    return [{ name: "auto", words: words.themes.auto }, ...builtIn, ...userThemes];
  }

  chosen(): string {
    return this.#chosen;
  }

  make(name: string): Theme {
    return makeTheme(this.#options.level, this.#palette(name), { styled: true, onLight: this.#light });
  }

  choose(name: string): void {
    this.#chosen = name;
    this.#reported = "";
  }

  setBackground(light: boolean): void {
    this.#light = light;
  }

  /** The file of the chosen theme; undefined for a built-in one. */
  file(): string | undefined {
    const name = this.#chosen;
    return name === "auto" || isBuiltInTheme(name) ? undefined : themeFile(this.#options.env, name);
  }

  #palette(name: string): BuiltIn | OwnPalette {
    if (isBuiltInTheme(name)) return name;
    if (name === "auto") return this.#light ? "light" : "dark";
    const { palette, faults } = readTheme(this.#options.env, name);
    const message = faults.join("\n");
    if (message !== this.#reported && faults.length > 0)
      this.#options.onFault(words.themes.fault(faults[0]!, faults.length - 1));
    this.#reported = message;
    return palette ?? "dark";
  }
}
