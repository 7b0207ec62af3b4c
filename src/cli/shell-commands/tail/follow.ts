/** Follows channels over the live connection until the command is told to stop. */
import { setTimeout as sleep } from "node:timers/promises";
import { cidOf, pathOf } from "../../../commands/base/resolve-channel.ts";
import type { Core } from "../../../core/core.ts";
import { QUERY_CHANNELS_LIMIT } from "../../../wire/constants.ts";
import type { AnyEvent } from "../../../wire/events.ts";
import { ExitError } from "../../base/exit.ts";
import { watchConnection } from "../../base/watch-connection.ts";
import { readProblem } from "../../base/problem.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { callDefaults, guardedCore } from "../../run/run.ts";
import { Follower, type Take } from "./follower.ts";

export interface FollowOptions {
  channels: readonly string[];
  /** Every channel of one's own, those of later, too. */
  all: boolean;
  follow: boolean;
  /** Messages a channel to begin with. */
  last: number;
  /** RFC 3339. */
  since: string | undefined;
  /** Replies, too, under the messages to begin with. */
  threads: boolean;
  /** Milliseconds. */
  exitAfter: number | undefined;
  /** The exit code when that time is over. */
  late: number;
  /** Is an event shown? `alone`: although it belongs to no channel. */
  shows(event: AnyEvent, alone: boolean): boolean;
}

/** What comes from now on in these channels, or in all of one's own where none is named. */
export const fromNow = (
  channels: readonly string[],
  exitAfter: number | undefined,
): Omit<FollowOptions, "shows"> => ({
  channels,
  all: channels.length === 0,
  follow: true,
  last: 0,
  since: undefined,
  threads: false,
  exitAfter,
  late: 0,
});

/** The exit code. `take` is given what is shown, one after the other; `enough` resolves when no more is wanted. */
export async function followEvents(
  shell: Shell,
  what: string,
  options: FollowOptions,
  { take, enough }: { take: Take; enough: Promise<void> },
): Promise<number> {
  const opened = await shell.host.open({ forgetful: true, calls: callDefaults(shell) });
  const core = guardedCore(shell, opened, what);
  const end = new End(shell, options);
  let unwatch = (): void => {};
  try {
    if (options.all && core.userId === undefined)
      throw new ExitError(
        2,
        "--all follows the channels of a user: the profile names none.",
        "Add --as <user>.",
      );
    const named = await findChannels(shell, core, options.channels);
    if (options.follow) {
      unwatch = watchConnection(shell, opened.core, end.fail);
      const early = await end.before(opened.connect());
      if (early !== undefined) return early;
    }
    const cids = options.all ? [...named, ...(await ownChannels(core, options.follow))] : named;
    const follower = new Follower(core, take, options.threads);
    const began = new Date().toISOString();
    for (const cid of cids) follower.follow(cid, began);
    follower.hold();
    if (options.follow) listen(core, follower, options, began, end);
    if (options.follow && !options.all) for (const cid of cids) await core.watch(cid);
    await takeBefore(core, follower, cids, options);
    if (!options.follow) return await follower.drained().then(() => 0);
    if (shell.flags.verbose) printNotice(shell, `following ${cids.length} channels`);
    return await end.wait(follower, enough);
  } finally {
    end.over.abort();
    unwatch();
    await opened.close();
  }
}

/** Looked up by GET: watching would create a channel that is not there, and the guard lets one be queried that a GET has shown. */
const lookUp = (core: Core, cid: string): Promise<unknown> =>
  core.call("getChannel", { path: pathOf(cid), query: { state: false } });

async function findChannels(shell: Shell, core: Core, channels: readonly string[]): Promise<string[]> {
  const { channelType } = shell.settings;
  const cids: string[] = [];
  for (const channel of channels) {
    const cid = await cidOf({ core, dry: false, channelType }, channel);
    await lookUp(core, cid);
    cids.push(cid);
  }
  return cids;
}

/** The channels one is a member of, page by page; `watch`: their events come from now on. */
async function ownChannels(core: Core, watch: boolean): Promise<string[]> {
  const cids: string[] = [];
  const limit = QUERY_CHANNELS_LIMIT[1];
  for (let offset = 0; ; offset += limit) {
    const query = {
      filter_conditions: { members: { $in: [core.userId] } },
      sort: [{ field: "last_updated", direction: -1 as const }],
      limit,
      offset,
      state: true,
      watch,
      message_limit: 1,
    };
    const page = watch
      ? await core.queryChannels(query)
      : (await core.call("queryChannels", { body: query })).channels.map((state) => state.channel.cid);
    cids.push(...page);
    if (page.length < limit) return cids;
  }
}

/** What was said before this run. */
async function takeBefore(
  core: Core,
  follower: Follower,
  cids: readonly string[],
  { last, since }: FollowOptions,
): Promise<void> {
  for (const cid of cids) {
    await lookUp(core, cid);
    await follower.begin(cid, last, since);
  }
  follower.release();
}

/** Milliseconds before what was missed is asked for again, at first and at most. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/** What was missed, however long the provider cannot answer: trouble that passes is no end of a run that follows. */
async function catchUp(follower: Follower, over: AbortSignal): Promise<void> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE))
    try {
      return await follower.catchUp();
    } catch (error) {
      if (!readProblem(error).retryable) throw error;
      await sleep(pause, undefined, { signal: over });
    }
}

/** A channel that one was added to, or that was hidden until somebody wrote. */
const comesAnew = ({ type }: AnyEvent): boolean =>
  /^notification\.(added_to_channel|message_new)$/.test(type);

function listen(
  core: Core,
  follower: Follower,
  { all, shows }: FollowOptions,
  began: string,
  { fail, over }: Pick<End, "fail" | "over">,
): void {
  const join = async (cid: string): Promise<void> => {
    follower.follow(cid, began);
    // Looked up first: watching would make it again if it was deleted meanwhile.
    await lookUp(core, cid);
    await core.watch(cid);
    await follower.catchUp();
  };
  core.on("all", (event) => {
    const { type, cid } = event;
    if (type === "connection.changed") {
      if (event.online === false) follower.hold();
    } else if (type === "connection.recovered") catchUp(follower, over.signal).catch(fail);
    else if (all && cid && !follower.follows(cid) && comesAnew(event)) join(cid).catch(fail);
    else if ((cid === undefined || follower.follows(cid)) && shows(event, cid === undefined))
      follower.event(event);
  });
}

/** When the run is over, and with which code. */
class End {
  readonly #shell: Shell;
  readonly #options: FollowOptions;
  readonly #code = Promise.withResolvers<number>();
  /** Aborted when the run is over, whatever ended it. */
  readonly over = new AbortController();
  readonly fail = (error: unknown): void => this.#code.reject(error);

  constructor(shell: Shell, options: FollowOptions) {
    this.#shell = shell;
    this.#options = options;
    // Whoever waits for it may not be there yet.
    this.#code.promise.catch(() => {});
  }

  /** A connection may never come: the code of a run that is over before it does. */
  async before(connected: Promise<unknown>): Promise<number | undefined> {
    const { signal } = this.#shell;
    const { exitAfter, late } = this.#options;
    const over = Promise.withResolvers<number>();
    const calledOff = (): void => over.resolve(130);
    if (signal.aborted) calledOff();
    signal.addEventListener("abort", calledOff, { once: true });
    const timer = exitAfter === undefined ? undefined : setTimeout(over.resolve, exitAfter, late);
    try {
      return await Promise.race([connected.then(() => undefined), over.promise]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", calledOff);
    }
  }

  async wait(follower: Follower, enough: Promise<void>): Promise<number> {
    const { signal, out } = this.#shell;
    const { exitAfter, late } = this.#options;
    const over = (code: number) => (): void => this.#code.resolve(code);
    enough.then(over(0)).catch(this.fail);
    if (signal.aborted) over(130)();
    signal.addEventListener("abort", over(130), { once: true });
    out.once("close", over(0));
    const timer = exitAfter === undefined ? undefined : setTimeout(over(late), exitAfter);
    try {
      return await this.#code.promise;
    } finally {
      clearTimeout(timer);
      await follower.drained();
    }
  }
}
