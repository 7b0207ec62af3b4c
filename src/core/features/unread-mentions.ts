/** Looks once for the mentions among unread messages that no page has brought (specification/reading.md §1, R-READ-10). */
import { QUERY_CHANNELS_LIMIT, SEARCH_LIMIT } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import { latestSet } from "../../model/select.ts";
import type { ChannelEntry } from "../../model/state.ts";
import type { Timer } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { Services } from "../http/services.ts";

/** Milliseconds in which queried channels are gathered: a start and a recovery ask for several pages of them. */
const GATHER_MS = 1000;

interface MentionsDeps extends Pick<Services, "call" | "clock" | "log" | "userId"> {
  machine: Pick<StateMachine, "state" | "apply">;
  /** Who looks in without a connection counts nothing. */
  connected(): boolean;
}

export class UnreadMentions {
  readonly #deps: MentionsDeps;
  readonly #queried = new Set<string>();
  /** Searched since the link opened: from then on events tell. */
  readonly #searched = new Set<string>();
  #timer: Timer | undefined;

  constructor(deps: MentionsDeps) {
    this.#deps = deps;
  }

  queried(states: readonly ChannelState[]): void {
    if (!this.#deps.connected()) return;
    for (const { channel } of states) if (!this.#searched.has(channel.cid)) this.#queried.add(channel.cid);
    this.#timer ??= this.#deps.clock.setTimeout(() => this.#look(), GATHER_MS);
  }

  /** The link opened: mentions may have been missed. */
  connected(): void {
    this.#searched.clear();
  }

  /** Ends the timer, and forgets what was searched. */
  forget(): void {
    this.#gathered();
    this.#searched.clear();
  }

  #gathered(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queried.clear();
  }

  #look(): void {
    const { channels } = this.#deps.machine.state();
    const behind = [...this.#queried]
      .flatMap((cid) => channels.get(cid) ?? [])
      .filter((entry) => this.#lacks(entry));
    this.#gathered();
    if (behind.length === 0) return;
    const some = behind.slice(0, QUERY_CHANNELS_LIMIT[1]);
    for (const { cid } of some) this.#searched.add(cid);
    this.#search(some).catch((error: Error) => {
      for (const { cid } of some) this.#searched.delete(cid);
      this.#deps.log.debug("unread mentions were not looked for", { error: error.message });
    });
  }

  #lastRead({ read }: ChannelEntry): string {
    return read.get(this.#deps.userId() ?? "")?.last_read ?? "";
  }

  /** Of its unread messages some are older than all that is held. */
  #lacks(entry: ChannelEntry): boolean {
    const set = latestSet(this.#deps.machine.state(), { cid: entry.cid });
    const oldest = set?.hasPrev ? set.messages.at(0) : undefined;
    return entry.unread > 0 && compareTimes(oldest?.created_at, this.#lastRead(entry)) > 0;
  }

  async #search(entries: readonly ChannelEntry[]): Promise<void> {
    const { call, machine } = this.#deps;
    const since = entries.map((entry) => this.#lastRead(entry)).reduce((a, b) => (a < b ? a : b));
    const { results } = await call("search", {
      query: {
        filter_conditions: { cid: { $in: entries.map(({ cid }) => cid) } },
        message_filter_conditions: {
          "mentioned_users.id": { $contains: this.#deps.userId()! },
          ...(since !== "" && { created_at: { $gt: since } }),
        },
        sort: [{ field: "created_at", direction: -1 }],
        limit: SEARCH_LIMIT[1],
      },
    });
    for (const [cid, messages] of Map.groupBy(
      results.map(({ message }): Message => message),
      (message) => message.cid,
    ))
      machine.apply({ kind: "mentions", cid, messages });
  }
}
