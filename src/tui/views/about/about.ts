/** The details of a message in the panel: who reacted, who read it, earlier texts. */
import type { ClientMessage } from "../../../model/state.ts";
import { QUERY_REACTIONS_LIMIT } from "../../../wire/constants.ts";
import type { AnyEvent } from "../../../wire/events.ts";
import type { Reaction } from "../../../wire/entities/message.ts";
import { words } from "../../../text/words.ts";
import { pagePanel, type PageState } from "../../components/page.tsx";
import { openPanel, type NavigationPorts } from "../../navigation/open-channel.ts";
import { earlierTexts, saveEarlierText, type EarlierText } from "../../screen/edit-history.ts";
import { showError } from "../../screen/notices.ts";
import { panelsChanged } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { aboutRows } from "./rows.ts";

const ABOUT = "about";

/** The key is the id of the message. */
interface AboutPanel extends PageState {
  readonly parentId?: string;
  readonly reactions: readonly Reaction[];
  readonly before: readonly EarlierText[];
}

export const aboutPanel = ({
  id,
  ...about
}: Pick<AboutPanel, "cid" | "parentId" | "reactions" | "before"> & { id: string }): AboutPanel => ({
  name: ABOUT,
  key: id,
  ...about,
});

export const about = pagePanel<AboutPanel>({
  name: ABOUT,
  title: words.panels.about,
  rows({ entry, panel, state, width, context }) {
    const message = messageIn(state, panel, panel.key);
    if (!message) return [context.theme.dim(` ${words.about.gone}`)];
    const before = message.type === "deleted" ? [] : panel.before;
    const reactions = reactionsOf(message, panel);
    return aboutRows({ entry, message, reactions, before, width, context });
  },
});

/** Those of the message itself if they are all, as they are newer than what was loaded. */
const reactionsOf = (
  { reaction_groups: groups, latest_reactions: latest }: ClientMessage,
  { reactions }: AboutPanel,
): readonly Reaction[] => (totalOf(groups) <= latest.length ? latest : reactions);

const totalOf = (groups: ClientMessage["reaction_groups"]): number =>
  Object.values(groups).reduce((sum, { count }) => sum + count, 0);

/** Saves what an edit replaced, and shows it if the details of the message are open. */
export function noteEdit({ core, store }: Pick<NavigationPorts, "core" | "store">, event: AnyEvent): void {
  const id = saveEarlierText(core, event);
  if (id === undefined) return;
  const before = earlierTexts(core, id);
  store.update((s) => panelsChanged<AboutPanel>(s, { name: ABOUT, key: id }, (one) => ({ ...one, before })));
}

/** Shows what is held at once, and loads further reactions. */
export function showAbout(ports: NavigationPorts, message: ClientMessage): void {
  const { core, store } = ports;
  const { id, cid, parent_id: parentId, latest_reactions: loaded } = message;
  const inThread = parentId !== undefined && !message.show_in_channel;
  const before = earlierTexts(core, id);
  const panel = aboutPanel({ cid, ...(inThread && { parentId }), id, before, reactions: loaded });
  openPanel(ports, panel);
  if (totalOf(message.reaction_groups) <= loaded.length) return;
  const showReactions = (reactions: readonly Reaction[]): void =>
    store.update((s) => panelsChanged<AboutPanel>(s, panel, (one) => ({ ...one, reactions })));
  core
    .call("queryReactions", { path: { id }, body: { limit: QUERY_REACTIONS_LIMIT[1] } })
    .then(({ reactions }) => showReactions(reactions ?? loaded))
    .catch((error: unknown) => showError(ports, error));
}
