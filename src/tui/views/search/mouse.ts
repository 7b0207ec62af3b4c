/** The mouse in the search: a click opens a result, the wheel moves the selection. */
import { belowTitle } from "../../screen/layout.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { MouseZone } from "../../ports/ports.ts";
import { topPanel } from "../../screen/screen.ts";
import { openResult, searchStep } from "./actions.ts";
import { resultLineAt } from "./rows.ts";

export const searchZone: MouseZone = {
  rect: ({ layout, screen }) => (topPanel(screen)?.kind === "search" ? layout.panel : undefined),
  click(ports, { y }, rect) {
    const { state, screen, look, now } = ports.store.get();
    const { width, height } = belowTitle(rect);
    const at = { theme: look.theme, utc: look.utc, width, height, now };
    const line = resultLineAt(at, state, screen.search, y - 1);
    if (line) openResult(ports, line);
    else ports.store.update((s) => withFocus(s, "panel"));
  },
  wheel: (ports, rows) => searchStep(Math.sign(rows))(ports),
};
