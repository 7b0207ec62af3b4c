/** The campaign file: its valid content, the messages for invalid content, and its safety checks. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countProblem, readGuards, timeProblem } from "../../../src/commands/campaign/file/guards.ts";
import { isFileName } from "../../../src/commands/campaign/args/flow.ts";
import { requireValidCampaign, readCampaignFile } from "../../../src/commands/campaign/file/read.ts";
import { sampleFile } from "../../../src/commands/campaign/file/sample.ts";
import { CAMPAIGN_FILE } from "../../../src/commands/campaign/file/shape.ts";
import { campaignSchema } from "../../../src/commands/campaign/file/schema.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-file-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(text: string, name = "spring.yaml") {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const found = await readCampaignFile({}, file);
  return {
    ...found,
    said: found.problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
  };
}

const MINIMAL = "id: spring\nsender_id: ana\nmessage_template: {text: hi}\n";

describe("a campaign file", () => {
  test("written by campaign new has no problem", async () => {
    const { said, fields, audience, guards } = await read(sampleFile("spring", "ana"));
    expect(said).toEqual([]);
    expect([fields.id, fields.sender_id, audience, guards]).toEqual([
      "spring",
      "ana",
      { segment: "spring" },
      { max_recipients: 10000 },
    ]);
  });
  test("can be JSON, and file names in it are relative to its folder", async () => {
    const { said, audience } = await read(
      '{"id":"a","sender_id":"b","message_template":{"text":"c"},"audience":{"csv":"people.csv"}}',
      "spring.json",
    );
    expect([said, audience]).toEqual([[], { csv: path.join(folder, "people.csv") }]);
  });
  test("with a value of another type at any key is told of it, at every place", async () => {
    const odd = {
      number: 7,
      flag: true,
      list: [1, { a: 1 }],
      object: { a: { b: 1 } },
      nothing: null,
      text: "x",
    };
    const places = [
      ...Object.keys(CAMPAIGN_FILE).map((key) => [key]),
      ...["segment", "segments", "filter", "ids", "csv", "ndjson"].map((key) => ["audience", key]),
      ...["expect", "max_recipients", "window", "time_zone", "quiet_days"].map((key) => ["guards", key]),
    ];
    for (const [key, part] of places)
      for (const value of Object.values(odd)) {
        const content = part === undefined ? value : { [part]: value };
        const file = { id: "spring", sender_id: "ana", message_template: { text: "hi" }, [key!]: content };
        await expect(read(JSON.stringify(file), "odd.json"), JSON.stringify(file)).resolves.toBeDefined();
      }
    expect((await read(`${MINIMAL}audience: {ids: [c1, c2]}\n`)).said).toEqual([
      "4:12 audience.ids must be a text",
    ]);
  });
  test("gets all its problems reported at once, each with its position and a suggestion", async () => {
    const { said } = await read(
      "id: spring\nsender_id: 7\nskip_pussh: true\nmessage_template:\n  texd: hi\naudience: {segment: a, ids: b}\nguards: {max_recipients: 0}\n",
    );
    expect(said).toEqual([
      "2:1 sender_id must be a text",
      "3:1 skip_pussh is not a key of a campaign file: did you mean skip_push?",
      "4:1 message_template.text is missing",
      "5:3 message_template.texd is not a key of a campaign file: did you mean text?",
      "6:24 audience.ids and audience.segment cannot be combined",
      "7:10 guards.max_recipients must be at least 1",
    ]);
  });
  test("with an unknown key far from any other gets all keys listed", async () => {
    const { said } = await read(`${MINIMAL}audience: {everybody: true}\n`);
    expect(said[1]).toBe(
      "4:12 audience.everybody is not a key of a campaign file: it has segment, segments, filter, ids, csv, ndjson",
    );
  });
  test.each([
    ["no audience", MINIMAL, "audience has no source"],
    ["no id", "sender_id: a\nmessage_template: {text: b}\nuser_ids: [c]\n", "id is missing"],
    [
      "create_channels but no template",
      `${MINIMAL}user_ids: [a]\ncreate_channels: true\n`,
      "needs a channel_template",
    ],
    ["a key twice", `${MINIMAL}id: b\n`, "Map keys must be unique"],
    ["a list instead of an object", "- a\n", "it is not an object"],
    ["aliases", "a: &a {b: c}\nid: *a\n", "aliases, which are not followed"],
    ["too many nested lists", `id: ${"[".repeat(20_000)}`, "it is nested too deep or has too many values"],
    ["an entry that is not a text", `${MINIMAL}user_ids: [a, 7]\n`, "user_ids.1 must be a text"],
  ])("with %s gets the problem reported", async (_, text, words) => {
    const found = await read(text);
    expect(found.said.join("\n")).toContain(words);
    expect(() => requireValidCampaign(found)).toThrow(words);
  });
  test("is distinguished from a campaign id by its name", () => {
    expect(["a.yaml", "b.YML", "./c", "d.json", "-"].map(isFileName)).toEqual(Array(5).fill(true));
    expect(["spring", "spring.tea", "json"].map(isFileName)).toEqual(Array(3).fill(false));
  });
  test("has a schema with a description of every key, and without the provider's own fields", () => {
    const { properties, required } = campaignSchema() as {
      properties: Record<string, { description?: string; properties?: object; enum?: string[] }>;
      required: string[];
    };
    expect(required).toEqual(["sender_id", "message_template"]);
    expect(Object.keys(properties.audience!.properties!)).toEqual([
      "segment",
      "segments",
      "filter",
      "ids",
      "csv",
      "ndjson",
    ]);
    expect(properties.sender_mode!.enum).toEqual(["include", "exclude", ""]);
    expect(Object.entries(properties).filter(([, { description }]) => !description)).toEqual([]);
    expect(properties.status).toBeUndefined();
  });
});

describe("guards", () => {
  const noon = Date.parse("2026-11-22T11:00:00Z");
  test("accept a range, a number and a maximum", () => {
    const range = readGuards({ expect: "900..1100" });
    expect([899, 900, 1100, 1101].map((n) => countProblem(range, n))).toEqual([
      "899 would receive it, but 900 to 1100 are expected",
      undefined,
      undefined,
      "1101 would receive it, but 900 to 1100 are expected",
    ]);
    expect(countProblem(readGuards({ expect: 5 }), 4)).toBe("4 would receive it, but 5 are expected");
    expect(countProblem(readGuards({ max_recipients: 10 }), 10)).toBeUndefined();
    expect(countProblem(readGuards({ max_recipients: 10 }), 11)).toBe(
      "11 would receive it, but at most 10 may",
    );
    expect(countProblem(readGuards({ max_recipients: 10 }, { maxRecipients: 20 }), 11)).toBeUndefined();
  });
  test("check the hour and the day in the named time zone", () => {
    const berlin = readGuards({ window: "09:00-12:00", time_zone: "Europe/Berlin" });
    expect(timeProblem(berlin, noon)).toBe("in Europe/Berlin it is 12:00, and the window is 09:00-12:00");
    expect(timeProblem(berlin, noon - 60_000)).toBeUndefined();
    const night = readGuards({ window: "22:00-06:00", time_zone: "UTC" });
    expect(
      ["12:00", "21:59", "22:00", "23:00", "00:00", "05:59", "06:00"].map(
        (time) => timeProblem(night, Date.parse(`2026-11-22T${time}:00Z`)) === undefined,
      ),
    ).toEqual([false, false, true, true, true, true, false]);
    const quiet = readGuards({ quiet_days: ["Sunday", "2026-12-25"], time_zone: "Asia/Tokyo" });
    expect(timeProblem(quiet, noon)).toBe(
      "in Asia/Tokyo it is sunday, 2026-11-22, and sunday is a quiet day",
    );
    expect(timeProblem(quiet, Date.parse("2026-12-24T16:00:00Z"))).toContain("2026-12-25 is a quiet day");
    expect(timeProblem(quiet, noon + 86_400_000)).toBeUndefined();
  });
  test.each([
    [{ window: "09:00-18:00" }, "need the name of a time zone"],
    [{ quiet_days: ["sunday"] }, "need the name of a time zone"],
    [{ window: "9-18", time_zone: "UTC" }, "must be hours"],
    [{ window: "09:00-25:00", time_zone: "UTC" }, "must be hours"],
    [{ time_zone: "Mars/Base" }, "is not a time zone"],
    [{ quiet_days: ["caturday"], time_zone: "UTC" }, "neither a weekday nor a date"],
    [{ expect: "many" }, "a number or a range"],
    [{ expect: "10..5" }, "a number or a range"],
  ])("with %j are refused", (guards, words) => {
    expect(() => readGuards(guards)).toThrow(words);
  });
});
