/** The themes of this terminal: built-in ones and the person's files, reloaded when they change. */
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

interface ShelfOptions {
  level: Theme["level"];
  env: Readonly<Record<string, string | undefined>>;
  /** The setting. */
  chosen: string;
  /** Told what is wrong with a file. */
  fault(sentence: string): void;
}

export class ThemeShelf implements Themes {
  readonly #options: ShelfOptions;
  #chosen: string;
  /** The terminal told that its background is light. */
  #light = false;
  /** Faults that were told already. */
  #told = "";

  constructor(options: ShelfOptions) {
    this.#options = options;
    this.#chosen = options.chosen;
  }

  list(): { name: string; words: string }[] {
    const { env } = this.#options;
    const builtIn = Object.entries(BUILT_IN_THEMES).map(([name, said]) => ({ name, words: said }));
    const own = ownThemes(env).map((name) => ({ name, words: words.themes.own(themeFile(env, name)) }));
    return [{ name: "auto", words: words.themes.auto }, ...builtIn, ...own];
  }

  chosen(): string {
    return this.#chosen;
  }

  make(name: string): Theme {
    return makeTheme(this.#options.level, this.#palette(name), { styled: true });
  }

  choose(name: string): void {
    this.#chosen = name;
    this.#told = "";
  }

  /** What the terminal said of its background. */
  background(light: boolean): void {
    this.#light = light;
  }

  /** The file of the theme that was chosen; undefined where it has none. */
  file(): string | undefined {
    const name = this.#chosen;
    return name === "auto" || isBuiltInTheme(name) ? undefined : themeFile(this.#options.env, name);
  }

  #palette(name: string): BuiltIn | OwnPalette {
    if (isBuiltInTheme(name)) return name;
    if (name === "auto") return this.#light ? "light" : "dark";
    const { palette, faults } = readTheme(this.#options.env, name);
    const said = faults.join("\n");
    if (said !== this.#told && faults.length > 0)
      this.#options.fault(words.themes.fault(faults[0]!, faults.length - 1));
    this.#told = said;
    return palette ?? "dark";
  }
}
