/** Flags and options of what an archive reads. */
import type { ArchiveReadOptions, ArchiveRun } from "../../jobs/archive/meta.ts";
import { compareTimes, timeToMs } from "../../wire/time.ts";
import { readChannel } from "../base/args.ts";
import { CommandError, type Args, type Call, type ArgValues } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { fetchChannel } from "./read/channels.ts";
import type { ReadContext } from "./read/requests.ts";

export const READ_ARGS = {
  filter: { kind: "text", value: "json", help: "Filter of channels as JSON, if none are named" },
  since: { kind: "time", help: "Only messages from this time on" },
  until: { kind: "time", help: "Only messages up to this time" },
  attachments: {
    kind: "choice",
    choices: ["link", "download"],
    default: "link",
    help: "link keeps the addresses of files, download fetches the files too",
  },
  maxFileSize: { kind: "text", value: "size", help: "Skip files larger than this, for example 20mb (100mb)" },
} as const satisfies Args;

const DAY = 86_400_000;
/** Default look-back of updates, in milliseconds: finds edits, deletions and new replies. */
export const LOOK_BACK = 14 * DAY;

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
};

/** `20mb` → bytes. Throws `CommandError` (usage). */
export function readSize(flag: string, text: string): number {
  const [, number, unit = ""] = /^(\d{1,12}(?:\.\d{1,3})?)\s?([a-z]{0,2})$/i.exec(text) ?? [];
  const bytes = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? NaN));
  if (!(bytes >= 1))
    throw new CommandError("usage", `--${flag} must be a size such as 500kb, 20mb or 2gb, not '${text}'.`);
  return bytes;
}

type ReadArgs = ArgValues<typeof READ_ARGS> & { channels: string[] };

/** Checks that all channels exist. */
export async function readArchiveOptions(
  call: Pick<Call<Args>, "core" | "channelType" | "dry">,
  context: ReadContext,
  args: ReadArgs,
): Promise<ArchiveReadOptions> {
  const { channels, filter, since, until, attachments, maxFileSize } = args;
  if (channels.length > 0 && filter !== undefined)
    throw new CommandError("usage", "--filter is for when no channels are named.");
  if (since !== undefined && until !== undefined && compareTimes(since, until) > 0)
    throw new CommandError("usage", "--since is later than --until.");
  const maxBytes = maxFileSize === undefined ? undefined : readSize("max-file-size", maxFileSize);
  const cids: string[] = [];
  for (const one of channels) {
    const cid = await cidOf({ ...call, dry: false }, readChannel(one, call.channelType));
    await fetchChannel(context, cid);
    if (!cids.includes(cid)) cids.push(cid);
  }
  return {
    channels: cids,
    threads: true,
    attachments: attachments as "link" | "download",
    ...(filter === undefined ? {} : { filter }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(maxBytes === undefined ? {} : { maxFileSize: maxBytes }),
  };
}

/** Whether a run has these options; relative times such as `90d` are equal if they differ by the time between the runs. */
export function sameOptions(
  { options: before, started_at: startedAt }: ArchiveRun,
  options: ArchiveReadOptions,
  now: number,
): boolean {
  const elapsed = now - timeToMs(startedAt);
  const { since: sinceA, until: untilA, lookBack: _, ...restA } = before;
  const { since: sinceB, until: untilB, ...restB } = options;
  const same = (x: string | undefined, y: string | undefined): boolean => {
    if (x === undefined || y === undefined || x === y) return x === y;
    return Math.abs(timeToMs(y) - timeToMs(x) - elapsed) < START_TOLERANCE;
  };
  return same(sinceA, sinceB) && same(untilA, untilB) && JSON.stringify(restA) === JSON.stringify(restB);
}

/** Milliseconds that a run may take to start. */
const START_TOLERANCE = 60_000;
