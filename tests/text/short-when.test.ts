/** Short times are never ambiguous: a weekday is shown for six days, because on the seventh it would equal today's. */
import { expect, test } from "vitest";
import { dayLabel, shortWhen } from "../../src/text/times.ts";

const utc = { utc: true };
const D = 86_400_000;
/** A Friday. */
const now = Date.UTC(2026, 10, 20, 12, 0, 0);

test.each<[string, number, string]>([
  ["this very moment", 0, "12:00"],
  ["this morning", -11 * 3_600_000, "01:00"],
  ["yesterday, less than a day ago", -13 * 3_600_000, "Thu 23:00"],
  ["five days ago", -5 * D, "Sun 12:00"],
  ["a moment less than six days ago", -6 * D + 1000, "Sat 12:00"],
  ["six days ago", -6 * D, "14 Nov"],
  ["six and a half days ago: a Friday like today", -6.6 * D, "13 Nov"],
  ["seven days ago: the same weekday", -7 * D, "13 Nov"],
  ["in a moment less than six days", 6 * D - 1000, "Thu 11:59"],
  ["in six days", 6 * D, "26 Nov"],
  ["in seven days", 7 * D, "27 Nov"],
])("%s is shown briefly", (_, away, words) => expect(shortWhen(now + away, now, utc)).toBe(words));

test.each([
  [2, "Mon 2 Nov"],
  [1, "Sun 1 Nov"],
  [7, "Sat 7 Nov"],
])("day %i of the month is shown with its weekday", (day, words) =>
  expect(dayLabel(Date.UTC(2026, 10, day), now, utc)).toBe(words),
);

test("the year is shown if it is not the current one", () => {
  const newYear = Date.UTC(2027, 0, 1);
  expect(dayLabel(newYear - 1, newYear, utc)).toBe("Thu 31 Dec 2026");
  expect(dayLabel(newYear, newYear - 1, utc)).toBe("Fri 1 Jan 2027");
  expect(shortWhen(newYear - 40 * D, newYear, utc)).toBe("22 Nov 2026");
});

test.each([
  ["Asia/Tokyo", 9],
  ["America/New_York", -5],
])("in %s the current year begins with the year there, not with that of UTC", (name, hours) => {
  const newYear = Date.UTC(2027, 0, 1) - hours * 3_600_000;
  const there = { name };
  const around = [newYear - 1, newYear];
  expect(around.map((now) => dayLabel(newYear - 1, now, there))).toEqual(["Thu 31 Dec", "Thu 31 Dec 2026"]);
  expect(around.map((now) => dayLabel(newYear, now, there))).toEqual(["Fri 1 Jan 2027", "Fri 1 Jan"]);
  expect(around.map((now) => shortWhen(newYear - 40 * D, now, there))).toEqual(["22 Nov", "22 Nov 2026"]);
  expect(around.map((now) => shortWhen(newYear + 40 * D, now, there))).toEqual(["10 Feb 2027", "10 Feb"]);
});
