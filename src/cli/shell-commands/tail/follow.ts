/** Follows channels over the live connection until the command ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { listChannels } from "../../../commands/base/lists/channels.ts";
import { cidOf } from "../../../commands/base/resolve-channel.ts";
import type { Core } from "../../../core/core.ts";
import { lookUpChannel } from "../../../model/look-up-channel.ts";
import { neverConnected } from "../../../model/transport.ts";
import type { QueryChannelsBody } from "../../../wire/endpoints/index.ts";
import type { Channel } from "../../../wire/entities/channel.ts";
import type { AnyEvent } from "../../../wire/events.ts";
import { ExitError } from "../../base/exit.ts";
import { watchConnection } from "../../base/watch-connection.ts";
import { printLostValues } from "../../base/odd-answers.ts";
import { readProblem } from "../../base/problem.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { hintOtherType } from "../../run/channel-hint.ts";
import { callDefaults, guardedCore } from "../../run/run.ts";
import { Follower, type HandleEvent } from "./follower.ts";

export interface FollowOptions {
  channels: readonly string[];
  /** Follows all channels of the user, including ones joined later. */
  all: boolean;
  follow: boolean;
  /** How many existing messages per channel to start with. */
  last: number;
  /** Start with messages from this time on, RFC 3339. */
  since: string | undefined;
  /** Also start with the replies to those messages. */
  threads: boolean;
  /** Milliseconds. */
  exitAfter: number | undefined;
  /** The exit code when `exitAfter` has passed. */
  timeoutExit: number;
  /** Whether an event is shown; `hasNoChannel`: it belongs to no channel. */
  shows(event: AnyEvent, hasNoChannel: boolean): boolean;
}

/** Follows new events in these channels, or in all channels of the user if none is named. */
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
  timeoutExit: 0,
});

/** Follows until `done` resolves, the time is over or the run is interrupted; returns the exit code. */
export async function followEvents(
  shell: Shell,
  command: string,
  options: FollowOptions,
  { handle, done }: { handle: HandleEvent; done: Promise<void> },
): Promise<number> {
  const opened = await shell.host.open({ inMemory: true, calls: callDefaults(shell) });
  const core = guardedCore(shell, opened, command);
  const end = new RunEnd(shell, options);
  let unwatch = (): void => {};
  try {
    if (options.all && core.userId === undefined)
      throw new ExitError(
        2,
        "--all follows the channels of a user, but the profile has no user.",
        "Add --as <user>.",
      );
    const follower = new Follower(core, handle, options.threads);
    const start = async (): Promise<void> => {
      const named = await findChannels(shell, core, options.channels);
      if (options.follow) {
        unwatch = watchConnection(shell, opened.core, end.fail);
        await opened.connect();
      }
      await startFollowing(core, follower, { named, options, end });
      end.started();
      if (options.follow && shell.flags.verbose) printNotice(shell, `following ${follower.size} channels`);
    };
    if (options.follow) done.then(() => end.with(0)).catch(end.fail);
    try {
      return (await end.before(start())) ?? (options.follow ? await end.code : 0);
    } finally {
      await follower.drained();
    }
  } catch (error) {
    await hintOtherType(core, shell, error);
    throw error;
  } finally {
    end.over.abort();
    unwatch();
    printLostValues(shell, core);
    await opened.close();
  }
}

/** Follows the channels and delivers the messages from before this run, in the order of the channels. */
async function startFollowing(
  core: Core,
  follower: Follower,
  { named, options, end }: { named: readonly string[]; options: FollowOptions; end: RunEnd },
): Promise<void> {
  const { all, follow } = options;
  const cids = all ? [...named, ...(await ownChannels(core, follow))] : named;
  // By the provider's clock: missed messages are requested from here on.
  const startedAt = new Date(core.providerNow()).toISOString();
  for (const cid of cids) follower.follow(cid, startedAt);
  follower.hold();
  if (follow) listen(core, follower, options, startedAt, end);
  if (follow && !all) for (const cid of cids) await core.watch(cid);
  await printEarlier(follower, cids, options);
}

async function findChannels(shell: Shell, core: Core, channels: readonly string[]): Promise<string[]> {
  const { channelType } = shell.settings;
  const cids: string[] = [];
  for (const channel of channels) {
    const cid = await cidOf({ core, dry: false, channelType }, channel);
    await lookUpChannel(core, cid);
    cids.push(cid);
  }
  return cids;
}

/** All channels that the user is a member of; `watch` subscribes to their events. */
async function ownChannels(core: Core, watch: boolean): Promise<string[]> {
  const cids: string[] = [];
  const channels = listChannels(
    { limit: Infinity },
    { filter: { members: { $in: [core.userId] } } },
    (query) => channelPage(core, { ...query, state: true, watch, message_limit: 1 }),
  );
  for await (const { channel } of channels) cids.push(channel.cid);
  return cids;
}

/** Watched channels are also loaded into the state of core. */
async function channelPage(core: Core, query: QueryChannelsBody): Promise<readonly { channel: Channel }[]> {
  if (!query.watch) return (await core.call("queryChannels", { body: query })).channels;
  const cids = await core.queryChannels(query);
  return cids.flatMap((cid) => core.state().channels.get(cid) ?? []);
}

/** Delivers the messages from before this run, then the events that arrived meanwhile. */
async function printEarlier(
  follower: Follower,
  cids: readonly string[],
  { last, since }: FollowOptions,
): Promise<void> {
  for (const cid of last > 0 || since !== undefined ? cids : [])
    await follower.printHistory(cid, last, since);
  follower.release();
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

/** Catches up, retrying temporary failures for as long as the run lasts. */
async function catchUp(follower: Follower, over: AbortSignal): Promise<void> {
  for (let pause = FIRST_RETRY_MS; ; pause = Math.min(2 * pause, MAX_RETRY_MS))
    try {
      return await follower.catchUp();
    } catch (error) {
      if (!readProblem(error).retryable) throw error;
      await sleep(pause, undefined, { signal: over });
    }
}

/**
 * Whether the user was added to the channel, or the channel reappeared with a message. While the list is read, core may have watched a
 * channel that moved to its front behind the reader, which then tells of itself by messages alone.
 */
const isNewChannel = ({ type }: AnyEvent): boolean =>
  /^(message\.new|notification\.(added_to_channel|message_new))$/.test(type);

function listen(
  core: Core,
  follower: Follower,
  { all, shows }: FollowOptions,
  startedAt: string,
  { fail, over }: Pick<RunEnd, "fail" | "over">,
): void {
  const join = async (cid: string): Promise<void> => {
    follower.follow(cid, startedAt);
    // Read first: watching would create the channel again if it was deleted meanwhile.
    await lookUpChannel(core, cid);
    await core.watch(cid);
    await follower.catchUp();
  };
  core.on("all", (event) => {
    const { type, cid } = event;
    if (type === "connection.changed") {
      if (event.online === false) follower.hold();
    } else if (type === "connection.recovered") catchUp(follower, over.signal).catch(fail);
    else if (all && cid && !follower.follows(cid) && isNewChannel(event)) join(cid).catch(fail);
    else if ((cid === undefined || follower.follows(cid)) && shows(event, cid === undefined))
      follower.event(event);
  });
}

/** Determines when the run ends, and with which exit code: at an interrupt, when the output is closed, or when the time is over. */
class RunEnd {
  readonly #code = Promise.withResolvers<number>();
  /** Aborted when the run ends for any reason. */
  readonly over = new AbortController();
  readonly fail = (error: unknown): void => this.#code.reject(error);
  readonly with = (code: number): void => this.#code.resolve(code);
  #started = false;
  /** From now on events are received: a time that is up before is a failure. */
  readonly started = (): void => void (this.#started = true);

  constructor({ signal, out }: Shell, { exitAfter, timeoutExit }: FollowOptions) {
    // A failure before anybody waits must not be an unhandled rejection.
    this.code.catch(() => {});
    const over = { once: true, signal: this.over.signal };
    if (signal.aborted) this.with(130);
    signal.addEventListener("abort", () => this.with(130), over);
    const onClose = (): void => this.with(0);
    out.once("close", onClose);
    const timeUp = (): void => (this.#started ? this.with(timeoutExit) : this.fail(neverConnected()));
    const timer = exitAfter === undefined ? undefined : setTimeout(timeUp, exitAfter);
    this.over.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      out.off("close", onClose);
    });
  }

  get code(): Promise<number> {
    return this.#code.promise;
  }

  /** The exit code if the run ends before the work is done, else undefined. */
  before(work: Promise<unknown>): Promise<number | undefined> {
    return Promise.race([work.then(() => undefined), this.code]);
  }
}
