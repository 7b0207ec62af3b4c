/** The demo workspace: seeded once, joined by new users, and animated by its guide. */

const page = (title: string, text: string, site: string, extraTags = ""): string =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${title}</title>
<meta property="og:title" content="${title}"><meta property="og:description" content="${text}">
<meta property="og:site_name" content="${site}">${extraTags}</head><body></body></html>`;

/** HTML by address. */
export const demoPages: Readonly<Record<string, string>> = {
  "https://ci.example.com/880": page("Build 880 passed", "412 tests, 4 min 02 s", "ci.example.com"),
  "https://ci.example.com/881": page(
    "Build 881 failed",
    "2 tests failed, 14 s into the suite",
    "ci.example.com",
  ),
  "https://photos.example.com/sunset": page(
    "Sunset over the harbour",
    "Four minutes after rain",
    "photos.example.com",
    '<meta property="og:image" content="/sunset.jpg">',
  ),
};

export { startGuide } from "./guide.ts";
export { joinDemo, seedDemo } from "./seed.ts";
