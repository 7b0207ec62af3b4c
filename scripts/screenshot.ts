/** Draws docs/screen.png from the real screen on a fresh demo workspace: needs chromium on the PATH. Run: npm run build && node scripts/screenshot.ts */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Stage } from "../tests/bench/stage.ts";

const stage = new Stage();
stage.env.PARLEY_USER_NAME = "you";
stage.start();
try {
  const screen = stage.screen(["chat", "#general"], { cols: 120, rows: 36 });
  await screen.waitFor("deploy at ten?");
  await screen.settle(500);
  const bob = stage.screen(["--as", "bob", "chat", "#general"], { cols: 100, rows: 30 });
  await bob.waitFor("deploy at ten?");
  bob.type("the build is green, shall we?");
  bob.key("enter");
  await screen.waitFor("shall we?");
  for (const letter of "writing som") {
    bob.type(letter);
    await bob.settle(30);
  }
  screen.key("esc");
  await screen.settle(200);
  for (let n = 0; n < Number(process.argv[2] ?? 10); n++) screen.type("k");
  screen.type("t");
  await screen.waitFor("ten it is");
  await screen.settle(400);
  const svg = path.join(os.tmpdir(), `parley-screen-${process.pid}.svg`);
  writeFileSync(svg, screen.picture());
  execFileSync(
    process.execPath,
    [
      path.resolve(import.meta.dirname, "picture.mjs"),
      svg,
      path.resolve(import.meta.dirname, "../docs/screen.png"),
    ],
    { stdio: "inherit" },
  );
  rmSync(svg);
  await bob.close();
  await screen.close();
} finally {
  await stage.end();
}
