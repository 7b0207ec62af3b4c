/** The channels of the user, as far as a start asks for them. */
import type { Core } from "../core/core.ts";
import { openFirst, openWished } from "./first-channel.ts";
import type { Ports } from "./screen/ports.ts";
import { attempt, fail } from "./screen/telling.ts";

/** Channels asked for at the start; the rest comes with scrolling the list and with events. */
const FIRST_CHANNELS = 30;

/** The channels of the user with their newest messages, watched. */
export async function loadChannels(core: Core): Promise<void> {
  const me = core.userId;
  if (me === undefined) return;
  for (let offset = 0; ; offset += FIRST_CHANNELS) {
    const cids = await core.queryChannels({
      filter_conditions: { members: { $in: [me] } },
      sort: [{ field: "last_message_at", direction: -1 }],
      state: true,
      watch: true,
      presence: true,
      limit: FIRST_CHANNELS,
      offset,
      message_limit: 25,
      member_limit: 100,
    });
    // The provider refuses offsets beyond 1000.
    if (cids.length < FIRST_CHANNELS || offset + FIRST_CHANNELS > 1000 - FIRST_CHANNELS) return;
  }
}

/** The sidebar counts unread threads and what is due; what does not come is asked for again when its list is opened. */
function loadOwn({ threads, reminders }: Core): void {
  for (const list of [threads, reminders]) list.load().catch(() => {});
}

/** Loads the channels once the link is there, and opens the one that is wanted. */
export function loadOnce(ports: Ports, connected: Promise<unknown>, wish: string | undefined): void {
  const { core, store } = ports;
  const loaded = (): void => store.now((screen) => ({ ...screen, loading: false }));
  const load = (): Promise<void> =>
    loadChannels(core)
      .finally(loaded)
      .then(() => loadOwn(core))
      .then(() => (wish === undefined ? openFirst(ports, undefined) : openWished(ports, wish)));
  /** The first attempt came to nothing: what the screen shows is from before, until one succeeds. */
  const later = (error: Error): void => {
    loaded();
    // Where the header names it, nothing has to be said twice.
    if (store.state.link.cause === undefined) fail(ports, error);
    const stop = core.on("connection.changed", () => {
      stop();
      attempt(ports, load());
    });
  };
  attempt(ports, connected.then(load, later));
}
