/** Contract rows of link previews: the answers of GET /og (specification/attachments.md §6). */
import type { Case } from "./case.ts";

const OG = "GET /og";
const url = (text: string) => () => ({ query: { url: text } });

export const linksCases: Case[] = [
  {
    route: OG,
    name: "answers the preview of a page",
    embeddedOnly: true,
    as: "dan",
    input: url("https://tea.example/"),
    reply: {
      og_scrape_url: "text",
      type: { oneOf: ["image", "video", "audio"] },
      title: "text",
      title_link: "text",
      text: "text",
      author_name: "text",
      author_link: "text",
      image_url: "text",
      thumb_url: "text",
    },
    values: () => ({
      og_scrape_url: "https://tea.example/",
      type: "image",
      title: "Tea",
      title_link: "https://tea.example/",
      text: "All about tea",
      author_name: "Tea House",
      author_link: "https://tea.example",
      image_url: "https://tea.example/i.png",
      thumb_url: "https://tea.example/i.png",
    }),
  },
  { route: OG, name: "needs an address", as: "bob", code: 4, field: "url", messagePart: "is required" },
  ...["tea", "/tea", "ftp://tea.example/", "javascript:alert(1)", "https://"].map((text): Case => ({
    route: OG,
    name: `OG-1: ${text} is no web address`,
    as: "bob",
    input: url(text),
    code: 4,
    field: "url",
    messagePart: "must be an absolute http or https address with a host",
  })),
  {
    route: OG,
    name: "OG-1: refuses a page without title, text and media",
    as: "bob",
    input: url("https://empty.example/"),
    code: 4,
    field: "url",
    messagePart: "leads to no page that says anything of itself",
  },
  ...["http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest", "http://localhost/"].map(
    (text): Case => ({
      route: OG,
      name: `OG-3: ${text}`,
      as: "bob",
      input: url(text),
      code: 4,
      field: "url",
    }),
  ),
];
