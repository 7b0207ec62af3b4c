/** Searches once for mentions in unread messages that are not loaded (specification/reading.md §1, R-READ-10). */
import { QUERY_CHANNELS_LIMIT, SEARCH_LIMIT } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import { latestSet } from "../../model/select.ts";
import type { ChannelEntry } from "../../model/state.ts";
import type { Timer } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { Services } from "../http/services.ts";

/** Milliseconds to collect queried channels: a start or a recovery loads several pages of them. */
const GATHER_MS = 1000;

interface MentionsDeps extends Pick<Services, "call" | "clock" | "log" | "userId"> {
  machine: Pick<StateMachine, "state" | "apply">;
  /** Without a connection mentions are not counted. */
  isConnected(): boolean;
}

export class UnreadMentions {
  readonly #deps: MentionsDeps;
  readonly #queried = new Set<string>();
  /** Channels searched since the connection opened: from then on events report mentions. */
  readonly #searched = new Set<string>();
  #timer: Timer | undefined;

  constructor(deps: MentionsDeps) {
    this.#deps = deps;
  }

  onQueried(states: readonly ChannelState[]): void {
    if (!this.#deps.isConnected()) return;
    this.#queue(states.map(({ channel }) => channel.cid));
  }

  #queue(cids: readonly string[]): void {
    for (const cid of cids) if (!this.#searched.has(cid)) this.#queried.add(cid);
    this.#timer ??= this.#deps.clock.setTimeout(() => this.#searchQueued(), GATHER_MS);
  }

  /** Mentions may have been missed. */
  onConnected(): void {
    this.#searched.clear();
  }

  reset(): void {
    this.#clearQueue();
    this.#searched.clear();
  }

  #clearQueue(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queried.clear();
  }

  #searchQueued(): void {
    const { channels } = this.#deps.machine.state();
    const candidates = [...this.#queried]
      .flatMap((cid) => channels.get(cid) ?? [])
      .filter((entry) => this.#hasUnloadedUnread(entry));
    this.#clearQueue();
    if (candidates.length === 0) return;
    const batch = candidates.slice(0, QUERY_CHANNELS_LIMIT[1]);
    for (const { cid } of batch) this.#searched.add(cid);
    const rest = candidates.slice(batch.length).map(({ cid }) => cid);
    if (rest.length > 0) this.#queue(rest);
    this.#search(batch).catch((error: Error) => {
      for (const { cid } of batch) this.#searched.delete(cid);
      this.#deps.log.debug("searching for unread mentions failed", { error: error.message });
    });
  }

  #lastRead({ read }: ChannelEntry): string {
    return read.get(this.#deps.userId() ?? "")?.last_read ?? "";
  }

  /** Whether some unread messages are older than all loaded ones. */
  #hasUnloadedUnread(entry: ChannelEntry): boolean {
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
