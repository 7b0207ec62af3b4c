/** Opens the theme picker; effects/theme-preview.ts previews the selected theme. */
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { openPicker } from "../../screen/notices.ts";

export function openThemes({ store, themes }: Pick<Ports, "store" | "themes">): void {
  const all = themes.list();
  const current = themes.chosen();
  const selected = Math.max(
    0,
    all.findIndex(({ name }) => name === current),
  );
  const choices = all.map(({ name, words: detail }) => ({
    label: name,
    detail,
    value: name,
    ...(name === current && { mark: words.choices.current }),
  }));
  openPicker({ store }, { name: "theme", title: words.themes.title, selected, choices });
}
