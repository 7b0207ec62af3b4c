/** The recorded demo of the README: what it shows, scene by scene, and that its drawing is the recording. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { animatedPicture, framesOf } from "../scripts/demo/animate.ts";
import { readCast, withoutPauses, writeCast, type CastEvent } from "../scripts/demo/cast.ts";

const folder = path.resolve(import.meta.dirname, "../docs/demo");
const fileOf = (name: string): string => readFileSync(path.join(folder, name), "utf8");
const cast = readCast(fileOf("demo.cast"));

/** What the screen shows in each scene, by its caption. */
async function screensByCaption(): Promise<Map<string, string[]>> {
  const scenes = new Map<string, string[]>();
  for await (const { caption, term } of framesOf(cast)) {
    const { active } = term.buffer;
    const lines = Array.from(
      { length: term.rows },
      (_, y) => active.getLine(y)?.translateToString(true) ?? "",
    );
    scenes.set(caption, [...(scenes.get(caption) ?? []), lines.join("\n")]);
  }
  return scenes;
}

test("it shows a conversation, a thread, a poll, a map that moves, an outage that loses nothing, and a search", async () => {
  const scenes = await screensByCaption();
  const [conversation, thread, poll, map, lost, back, search] = [...scenes.values()] as string[][];
  const everShows = (screens: string[] | undefined, ...texts: (string | RegExp)[]): void => {
    for (const text of texts)
      expect(
        screens!.some((screen) => screen.search(text) >= 0),
        String(text),
      ).toBe(true);
  };
  everShows(conversation, "Ana Ribeiro is typing", "it moves");
  everShows(thread, /Thread · 4 replies/, /Thread · 5 replies/, /Ten is fine\. ✓/);
  const votes = poll!.flatMap((screen) => /(\d) votes/.exec(screen)?.[1] ?? []).map(Number);
  expect(Math.max(...votes)).toBeGreaterThan(votes[0]!);
  everShows(map, "Map · #field-trip");
  const places = new Set(map!.flatMap((screen) => /\d+\.\d+°N \d+\.\d+°E/.exec(screen)?.[0] ?? []));
  expect(places.size).toBeGreaterThan(1);
  everShows(lost, "waiting for the network", /retrying|reconnecting/);
  everShows(back, /Sent while nobody listens\. ✓/);
  expect(back!.at(-1)!.split("Sent while nobody listens").length - 1).toBe(1);
  expect(back!.at(-1)).toContain("● online");
  everShows(search, /Search/, /\d+ messages?/);
});

test("it takes at most 40 seconds, and no pause is longer than a reader needs", () => {
  const times = cast.events.map(([at]) => at);
  expect(times.at(-1)).toBeLessThanOrEqual(40);
  expect(Math.max(...times.map((at, i) => at - (times[i - 1] ?? 0)))).toBeLessThanOrEqual(1.61);
});

test("the drawing is made of the recording, loads nothing, has shapes for its emoji, and has at most 1 MB", async () => {
  const drawing = fileOf("demo.svg");
  expect(drawing).toBe(await animatedPicture(cast));
  expect(Buffer.byteLength(drawing)).toBeLessThanOrEqual(1_000_000);
  expect(drawing.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
    /href="[^#]|https?:|<script|<image/,
  );
  expect(drawing).toContain('href="#emoji-1f44d"');
  expect(drawing).not.toMatch(/\p{Emoji_Presentation}/u);
});

test("a recording is written as it is read, and only pauses beyond the longest are cut", () => {
  const events: CastEvent[] = [
    [0, "o", "a"],
    [1, "m", "next"],
    [9, "o", "\u001b[1mb"],
    [9.5, "o", "c"],
  ];
  expect(withoutPauses(events, 2).map(([at]) => at)).toEqual([0, 1, 3, 3.5]);
  expect(readCast(writeCast({ ...cast, events })).events).toEqual(events);
});
