/** Opens the details of a message: who reacted, who read it, earlier texts. */
import type { ClientMessage } from "../../../model/state.ts";
import { QUERY_REACTIONS_LIMIT } from "../../../wire/constants.ts";
import type { Reaction } from "../../../wire/entities/message.ts";
import { openPanel, type NavigationPorts } from "../../navigation/open-channel.ts";
import { earlierTexts } from "../../screen/edit-history.ts";
import { showError } from "../../screen/notices.ts";

/** Shows what is held at once, and loads further reactions. */
export function showAbout(ports: NavigationPorts, message: ClientMessage): void {
  const { core, store } = ports;
  const { id, cid, parent_id: parentId, latest_reactions: loaded } = message;
  const inThread = parentId !== undefined && !message.show_in_channel;
  const before = earlierTexts(core, id);
  openPanel(ports, {
    kind: "about",
    cid,
    ...(inThread && { parentId }),
    id,
    before,
    reactions: loaded,
  });
  const total = Object.values(message.reaction_groups).reduce((sum, { count }) => sum + count, 0);
  if (total <= loaded.length) return;
  const showReactions = (reactions: readonly Reaction[]): void =>
    store.update((s) => ({
      ...s,
      panels: s.panels.map((panel) =>
        panel.kind === "about" && panel.id === id ? { ...panel, reactions } : panel,
      ),
    }));
  core
    .call("queryReactions", { path: { id }, body: { limit: QUERY_REACTIONS_LIMIT[1] } })
    .then(({ reactions }) => showReactions(reactions ?? loaded))
    .catch((error: unknown) => showError(ports, error));
}
