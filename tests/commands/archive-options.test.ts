/** The flags of what an archive reads: sizes, ranges, and whether an interrupted run had the same ones. */
import { expect, test } from "vitest";
import { readArchiveOptions, readSize, sameOptions } from "../../src/commands/archive/options.ts";
import type { ArchiveReadOptions, ArchiveRun } from "../../src/jobs/archive/meta.ts";

test.each([
  ["1", 1],
  ["700b", 700],
  ["500kb", 500_000],
  ["500 KB", 500_000],
  ["1.5k", 1500],
  ["20mb", 20_000_000],
  ["3m", 3_000_000],
  ["2GB", 2_000_000_000],
  ["0.25g", 250_000_000],
])("the size %s is %i bytes", (text, bytes) => {
  expect(readSize("max-file-size", text)).toBe(bytes);
});

test.each(["", "0", "0.4", "-1", "mb", "1tb", "1e3", "20mbb", "20mb and more"])("'%s' is no size", (text) => {
  expect(() => readSize("max-file-size", text)).toThrow(`not '${text}'`);
});

const read = (since?: string, until?: string): Promise<ArchiveReadOptions> =>
  readArchiveOptions(
    { core: {}, channelType: "messaging", dry: false } as never,
    {} as never,
    { channels: [], filter: undefined, since, until, attachments: "link", maxFileSize: undefined } as never,
  );

test.each([
  ["2026-11-17T09:00:00.000Z", "2026-11-17T09:00:00.000Z"],
  ["2026-11-17T09:00:00.000Z", "2026-11-17T09:00:00.000500Z"],
  ["2026-11-17T09:00:00.123Z", "2026-11-17T09:00:00.123456Z"],
  ["2026-11-17T09:00:00.999999Z", "2026-11-17T09:00:01.000Z"],
])("a range from %s to %s is read", async (since, until) => {
  expect(await read(since, until)).toMatchObject({ since, until });
  if (since !== until) await expect(read(until, since)).rejects.toThrow("--since is later than --until.");
});

const BEGAN = "2026-11-17T09:00:00.000Z";
const MINUTE = 60_000;
const later = (ms: number, time = BEGAN): string => new Date(Date.parse(time) + ms).toISOString();
const options = (more: Partial<ArchiveReadOptions> = {}): ArchiveReadOptions => ({
  channels: ["messaging:hall"],
  threads: true,
  attachments: "link",
  ...more,
});
const isSame = (before: ArchiveRun["options"], after: ArchiveReadOptions, elapsed: number): boolean =>
  sameOptions({ options: before, started_at: BEGAN } as never, after, Date.parse(BEGAN) + elapsed);

test("a run that goes on has the same flags: the same times, or relative ones that have moved with the clock for less than a minute more or less", () => {
  const day = 1440 * MINUTE;
  for (const key of ["since", "until"] as const) {
    const before = options({ [key]: later(-90 * day) });
    expect(isSame(before, options({ [key]: later(-90 * day) }), day)).toBe(true);
    for (const off of [-MINUTE + 1, 0, MINUTE - 1])
      expect(isSame(before, options({ [key]: later(-89 * day + off) }), day)).toBe(true);
    for (const off of [-MINUTE, MINUTE, -day / 2])
      expect(isSame(before, options({ [key]: later(-89 * day + off) }), day)).toBe(false);
    expect(isSame(before, options(), 0)).toBe(false);
    expect(isSame(options(), before, 0)).toBe(false);
  }
});

test("every other flag counts, but not how far an update looks back", () => {
  expect(isSame({ ...options(), lookBack: 5 }, options(), MINUTE)).toBe(true);
  for (const other of [
    { channels: ["messaging:ops"] },
    { channels: [] },
    { attachments: "download" as const },
    { filter: "{}" },
    { maxFileSize: 5 },
  ])
    expect(isSame(options(), options(other), 0), JSON.stringify(other)).toBe(false);
});
