/** The mouse in the list of a channel's files: a click selects a line, a second one opens it. */
import { belowTitle, type Rect } from "../../screen/layout.ts";
import type { Ports } from "../../ports/ports.ts";
import { withFocus } from "../../screen/transitions.ts";
import { filesPanel, openLine, selectFile, shownFileLines } from "./actions.ts";
import { fileLineAt } from "./rows.ts";

/** `y`: from the top of the panel, including the title. */
export function clickFiles(ports: Ports, y: number, rect: Rect): void {
  const panel = filesPanel(ports);
  if (!panel || y < 1) return;
  const { length } = shownFileLines(ports, panel);
  const at = fileLineAt(panel, length, belowTitle(rect).height, y - 1);
  if (at >= length) return;
  const wasSelected = ports.store.screen.focus === "panel" && panel.selected === at;
  ports.store.update((s) => withFocus(s, "panel"));
  if (wasSelected) openLine(ports);
  else selectFile(ports, () => at);
}
