/** `parley tail`: follows channels over the live connection, without gaps after a reconnect, until it is told to stop. */
import { readChannel } from "../../commands/base/args.ts";
import { callsOf, readPage, guarded } from "../run/run.ts";
import { cidOf, pathOf } from "../../commands/base/place.ts";
import { newest, forward } from "../../commands/base/paginate.ts";
import type { Core } from "../../core/core.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/message.ts";
import { QUERY_CHANNELS_LIMIT, QUERY_MESSAGES_LIMIT } from "../../wire/constants.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { ExitError } from "../base/exit.ts";
import { watchLink } from "../base/link.ts";
import { jsonText, pick } from "../output/json.ts";
import { formOf } from "../output/results.ts";
import { messageLines, messageRow } from "../output/messages.ts";
import { tsvRow } from "../output/table.ts";
import { fillTemplate } from "../output/template.ts";
import type { Shell } from "../base/shell.ts";
import { say } from "../base/shell.ts";
import { write } from "../base/stdio.ts";
import type { OwnRun } from "./kit.ts";

/** What has been printed of a channel: the newest message's id, and recent ids so that nothing comes twice. */
interface Mark {
  last?: string;
  since: string;
  seen: Set<string>;
}

const REMEMBERED = 2000;
const PAGES = { limit: Infinity };

class Tail {
  readonly #shell: Shell;
  readonly #core: Core;
  readonly #marks = new Map<string, Mark>();
  readonly #many: () => boolean;
  readonly #match: RegExp | undefined;
  /** Events wait here while a channel catches up, so that the order of a channel holds. */
  #held: AnyEvent[] | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly matched = Promise.withResolvers<void>();

  constructor(shell: Shell, core: Core, match: RegExp | undefined) {
    this.#shell = shell;
    this.#core = core;
    this.#match = match;
    this.#many = () => this.#marks.size > 1;
  }

  get cids(): string[] {
    return [...this.#marks.keys()];
  }

  follow(cid: string, since: string): void {
    if (!this.#marks.has(cid)) this.#marks.set(cid, { since, seen: new Set() });
  }

  follows(cid: string | undefined): boolean {
    return cid !== undefined && this.#marks.has(cid);
  }

  hold(): void {
    this.#held ??= [];
  }

  /** Messages that were there before: the newest `last`, or all from `since` on. */
  async begin(cid: string, last: number, since: string | undefined): Promise<void> {
    const fetch = this.#fetch(cid);
    const page = { limit: last };
    if (since !== undefined)
      for await (const m of forward(fetch, PAGES, QUERY_MESSAGES_LIMIT[1], { since })) this.#message(m);
    else if (last > 0) for await (const m of newest(fetch, page, QUERY_MESSAGES_LIMIT[1])) this.#message(m);
  }

  /** Everything after what was printed last; then what was held meanwhile. */
  async catchUp(): Promise<void> {
    this.hold();
    for (const [cid, mark] of this.#marks) {
      const page = mark.last === undefined ? PAGES : { ...PAGES, next: mark.last };
      try {
        for await (const m of forward(this.#fetch(cid), page, QUERY_MESSAGES_LIMIT[1], { since: mark.since }))
          this.#message(m);
      } catch (error) {
        // The message that marks the place was deleted for good: go by time.
        if ((error as { status?: number }).status !== 400 && (error as { status?: number }).status !== 404)
          throw error;
        for await (const m of forward(this.#fetch(cid), PAGES, QUERY_MESSAGES_LIMIT[1], {
          since: mark.since,
        }))
          this.#message(m);
      }
    }
    this.release();
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.event(event);
  }

  event(event: AnyEvent): void {
    if (this.#held) {
      this.#held.push(event);
      return;
    }
    if (event.type === "message.new") this.#message(event.message as Message, event);
    else this.#print(event);
  }

  async drained(): Promise<void> {
    await this.#writing;
  }

  #fetch(cid: string) {
    const path = pathOf(cid);
    return async (messages: object): Promise<Message[]> =>
      (await this.#core.call("queryChannel", { path, body: { state: true, watch: false, messages } }))
        .messages;
  }

  #message(message: Message, event?: AnyEvent): void {
    const mark = this.#marks.get(message.cid);
    if (!mark || mark.seen.has(message.id)) return;
    mark.seen.add(message.id);
    if (mark.seen.size > REMEMBERED) mark.seen.delete(mark.seen.values().next().value!);
    // A reply that is not shown in the channel is no place to go on from.
    if (!message.parent_id || message.show_in_channel) mark.last = message.id;
    mark.since = message.created_at > mark.since ? message.created_at : mark.since;
    this.#print(
      event ?? {
        type: "message.new",
        cid: message.cid,
        created_at: message.created_at,
        user: message.user,
        message,
      },
    );
    if (this.#match?.test(message.text ?? "")) this.matched.resolve();
  }

  #print(event: AnyEvent): void {
    const text = this.#text(event);
    if (text instanceof Promise)
      this.#writing = this.#writing.then(async () => write(this.#shell.out, await text));
    else this.#writing = this.#writing.then(() => write(this.#shell.out, text));
    this.#shell.counts.items++;
  }

  #text(event: AnyEvent): string | Promise<string> {
    const { flags, settings, tty, color } = this.#shell;
    const { received_at: _, ...plain } = event;
    const form = formOf(this.#shell);
    if (form === "jq")
      return import("../output/jq.ts").then(async ({ runJq }) => {
        const text = await runJq(flags.jq!, plain);
        return tty.out ? text.split("\n").map(cleanLine).join("\n") : text;
      });
    if (form === "ndjson")
      return `${jsonText(pick(plain, flags.ndjson), tty.out, flags.raw).replace(/\n\s*/g, tty.out ? " " : "")}\n`;
    const message = event.message as Message | undefined;
    if (form === "template") {
      const asItIs = flags.raw && !tty.out ? (value: string) => value : undefined;
      const text = fillTemplate(flags.template!, event.type === "message.new" ? message : plain, asItIs);
      return `${tty.out ? cleanLine(text) : text}\n`;
    }
    const where = this.#name(event.cid);
    if (event.type !== "message.new" || !message) {
      const who = event.user?.name ?? event.user?.id ?? "";
      return form === "table"
        ? `${cleanLine(`      ${event.type}`)} ${cleanLine(where)} ${cleanLine(who)}`
            .trimEnd()
            .concat("\n")
            .replace(/^/, "· ")
        : tsvRow([event.created_at, event.cid, event.type, event.user?.id]);
    }
    if (form === "table")
      return messageLines(message, {
        utc: settings.utc,
        color: color.out,
        ...(this.#many() ? { where } : {}),
      });
    const [at, user, id, body] = messageRow(message);
    return tsvRow([at, message.cid, user, id, body]);
  }

  #name(cid: string | undefined): string {
    if (cid === undefined) return "";
    const name = this.#core.state().channels.get(cid)?.channel.name;
    return `#${name ?? cid}`;
  }
}

const ALWAYS = new Set(["message.new"]);

const tail: OwnRun = async (shell, values) => {
  const { flags, settings } = shell;
  const channels = (values.channels as string[]).map((text) => readChannel(text, settings.channelType));
  if (flags.json !== undefined && flags.jq === undefined)
    throw new ExitError(2, "tail never ends, so it gives no JSON array.", "Use --ndjson: one object a line.");
  if (flags.csv) throw new ExitError(2, "tail gives no CSV.", "Use --ndjson, or a pipe for TSV.");
  if (channels.length === 0 && !flags.all)
    throw new ExitError(2, "which channel?", "Name channels, or --all for every one of yours.");
  formOf(shell);
  readPage(shell);
  let match: RegExp | undefined;
  try {
    match = values.untilMatch === undefined ? undefined : new RegExp(String(values.untilMatch), "u");
  } catch (error) {
    throw new ExitError(2, `--until-match is no regular expression: ${(error as Error).message}`);
  }
  const after = values.exitAfter as number | undefined;
  const types = new Set([
    ...ALWAYS,
    ...String(values.events ?? "")
      .split(",")
      .map((t) => t.trim())
      .filter(Boolean),
  ]);
  if (values.typing) types.add("typing.start").add("typing.stop");
  const every = types.has("*");

  const opened = await shell.host.open({ forgetful: true, calls: callsOf(shell) });
  const core = guarded(shell, opened, "tail");
  const follower = new Tail(shell, core, match);
  const began = new Date().toISOString();
  const stop = Promise.withResolvers<number>();
  const fail = (error: unknown): void => stop.reject(error);
  // Whoever waits for it may not be there yet.
  stop.promise.catch(() => {});
  let unwatch = (): void => {};
  try {
    const cids: string[] = [];
    for (const channel of channels) {
      const cid = await cidOf({ core, dry: false, channelType: settings.channelType }, channel);
      // Looked up by GET: watching would create a channel that is not there.
      await core.call("getChannel", { path: pathOf(cid), query: { state: false } });
      cids.push(cid);
    }
    const follow = values.noFollow !== true;
    if (follow) {
      await opened.connect();
      unwatch = watchLink(shell, opened.core, fail);
    }
    if (flags.all)
      for (let offset = 0; ; offset += QUERY_CHANNELS_LIMIT[1]) {
        const query = {
          filter_conditions: { members: { $in: [core.userId] } },
          sort: [{ field: "last_updated", direction: -1 as const }],
          limit: QUERY_CHANNELS_LIMIT[1],
          offset,
          state: true,
          watch: follow,
          message_limit: 1,
        };
        const page = follow
          ? await core.queryChannels(query)
          : (await core.call("queryChannels", { body: query })).channels.map((state) => state.channel.cid);
        cids.push(...page);
        if (page.length < QUERY_CHANNELS_LIMIT[1]) break;
      }
    for (const cid of cids) follower.follow(cid, began);

    follower.hold();
    if (follow) {
      core.on("all", (event) => {
        if (event.type === "connection.changed") {
          if (event.online === false) follower.hold();
          return;
        }
        if (event.type === "connection.recovered") return void follower.catchUp().catch(fail);
        if (
          flags.all &&
          event.cid &&
          !follower.follows(event.cid) &&
          /^notification\.(added_to_channel|message_new)$/.test(event.type)
        ) {
          follower.follow(event.cid, began);
          const { cid } = event;
          // Looked up first: watching would make it again if it was deleted meanwhile.
          return void core
            .call("getChannel", { path: pathOf(cid), query: { state: false } })
            .then(() => core.watch(cid))
            .then(() => follower.catchUp())
            .catch(fail);
        }
        if (
          (every || types.has(event.type)) &&
          (follower.follows(event.cid) || (event.cid === undefined && types.has(event.type)))
        )
          follower.event(event);
      });
      if (!flags.all) for (const cid of cids) await core.watch(cid);
    }
    const last = typeof values.last === "number" ? values.last : flags.all ? 0 : 10;
    const since = typeof values.since === "string" ? values.since : undefined;
    for (const cid of cids) {
      // The guard lets a channel be queried once a GET has shown it.
      await core.call("getChannel", { path: pathOf(cid), query: { state: false } });
      await follower.begin(cid, last, since);
    }
    follower.release();
    if (!follow) {
      await follower.drained();
      return 0;
    }
    if (flags.verbose) say(shell, `following ${cids.length} channels`);
    follower.matched.promise.then(() => stop.resolve(0)).catch(fail);
    if (shell.signal.aborted) stop.resolve(130);
    shell.signal.addEventListener("abort", () => stop.resolve(130), { once: true });
    shell.out.once("close", () => stop.resolve(0));
    const timer = after === undefined ? undefined : setTimeout(() => stop.resolve(match ? 8 : 0), after);
    try {
      return await stop.promise;
    } finally {
      clearTimeout(timer);
      await follower.drained();
    }
  } finally {
    unwatch();
    await opened.close();
  }
};
export default tail;
