/** Link previews while typing: what counts as a link, when it is requested, and what a send contains (R-LINK). */
import { describe, expect, test } from "vitest";
import { LinkPreviews, type PreviewsState } from "../../../src/core/composer/link-previews.ts";
import { urlsIn } from "../../../src/core/composer/urls.ts";
import { TransportError } from "../../../src/model/errors.ts";
import type { Attachment } from "../../../src/wire/entities/attachment.ts";
import { channel, CID, silentLog, subject } from "../state/world.ts";

interface Lookup {
  url: string;
  signal: AbortSignal;
  resolve(answer: object): void;
  reject(error: Error): void;
}

function previews(options: { enabled?: boolean; state?: ReturnType<typeof channel> } = {}) {
  const { machine, clock } = subject(options.state ?? channel());
  const lookups: Lookup[] = [];
  let { enabled = true } = options;
  const links = new LinkPreviews({
    place: { cid: CID },
    enabled: () => enabled,
    call: ((name: string, args: { query: { url: string }; signal: AbortSignal }) => {
      expect(name).toBe("getOG");
      const { promise, resolve, reject } = Promise.withResolvers();
      lookups.push({ url: args.query.url, signal: args.signal, resolve, reject } as never);
      args.signal.addEventListener("abort", () => reject(new TransportError("ERR_CANCELED", "cancelled")));
      return promise;
    }) as never,
    clock,
    log: silentLog,
    state: machine.state,
    finder: async () => urlsIn,
  });
  const statuses = (): string[] => links.state().previews.map(({ url, status }) => `${url} ${status}`);
  const type = async (text: string): Promise<void> => {
    links.typed(text);
    await clock.advance(1500);
  };
  const answer = async (
    n = lookups.length - 1,
    more: Attachment = { title: "Tea", type: "image" },
  ): Promise<void> => {
    lookups[n]!.resolve({ ...more, og_scrape_url: lookups[n]!.url, duration: "80.10ms" });
    await clock.settle();
  };
  const switchTo = (on: boolean): void => void (enabled = on);
  return { links, clock, lookups, statuses, type, answer, switch: switchTo };
}

const TEA = "https://tea.example/";

describe("what counts as a link", () => {
  test.each([
    [
      "R-LINK-2: a host has a dot and ends in two letters",
      "tea.example x.io http://sub.a-b.example/p?q#f",
      ["https://tea.example", "https://x.io", "http://sub.a-b.example/p?q#f"],
    ],
    [
      "R-LINK-2: localhost and bare addresses do not",
      "http://localhost:3000 http://10.0.0.1/x 192.168.0.1 https://[::1]/",
      [],
    ],
    [
      "R-LINK-2: hyphens stand inside, the last label is of letters",
      "http://-a.example http://a-.example http://a.b http://a.b2",
      [],
    ],
    ["R-LINK-2: other protocols and mail do not", "ftp://a.example mailto:me@tea.example me@tea.example", []],
    ["R-LINK-3: https is assumed", "see tea.example/x", ["https://tea.example/x"]],
    [
      "R-LINK-3: trailing punctuation is cut",
      '(see https://tea.example/a)! "tea.example/b"; tea.example/c?!:.,]}\'',
      ["https://tea.example/a", "https://tea.example/b", "https://tea.example/c"],
    ],
    [
      "R-LINK-3: a closing bracket is cut even where it was opened",
      "https://tea.example/x_(y)",
      ["https://tea.example/x_(y"],
    ],
    [
      "R-LINK-3: duplicates count once",
      "tea.example https://tea.example tea.example.",
      ["https://tea.example"],
    ],
    [
      "R-LINK-3: signs of the markup around it are not part of it",
      "**https://tea.example/a** _tea.example/b_ <https://tea.example/c> [label](https://tea.example/d)",
      ["https://tea.example/a", "https://tea.example/b", "https://tea.example/c", "https://tea.example/d"],
    ],
    ["R-LINK-3: code contains none", "`https://tea.example`", []],
    ["R-LINK-2: words with dots inside numbers are none", "3.14 and v1.2.3 and ...", []],
  ])("%s", (_rule, text, urls) => {
    expect(urlsIn(text)).toEqual(urls);
  });
});

describe("R-LINK-1: when links are looked up", () => {
  test("a link is requested 1500 ms after the last change, not before", async () => {
    const p = previews();
    p.links.typed("tea.exam");
    await p.clock.advance(1499);
    p.links.typed("tea.example");
    await p.clock.advance(1499);
    expect(p.lookups).toEqual([]);
    await p.clock.advance(1);
    expect(p.lookups.map(({ url }) => url)).toEqual(["https://tea.example"]);
  });
  test("typing the same text again does not restart the wait", async () => {
    const p = previews();
    p.links.typed(TEA);
    await p.clock.advance(1000);
    p.links.typed(TEA);
    await p.clock.advance(500);
    expect(p.lookups).toHaveLength(1);
  });
  const base = channel();
  test.each([
    ["the feature", { enabled: false }],
    [
      "url_enrichment",
      { state: { ...base, channel: { ...base.channel, config: { url_enrichment: false } as never } } },
    ],
    ["send-links", { state: { ...base, channel: { ...base.channel, own_capabilities: ["send-message"] } } }],
  ])("nothing is requested without %s", async (_what, options) => {
    const p = previews(options);
    await p.type(TEA);
    expect(p.lookups).toEqual([]);
    expect(p.clock.timers).toEqual([]);
    expect(p.links.outgoing(TEA)).toEqual({ attachments: [] });
  });
});

test("R-LINK-4: a preview is loading at first, then loaded or failed", async () => {
  const p = previews();
  const seen: PreviewsState[] = [];
  p.links.subscribe(() => seen.push(p.links.state()));
  await p.type("https://a.example https://b.example");
  expect(seen.map((state) => state.previews.map(({ status }) => status))).toEqual([["loading", "loading"]]);
  await p.answer(0);
  p.lookups[1]!.reject(new Error("nothing there"));
  await p.clock.settle();
  expect(p.statuses()).toEqual(["https://a.example loaded", "https://b.example failed"]);
});

describe("R-LINK-5: dismissing a preview", () => {
  test("dismissing a loading preview aborts its request, and a late answer changes nothing", async () => {
    const p = previews();
    await p.type(TEA);
    p.links.dismiss(TEA);
    expect(p.lookups[0]!.signal.aborted).toBe(true);
    await p.answer(0);
    expect(p.statuses()).toEqual([`${TEA} dismissed`]);
    await p.type(`${TEA} more`);
    expect(p.statuses()).toEqual([`${TEA} dismissed`]);
    expect(p.lookups).toHaveLength(1);
  });
  test("loaded and failed previews can be dismissed", async () => {
    const p = previews();
    await p.type("https://a.example https://b.example");
    await p.answer(0);
    p.lookups[1]!.reject(new Error("no"));
    await p.clock.settle();
    p.links.dismiss("https://a.example");
    p.links.dismiss("https://b.example");
    expect(p.statuses()).toEqual(["https://a.example dismissed", "https://b.example dismissed"]);
  });
});

describe("R-LINK-6: a link that is deleted from the text", () => {
  test("loses its preview and request, and is requested again when it comes back", async () => {
    const p = previews();
    await p.type(`${TEA} x`);
    await p.type("x");
    expect(p.statuses()).toEqual([]);
    expect(p.lookups[0]!.signal.aborted).toBe(true);
    await p.answer(0);
    expect(p.statuses()).toEqual([]);
    await p.type(TEA);
    expect(p.statuses()).toEqual([`${TEA} loading`]);
    expect(p.lookups).toHaveLength(2);
  });
  test("stays dismissed when it comes back, until the composer is cleared", async () => {
    const p = previews();
    await p.type(TEA);
    p.links.dismiss(TEA);
    await p.type("x");
    await p.type(TEA);
    expect(p.statuses()).toEqual([`${TEA} dismissed`]);
    p.links.clear();
    await p.type(TEA);
    expect(p.statuses()).toEqual([`${TEA} loading`]);
  });
});

test("R-LINK-7: a failed link is not requested again while it stays in the text", async () => {
  const p = previews();
  await p.type(TEA);
  p.lookups[0]!.reject(new Error("no"));
  await p.type(`${TEA} and more`);
  expect(p.lookups).toHaveLength(1);
  expect(p.statuses()).toEqual([`${TEA} failed`]);
});

describe("R-LINK-8: what a send contains", () => {
  const both = "https://a.example https://b.example";
  test("loaded previews are attached without the request's duration, and the provider does not look up links", async () => {
    const p = previews();
    await p.type(both);
    await p.answer(0);
    await p.answer(1, { text: "milk" });
    expect(p.links.outgoing(both)).toEqual({
      attachments: [
        { type: "image", title: "Tea", og_scrape_url: "https://a.example" },
        { text: "milk", og_scrape_url: "https://b.example" },
      ],
      skip_enrich_url: true,
    });
  });
  test("while a preview is loading none is attached and the provider looks up the links", async () => {
    const p = previews();
    await p.type(both);
    await p.answer(0);
    expect(p.links.outgoing(both)).toEqual({ attachments: [] });
  });
  test("while a preview is loading and another was dismissed, those loaded are attached and the provider looks up nothing", async () => {
    const p = previews();
    const three = `${both} https://c.example`;
    await p.type(three);
    await p.answer(0);
    p.links.dismiss("https://b.example");
    expect(p.links.outgoing(three)).toEqual({
      attachments: [{ type: "image", title: "Tea", og_scrape_url: "https://a.example" }],
      skip_enrich_url: true,
    });
  });
  test("if all previews failed none is attached and the provider looks up the links", async () => {
    const p = previews();
    await p.type(TEA);
    p.lookups[0]!.reject(new Error("no"));
    await p.clock.settle();
    expect(p.links.outgoing(TEA)).toEqual({ attachments: [] });
  });
  test("with a dismissed preview and none loaded nothing is attached, and the provider looks up nothing", async () => {
    const p = previews();
    await p.type(both);
    p.links.dismiss("https://a.example");
    p.lookups[1]!.reject(new Error("no"));
    await p.clock.settle();
    expect(p.links.outgoing(both)).toEqual({ attachments: [], skip_enrich_url: true });
  });
  test("the sent text counts: a link without preview yet is left to the provider, a deleted one is not attached", async () => {
    const p = previews();
    await p.type(TEA);
    await p.answer(0);
    expect(p.links.outgoing(`${TEA} https://new.example`)).toEqual({ attachments: [] });
    expect(p.links.outgoing("no link")).toEqual({ attachments: [] });
    expect(p.links.outgoing(TEA)).toMatchObject({ skip_enrich_url: true });
  });
});

test("R-LINK-9: a clear cancels the wait and all requests", async () => {
  const p = previews();
  await p.type(TEA);
  p.links.typed("https://b.example");
  p.links.clear();
  expect(p.clock.timers).toEqual([]);
  expect(p.lookups[0]!.signal.aborted).toBe(true);
  await p.answer(0);
  await p.clock.advance(5000);
  expect(p.links.state()).toEqual({ previews: [], dismissed: [] });
  expect(p.lookups).toHaveLength(1);
});

test("R-LINK-9: leaving the channel cancels all requests, and coming back looks again; what was dismissed stays so", async () => {
  const p = previews();
  const text = "https://a.example https://b.example";
  await p.type(text);
  p.links.dismiss("https://a.example");
  p.links.pause();
  expect(p.lookups[1]!.signal.aborted).toBe(true);
  expect(p.clock.timers).toEqual([]);
  expect(p.links.outgoing(text)).toEqual({ attachments: [], skip_enrich_url: true });
  p.links.resume(text);
  await p.clock.settle();
  expect(p.statuses()).toEqual(["https://a.example dismissed", "https://b.example loading"]);
  expect(p.lookups.map(({ url }) => url).slice(2)).toEqual(["https://b.example"]);
});

describe("R-LINK-10: previews of one message", () => {
  test("are switched on against the setting, at once, until the message is sent", async () => {
    const p = previews({ enabled: false });
    await p.type(TEA);
    expect(p.lookups).toEqual([]);
    p.links.choose(true);
    await p.clock.settle();
    expect(p.statuses()).toEqual([`${TEA} loading`]);
    await p.answer(0);
    expect(p.links.outgoing(TEA)).toMatchObject({ attachments: [{ title: "Tea" }], skip_enrich_url: true });
    p.links.clear();
    await p.type(TEA);
    expect(p.lookups).toHaveLength(1);
  });
  test("are switched off against the setting: nothing is requested any more, and the provider looks up nothing", async () => {
    const p = previews();
    await p.type("https://a.example");
    p.links.choose(false);
    expect(p.lookups[0]!.signal.aborted).toBe(true);
    const both = "https://a.example https://b.example";
    await p.type(both);
    expect(p.statuses()).toEqual(["https://a.example dismissed", "https://b.example dismissed"]);
    expect(p.lookups).toHaveLength(1);
    expect(p.links.outgoing(both)).toEqual({ attachments: [], skip_enrich_url: true });
  });
  test("are switched on again with those that were dismissed", async () => {
    const p = previews();
    await p.type(TEA);
    await p.answer(0);
    p.links.dismiss(TEA);
    p.links.choose(true);
    await p.clock.settle();
    expect(p.statuses()).toEqual([`${TEA} loading`]);
    await p.answer(1);
    expect(p.links.outgoing(TEA)).toMatchObject({ attachments: [{ title: "Tea" }] });
  });
});

test("R-LINK-1: a setting that is switched off removes the previews, but what was dismissed is still sent without", async () => {
  const p = previews();
  await p.type("https://a.example https://b.example");
  p.links.dismiss("https://a.example");
  p.switch(false);
  p.links.resume("https://a.example https://b.example");
  expect(p.statuses()).toEqual(["https://a.example dismissed"]);
  expect(p.lookups[1]!.signal.aborted).toBe(true);
  expect(p.links.outgoing("https://a.example https://b.example")).toEqual({
    attachments: [],
    skip_enrich_url: true,
  });
  expect(p.links.outgoing("https://b.example")).toEqual({ attachments: [] });
});
