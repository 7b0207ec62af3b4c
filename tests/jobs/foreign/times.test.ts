/** Times of foreign files: each form gives the same microseconds, and what no message can have gives none. */
import { expect, test } from "vitest";
import {
  microsOf,
  microsOfIso,
  microsOfMs,
  microsOfSeconds,
  pastTime,
  timeText,
} from "../../../src/jobs/foreign/base/times.ts";

test.each<[string, number | undefined]>([
  ["1512085950.000216", 1_512_085_950_000_216],
  ["1512085950.5", 1_512_085_950_500_000],
  ["1512085950.05", 1_512_085_950_050_000],
  ["1512085950", 1_512_085_950_000_000],
  ["86400", 86_400_000_000],
  ["86399.999999", undefined],
  ["4000000000.000000", 4_000_000_000_000_000],
  ["4000000000.000001", undefined],
  ["1512085950.", undefined],
  ["1512085950.0000001", undefined],
  ["-1512085950", undefined],
  ["", undefined],
])("the seconds %j", (text, micros) => {
  expect(microsOf(text)).toBe(micros);
});

test("numbers, milliseconds and ISO times are the same moment", () => {
  const all = [
    microsOfSeconds(1_512_085_950.25),
    microsOfMs(1_512_085_950_250),
    microsOfIso("2017-12-01T00:52:30.25+01:00"),
  ];
  expect(all).toEqual(all.map(() => 1_512_085_950_250_000));
  expect(timeText(all[0]!)).toBe("2017-11-30T23:52:30.250000Z");
  expect([microsOf(1_512_085_950), microsOfSeconds("5"), microsOfMs(null), microsOfIso("soon")]).toEqual(
    all.map(() => undefined).concat(undefined),
  );
});

test("a time is past up to now itself", () => {
  const micros = 1_512_085_950_000_000;
  expect([0, 1, -1].map((ms) => pastTime(micros, micros / 1000 + ms))).toEqual([
    "2017-11-30T23:52:30.000000Z",
    "2017-11-30T23:52:30.000000Z",
    undefined,
  ]);
  expect(pastTime(undefined, 1)).toBeUndefined();
});
