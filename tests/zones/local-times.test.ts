/** What a machine in St John's shows and reads, where the clocks are half an hour off and are changed twice a year; all other tests run in UTC. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayLine, messageLines } from "../../src/cli/output/messages.ts";
import { fieldsText, tableText } from "../../src/cli/output/table.ts";
import { localTime } from "../../src/cli/output/time.ts";
import { timeProblem } from "../../src/commands/campaign/file/guards.ts";
import { readSearch } from "../../src/model/search-query.ts";
import { clock, clockToSecond, dayKey, dayLabel, shortWhen, stamp, wholeDate } from "../../src/text/times.ts";
import { GapError, parseWhen } from "../../src/text/when.ts";
import { zoneName } from "../../src/text/zones.ts";
import { continuesGroup, dayOf, startsDay } from "../../src/tui/render/separators.ts";
import { messageRows } from "../../src/tui/render/message.ts";
import { spoken } from "../../src/tui/render/spoken.ts";
import { plain } from "../../src/text/width.ts";
import { context, message } from "../tui/render/messages.ts";

const ZONE = "America/St_Johns";
const before = process.env.TZ;
beforeAll(() => {
  process.env.TZ = ZONE;
});
afterAll(() => {
  process.env.TZ = before;
});

const ms = (text: string): number => Date.parse(text);

/** UTC, and the local day and time: around both changes of the clocks, both midnights, and New Year. */
const ROWS: readonly [utc: string, day: string, time: string][] = [
  ["2026-03-08T05:29:59Z", "2026-03-08", "01:59"],
  ["2026-03-08T05:30:00Z", "2026-03-08", "03:00"],
  ["2026-11-01T04:29:59Z", "2026-11-01", "01:59"],
  ["2026-11-01T04:30:00Z", "2026-11-01", "01:00"],
  ["2026-11-01T05:29:59Z", "2026-11-01", "01:59"],
  ["2026-11-01T05:30:00Z", "2026-11-01", "02:00"],
  ["2026-11-21T00:00:00Z", "2026-11-20", "20:30"],
  ["2026-11-21T03:29:59Z", "2026-11-20", "23:59"],
  ["2026-11-21T03:30:00Z", "2026-11-21", "00:00"],
  ["2027-01-01T03:29:59Z", "2026-12-31", "23:59"],
  ["2027-01-01T03:30:00Z", "2027-01-01", "00:00"],
  ["2026-07-01T02:29:59Z", "2026-06-30", "23:59"],
];

test.each(ROWS)("%s is shown as %s %s", (utc, day, time) => {
  expect([clock(ms(utc)), dayKey(ms(utc)), stamp(ms(utc)).slice(0, 16)]).toEqual([
    time,
    day,
    `${day} ${time}`,
  ]);
  expect(clockToSecond(ms(utc)).slice(0, 5)).toBe(time);
  expect(wholeDate(ms(utc))).toContain(time);
  expect([localTime(utc, false), localTime(utc, true)]).toEqual([
    `${day} ${time}`,
    `${utc.slice(0, 10)} ${utc.slice(11, 16)}`,
  ]);
  for (const shown of [false, true]) {
    const cell = localTime(utc, shown);
    expect(fieldsText([["at", utc]], { tty: true, utc: shown })).toBe(`at  ${cell}\n`);
    expect(fieldsText([["at", utc]], { tty: false, utc: shown })).toBe(`at\t${utc}\n`);
    expect(tableText(["at"], [[utc]], { width: 80, utc: shown })).toBe(`AT\n${cell}\n`);
  }
  const sent = message({ created_at: utc });
  expect(dayLine(sent, false)).toBe(day);
  expect(messageLines(sent, { utc: false, color: false })).toMatch(new RegExp(`^${time} `));
  expect(spoken(sent, { utc: false, now: ms(utc), me: undefined })).toMatch(new RegExp(`^${time} `));
  expect(plain(messageRows(sent, context({ utc: false }))[0]!)).toMatch(new RegExp(`^${time} `));
});

test("a day begins at local midnight: a separator stands there, and none at midnight of UTC", () => {
  const at = (created_at: string) => message({ created_at });
  const [evening, late, night] = ["2026-11-20T23:59:00Z", "2026-11-21T00:01:00Z", "2026-11-21T03:31:00Z"].map(
    at,
  );
  expect([startsDay(evening, late!), startsDay(late, night!)]).toEqual([false, true]);
  expect([startsDay(evening, late!, true), startsDay(late, night!, true)]).toEqual([true, false]);
  expect(continuesGroup(evening, late!)).toBe(true);
  expect(plain(dayOf("2026-11-21T00:01:00Z", context({ utc: false, width: 40 })))).toContain("Fri 20 Nov");
  expect(dayLabel(ms("2027-01-01T03:29:00Z"), ms("2027-01-01T03:31:00Z"))).toBe("Thu 31 Dec 2026");
  expect(shortWhen(ms("2026-11-21T03:29:00Z"), ms("2026-11-21T03:31:00Z"))).toBe("Fri 23:59");
});

test.each([
  ["2026-11-20 23:00", "2026-11-21T02:30:00.000Z"],
  ["2026-11-21", "2026-11-21T03:30:00.000Z"],
  ["tomorrow 09:00", "2026-11-21T12:30:00.000Z"],
  ["21:15", "2026-11-21T00:45:00.000Z"],
  ["2026-07-01 12:00", "2026-07-01T14:30:00.000Z"],
  // The first of two.
  ["2026-11-01 01:30", "2026-11-01T04:00:00.000Z"],
  ["2026-11-20T23:00Z", "2026-11-20T23:00:00.000Z"],
])("%s typed here is %s", (typed, utc) => {
  // The evening of 20 November here, and already the 21st in UTC.
  const now = ms("2026-11-21T00:15:00Z");
  expect(new Date(parseWhen(typed, { now, direction: "future" })).toISOString()).toBe(utc);
});

test("a time that the clocks skip here is refused, and the refusal names this zone", () => {
  expect(() => parseWhen("2026-03-08 02:30", { now: 0 })).toThrow(GapError);
  expect(() => parseWhen("2026-03-08 02:30", { now: 0 })).toThrow(`in ${ZONE}: on 2026-03-08`);
  expect(zoneName({})).toBe(ZONE);
});

test("a search since a day begins at local midnight, and a quiet day is one of the campaign's own zone", () => {
  const found = readSearch("before:2026-11-21", { now: ms("2026-11-25T12:00:00Z"), utc: false });
  expect(JSON.stringify(found)).toContain(String(ms("2026-11-21T03:30:00Z")));
  const guards = { quiet: ["saturday"], zone: ZONE };
  expect(timeProblem(guards, ms("2026-11-21T02:00:00Z"))).toBeUndefined();
  expect(timeProblem(guards, ms("2026-11-21T04:00:00Z"))).toContain("saturday");
});
