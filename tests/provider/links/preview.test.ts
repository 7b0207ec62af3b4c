/** What a preview takes from a page: Open Graph before title and description, resolved, cleaned and shortened (specification/attachments.md §6). */
import { expect, test } from "vitest";
import { jsonBytes } from "../../../src/provider/domain/validation/check.ts";
import { previewOf } from "../../../src/provider/links/preview.ts";
import { ATTACHMENTS_JSON_LIMIT } from "../../../src/wire/constants.ts";
import { hostile as corpus } from "../../text/hostile.ts";
import { cpuMilliseconds } from "../../support/cpu-time.ts";

const REQUESTED_URL = "https://tea.example/page";
const read = (head: string, url = REQUESTED_URL) =>
  previewOf(REQUESTED_URL, {
    url,
    bytes: Buffer.from(`<!DOCTYPE html><html><head>${head}</head><body></body></html>`),
    charset: "utf-8",
  });
const meta = (property: string, content: string): string =>
  `<meta property="${property}" content="${content}">`;

test("reads every Open Graph field", async () => {
  expect(
    await read(
      meta("og:title", "Tea") +
        meta("og:description", "All about tea") +
        meta("og:url", "https://tea.example/canonical") +
        meta("og:site_name", "Tea House") +
        meta("og:image", "https://tea.example/i.png"),
    ),
  ).toEqual({
    og_scrape_url: REQUESTED_URL,
    type: "image",
    title: "Tea",
    text: "All about tea",
    title_link: "https://tea.example/canonical",
    author_name: "Tea House",
    author_link: "https://tea.example",
    image_url: "https://tea.example/i.png",
    thumb_url: "https://tea.example/i.png",
  });
});

test("without Open Graph it reads title and description, and without an image it sets no type", async () => {
  expect(await read('<title>Tea &amp; milk</title><meta name="description" content="plain">')).toEqual({
    og_scrape_url: REQUESTED_URL,
    title: "Tea & milk",
    text: "plain",
    title_link: REQUESTED_URL,
    author_link: "https://tea.example",
  });
});

test.each([
  [
    "a video",
    meta("og:video", "/v.mp4") + meta("og:audio", "/a.mp3") + meta("og:image", "/i.png"),
    "video",
    "https://tea.example/v.mp4",
  ],
  ["audio", meta("og:audio", "/a.mp3") + meta("og:image", "/i.png"), "audio", "https://tea.example/a.mp3"],
])("%s sets the type and the asset URL", async (_name, head, type, asset) => {
  expect(await read(head)).toMatchObject({ type, asset_url: asset, image_url: "https://tea.example/i.png" });
});

test("OG-2: relative addresses are resolved against the page after redirects, or its base", async () => {
  expect((await read(meta("og:image", "i.png"), "https://tea.example/deep/page"))!.image_url).toBe(
    "https://tea.example/deep/i.png",
  );
  expect((await read(`<base href="/x/">${meta("og:image", "i.png")}`))!.image_url).toBe(
    "https://tea.example/x/i.png",
  );
});

test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://"])(
  "an address such as %s is left out",
  async (address) => {
    const preview = await read(meta("og:title", "T") + meta("og:image", address) + meta("og:url", address));
    expect(preview).not.toHaveProperty("image_url");
    expect(preview!.title_link).toBe(REQUESTED_URL);
  },
);

test("tags in scripts, comments, styles and the body are ignored", async () => {
  const trap = meta("og:title", "trap");
  expect(
    await previewOf(REQUESTED_URL, {
      url: REQUESTED_URL,
      charset: "utf-8",
      bytes: Buffer.from(
        `<html><head><script>document.write('${trap}<title>trap</title>')</script><!-- ${trap} --><style>${trap}</style>` +
          `<title>Tea</title></head><body>${trap}</body></html>`,
      ),
    }),
  ).toMatchObject({ title: "Tea" });
});

test("the first of two tags counts, and letter case and quotes do not matter", async () => {
  expect(
    await read(
      `<META PROPERTY='og:title' CONTENT='say "tea"'/>${meta("og:title", "second")}<meta name=description content=bare>`,
    ),
  ).toMatchObject({ title: 'say "tea"', text: "bare" });
});

test("OG-1: a page without title, text and media has no preview", async () => {
  for (const head of ["", "<title> </title>", meta("og:site_name", "only a name"), "\u0000\u0001"])
    expect(await read(head)).toBeUndefined();
});

test("texts are one line without control characters and of limited length, whatever the page contains", async () => {
  const long = await read(meta("og:title", "👩‍👩‍👧".repeat(200)) + meta("og:description", "x ".repeat(5000)));
  expect(long!.title!.length).toBeLessThanOrEqual(300);
  expect(long!.title!).toMatch(/^(?:👩‍👩‍👧)+…$/u);
  expect(jsonBytes(long)).toBeLessThan(ATTACHMENTS_JSON_LIMIT);
  for (const one of corpus) {
    const text = one.replace(/["<>&]/g, " ");
    const preview = await read(meta("og:title", `T ${text}`));
    expect(preview?.title ?? "", JSON.stringify(text)).not.toMatch(
      /[\p{Cc}\u202A-\u202E\u2066-\u2069\u200B]/u,
    );
  }
});

test("input that is not HTML never takes long and never throws", async () => {
  const pieces = [
    "<",
    "<a ",
    "<!--",
    "&",
    "<x y='",
    "<script>",
    "<meta ",
    '="',
    "<title>",
    "]]>",
    "<![CDATA[",
    "a=",
  ];
  for (const piece of pieces) {
    const start = cpuMilliseconds();
    await read(piece.repeat(Math.ceil(200_000 / piece.length)));
    expect(cpuMilliseconds() - start, piece).toBeLessThan(1500);
  }
});

test("decodes named and numeric character references and leaves unknown ones", async () => {
  const preview = await read(meta("og:title", "&amp;&lt;&#39;&#x1F375;&hellip;&nosuch;&#0;&#xD800;& &amp"));
  expect(preview?.title).toBe("&<'🍵…&nosuch;\uFFFD\uFFFD& &");
});
