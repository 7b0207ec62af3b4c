/** Opens the details of a message: who reacted, who read it, what it said before. */
import type { HeldMessage } from "../../../model/state.ts";
import { QUERY_REACTIONS_LIMIT } from "../../../wire/constants.ts";
import type { Reaction } from "../../../wire/entities/message.ts";
import { openPanel, type Opening } from "../../navigation/opening.ts";
import { panelChanged } from "../../screen/transitions.ts";
import { earlierTexts } from "../../screen/edit-history.ts";
import { showError } from "../../screen/notices.ts";

/** What is held is shown at once; reactions beyond the newest come then. */
export function showAbout(ports: Opening, message: HeldMessage): void {
  const { core, store } = ports;
  const { id, cid, parent_id: parentId, latest_reactions: held } = message;
  const inThread = parentId !== undefined && !message.show_in_channel;
  const before = earlierTexts(core, id);
  openPanel(ports, {
    kind: "about",
    cid,
    ...(inThread && { parentId }),
    id,
    before,
    reactions: held,
  });
  const total = Object.values(message.reaction_groups).reduce((sum, { count }) => sum + count, 0);
  if (total <= held.length) return;
  const found = (reactions: readonly Reaction[]): void =>
    store.update((s) =>
      panelChanged(s, "about", (panel) => (panel.id === id ? { ...panel, reactions } : panel)),
    );
  core
    .call("queryReactions", { path: { id }, body: { limit: QUERY_REACTIONS_LIMIT[1] } })
    .then(({ reactions }) => found(reactions ?? held))
    .catch((error: unknown) => showError(ports, error));
}
