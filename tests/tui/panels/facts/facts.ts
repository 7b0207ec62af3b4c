/** A page of rows as its recipe says. */
import { pagePanel } from "../../../../src/tui/components/page.tsx";
import { panelPushed } from "../../../../src/tui/screen/transitions.ts";

export const facts = pagePanel({
  name: "facts",
  title: "Facts",
  show: {
    title: "Facts of this channel",
    run: ({ store }) => store.update((s) => panelPushed(s, { name: "facts", key: s.cid!, cid: s.cid! })),
  },
  rows: ({ context }) => Array.from({ length: 60 }, (_, i) => context.theme.bold(` fact ${i}`)),
});
