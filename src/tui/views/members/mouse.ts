/** The mouse in the list of a channel's members: a click selects a line, a second one opens the person's menu. */
import type { Ports } from "../../ports/ports.ts";
import { belowTitle, type Rect } from "../../screen/layout.ts";
import { withFocus } from "../../screen/transitions.ts";
import { membersPanel, openMember, selectMember, shownMembers } from "./actions.ts";
import { memberCursor } from "./lines.ts";
import { memberLineAt } from "./rows.ts";

/** `y`: from the top of the panel, including the title. */
export function clickMembers(ports: Ports, y: number, rect: Rect): void {
  const panel = membersPanel(ports);
  const entry = panel && ports.store.state.channels.get(panel.cid);
  if (!entry || y < 1) return;
  const lines = shownMembers(ports, panel);
  const line = memberLineAt(panel, lines, entry, { height: belowTitle(rect).height, y: y - 1 });
  if (!line) return;
  const at = lines.indexOf(line);
  const wasSelected = ports.store.screen.focus === "panel" && memberCursor(panel, lines) === at;
  ports.store.update((s) => withFocus(s, "panel"));
  if (wasSelected) openMember(ports);
  else selectMember(ports, () => at);
}
