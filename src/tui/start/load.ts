/** Loads the user's channels at the start. */
import type { Core } from "../../core/core.ts";
import { openFirst, openWanted } from "./first-channel.ts";
import type { Ports } from "../ports/ports.ts";
import { attempt, showError } from "../screen/notices.ts";

/** Channels of one answer. */
const PAGE = 30;
/** The provider refuses offsets beyond this. */
const MAX_OFFSET = 1000;

const listOf = (me: string) => ({
  filter_conditions: { members: { $in: [me] } },
  sort: [{ field: "last_message_at", direction: -1 as const }],
});

/**
 * The channels of the user with their newest messages, watched. Those that are held already are asked for anew by the
 * recovery of the link: of them the list needs the names only.
 */
export async function loadChannels(core: Core): Promise<void> {
  const me = core.userId;
  if (me === undefined) return;
  const held = new Set(core.state().channels.keys());
  const whole = (offset: number): Promise<readonly string[]> => watched(core, { ...listOf(me), offset });
  if ((await whole(0)).length < PAGE) return;
  if (held.size <= PAGE) return loadPages(whole);
  await loadPages(async (offset) => {
    const cids = await namesAt(core, me, offset);
    const unknown = cids.filter((cid) => !held.has(cid));
    if (unknown.length > 0) await watched(core, { filter_conditions: { cid: { $in: unknown } } });
    return cids;
  });
}

/** The pages behind the first one, up to the last that the provider gives. */
async function loadPages(page: (offset: number) => Promise<readonly string[]>): Promise<void> {
  for (let offset = PAGE; offset <= MAX_OFFSET - PAGE; offset += PAGE)
    if ((await page(offset)).length < PAGE) return;
}

const watched = (core: Core, which: Parameters<Core["queryChannels"]>[0]): Promise<readonly string[]> =>
  core.queryChannels({
    ...which,
    state: true,
    watch: true,
    presence: true,
    limit: PAGE,
    message_limit: 25,
    member_limit: 100,
  });

async function namesAt(core: Core, me: string, offset: number): Promise<string[]> {
  const body = { ...listOf(me), offset, limit: PAGE, state: false, watch: false, presence: false };
  const { channels = [] } = await core.call("queryChannels", { body, retries: 1 });
  return channels.map(({ channel }) => channel.cid);
}

/** The sidebar counts unread threads and what is due; what does not come is asked for again when its list is opened. */
function loadOwn({ threads, reminders }: Core): void {
  for (const list of [threads, reminders]) list.load().catch(() => {});
}

/** Loads the channels once the link is there, and opens the one that is wanted. */
export function loadOnce(ports: Ports, connected: Promise<unknown>, wanted: string | undefined): void {
  const { core, store } = ports;
  const loaded = (): void => store.update((screen) => ({ ...screen, loading: false }));
  const load = (): Promise<void> =>
    loadChannels(core)
      .finally(loaded)
      .then(() => loadOwn(core))
      .then(() => (wanted === undefined ? openFirst(ports, undefined) : openWanted(ports, wanted)));
  /** The first attempt came to nothing: what the screen shows is from before, until one succeeds. */
  const later = (error: Error): void => {
    loaded();
    // Where the header names it, nothing has to be said twice.
    if (store.state.link.cause === undefined) showError(ports, error);
    const stop = core.on("connection.changed", () => {
      stop();
      attempt(ports, load());
    });
  };
  attempt(ports, connected.then(load, later));
}
