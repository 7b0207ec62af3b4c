// Turns an SVG drawing of the screen into a PNG with the Chromium on PATH: node scripts/picture.mjs screen.svg screen.png [scale]
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [from, to, scale = "2"] = process.argv.slice(2);
if (!from || !to) {
  console.error("Usage: node scripts/picture.mjs <screen.svg> <screen.png> [scale]");
  process.exit(2);
}
const chromium = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((name) => (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, name)))
  .find((file) => existsSync(file));
if (!chromium) {
  console.error(
    "No chromium, chromium-browser or google-chrome on PATH; the SVG itself shows in any browser.",
  );
  process.exit(1);
}
const svg = readFileSync(from, "utf8");
const size = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg);
if (!size) {
  console.error(`${from} is no SVG with a width and a height.`);
  process.exit(1);
}
const folder = mkdtempSync(path.join(tmpdir(), "parley-picture-"));
try {
  const page = path.join(folder, "page.html");
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;background:transparent}svg{display:block}</style>${svg}`,
  );
  execFileSync(
    chromium,
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      "--default-background-color=00000000",
      `--user-data-dir=${path.join(folder, "profile")}`,
      `--force-device-scale-factor=${scale}`,
      `--window-size=${size[1]},${size[2]}`,
      `--screenshot=${path.resolve(to)}`,
      pathToFileURL(page).href,
    ],
    { stdio: "ignore", timeout: 60_000 },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
