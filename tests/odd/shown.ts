/** What the screen shows of a core's state: the texts by channel, and the rows, which must not throw. */
import type { Core } from "../../src/core/core.ts";
import { messageRows } from "../../src/tui/render/message.ts";
import { makeTheme } from "../../src/tui/render/theme.ts";
import { sidebarLines, sidebarWindow } from "../../src/tui/views/sidebar/lines.ts";
import { sidebarRows } from "../../src/tui/views/sidebar/rows.ts";
import { NO_COUNTS } from "../support/fake-core.ts";

const theme = makeTheme(0);

/** The texts of the messages that are shown, by channel. */
export const shownIn = (core: Core): Record<string, string[]> =>
  Object.fromEntries(
    [...core.state().channels].map(([cid, { sets }]) => [
      cid,
      sets.flatMap(({ messages }) => [...messages].map(({ text }) => text)),
    ]),
  );

/** Draws what the screen shows of it; a throw fails the run. */
export function draw(core: Core): void {
  const state = core.state();
  const now = core.providerNow();
  const lines = sidebarLines({
    state,
    open: undefined,
    folded: new Set(),
    drafts: new Set(),
    counts: NO_COUNTS,
    now,
  });
  sidebarRows(sidebarWindow(lines, 40, 0, undefined), { theme, width: 24, cursor: undefined });
  const context = { width: 84, theme, now, utc: true, me: { id: "mira" } };
  for (const { sets } of state.channels.values())
    for (const { messages } of sets) for (const message of messages) messageRows(message, context);
}
