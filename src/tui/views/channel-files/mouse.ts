/** The mouse in the list of a channel's files: a click selects a line, a second one opens it. */
import { belowTitle, type Rect } from "../../screen/layout.ts";
import type { Ports } from "../../screen/ports.ts";
import { focused } from "../../screen/moves.ts";
import { filesPanel, openLine, select, shownLines } from "./actions.ts";
import { lineAt } from "./rows.ts";

/** `y` from the top of the panel, its title included. */
export function clickFiles(ports: Ports, y: number, rect: Rect): void {
  const panel = filesPanel(ports);
  if (!panel || y < 1) return;
  const { length } = shownLines(ports, panel);
  const at = lineAt(panel, length, belowTitle(rect).height, y - 1);
  if (at >= length) return;
  const had = ports.store.screen.focus === "panel" && panel.selected === at;
  ports.store.now((s) => focused(s, "panel"));
  if (had) openLine(ports);
  else select(ports, () => at);
}
