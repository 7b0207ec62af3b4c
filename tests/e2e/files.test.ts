/** Files through the whole program: chosen from a folder or dropped, sent, listed, and saved by another user byte for byte. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

let home: Home;
let ana: Pty;
let bob: Pty;
const bytes = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 256));

beforeAll(async () => {
  home = new Home();
  await home.up();
  // The screen asks for the upload rules only once, so they are set before it starts.
  writeFileSync(
    path.join(home.folder, "app.json"),
    `{"file_upload_config":{"blocked_file_extensions":[".exe"]}}`,
  );
  expect((await home.sh(`parley app set --file '${home.folder}/app.json' --yes`)).code).toBe(0);
  mkdirSync(path.join(home.folder, "my papers"));
  writeFileSync(path.join(home.folder, "my papers/report one.bin"), bytes);
  writeFileSync(path.join(home.folder, "my papers/it's.txt"), "small");
  await home.channel("general", ["ana", "bob"]);
  await home.say("messaging:general", "bob", { text: "before anybody looked" });
  ana = home.screen(["chat", "messaging:general"]);
  bob = home.screen(["chat", "messaging:general", "--as", "bob"]);
  for (const screen of [ana, bob]) {
    await screen.waitFor("before anybody looked");
    await screen.waitFor("● online");
  }
});
afterAll(() => home.end());

test("a file chosen with Ctrl-O is uploaded and sent with the message", async () => {
  ana.key("C-o");
  await ana.waitFor(/my papers\/ +folder/);
  ana.type("~/my pap");
  ana.key("tab");
  await ana.waitFor(/report one\.bin +bin +3 kB/);
  ana.type("*.bin");
  await ana.waitFor("1 match");
  ana.key("enter");
  await ana.waitFor("[report one.bin · 3 kB ✕]");
  ana.type("the report");
  ana.key("enter");
  await bob.waitFor("the report");
  await bob.waitFor(/report one\.bin {3}/);
});

test("a dropped path becomes an attachment by a key, and undo turns it back into text", async () => {
  const dropped = `'${home.folder}/my papers/it'\\''s.txt'`;
  ana.paste(dropped);
  await ana.waitFor("Alt-H attaches the file");
  ana.key("A-h");
  await ana.waitFor("[it's.txt · uploads on Enter ✕]");
  ana.key("C-_");
  await ana.waitFor((pty) => !pty.text().includes("files ·") && pty.text().includes("papers/it'\\''s.txt"));
  ana.key("C-_");
  await ana.waitFor("message #general");
});

test("another user saves the file from the list of files into a new folder, byte for byte", async () => {
  bob.type("/files\r");
  await bob.waitFor("FILES");
  await bob.waitFor(/report one\.bin .*3 kB/);
  bob.type("O");
  await bob.waitFor("Save in which folder?");
  bob.type("~/saved/new/");
  await bob.waitFor("· ~/saved/new");
  bob.key("enter");
  await bob.waitFor("saved as ~/saved/new/report one.bin");
  expect(readFileSync(path.join(home.folder, "saved/new/report one.bin"))).toEqual(bytes);
  bob.type("O");
  await bob.waitFor("saved as ~/saved/new/report one (1).bin");
  expect((await home.sh("parley config get downloads")).out).toContain("saved/new");
});

test("with a blocked and a failed file nothing is sent; after retrying one and removing the other the message goes out", async () => {
  expect((await home.sh("parley local fault add 'POST *file' --status 400 --times 1")).code).toBe(0);
  mkdirSync(path.join(home.folder, "three"));
  for (const name of ["a.txt", "b.exe", "c.txt"])
    writeFileSync(path.join(home.folder, "three", name), `this is ${name}`);
  bob.key("esc");
  await bob.waitFor((pty) => !pty.text().includes("FILES  "));
  ana.key("C-o");
  await ana.waitFor("Attach files");
  ana.type("~/three/*");
  await ana.waitFor("3 match");
  ana.key("enter");
  await ana.waitFor(/b\.exe · .*blocked/);
  // The other files' answers come later; the notice of a failed one would hide the answer to Enter.
  await ana.waitFor(/[ac]\.txt · \d+ B · failed/);
  ana.type("three of them");
  ana.key("enter");
  await ana.waitFor("Nothing was sent · b.exe not allowed");
  ana.key("A-u");
  await ana.waitFor((pty) => !pty.text().includes("failed"));
  ana.key("A-x");
  await ana.waitFor("Remove what?");
  ana.type("b.exe");
  await ana.waitFor("› b.exe");
  ana.key("enter");
  await ana.waitFor((pty) => !pty.text().includes("b.exe"));
  ana.key("enter");
  await bob.waitFor("three of them");
  await bob.waitFor(/ {2}c\.txt {3}/);
  expect(bob.text()).toMatch(/ {2}a\.txt {3}/);
});
