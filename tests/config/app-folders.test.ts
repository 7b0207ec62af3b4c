/** To which app the folders of this machine belong: by key, or by address and key, however an address is written. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  addAddress,
  appAt,
  appOfProfile,
  claimFolder,
  findAppFolder,
  readAppFolders,
} from "../../src/config/app-folders.ts";
import { readNames, saveNames, emptyNames } from "../../src/config/names.ts";

let home: string;
let env: Record<string, string>;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "parley-apps-"));
  env = { HOME: home, XDG_STATE_HOME: path.join(home, "state"), XDG_CACHE_HOME: path.join(home, "cache") };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (...parts: string[]): string => path.join(home, "state/parley", ...parts);

test.each([
  ["https://chat.example/", "https://CHAT.example:443"],
  ["https://chat.example/eu/", "https://chat.example./eu"],
  ["http://127.0.0.1:8080", "http://localhost:8080/"],
  ["http://[::1]:8080", "http://localhost:8080"],
])("%s and %s are one address", (one, other) => expect(appAt("k3y", one)).toEqual(appAt("k3y", other)));

test.each([
  ["https://chat.example", "https://chat.example:8443"],
  ["https://chat.example", "https://chat.example/eu"],
  ["http://localhost:8080", "https://localhost:8080"],
  ["http://127.0.0.1:8080", "http://127.0.0.2:8080"],
])("%s and %s are two addresses", (one, other) => expect(appAt("k3y", one)).not.toEqual(appAt("k3y", other)));

test("an embedded provider is known by its key alone, through the local profile and through its address", () => {
  const key = "local_0123456789abcdef";
  const local = appOfProfile({ name: "local", kind: "local" }, key);
  for (const port of [1, 2])
    expect(
      appOfProfile({ name: "far", kind: "token", url: `http://127.0.0.1:${port}`, key }, "local_other"),
    ).toEqual(local);
  expect(appOfProfile({ name: "local", kind: "local" }, undefined)).toBe(undefined);
});

test("a folder is found by the key and any of its addresses under every profile, and by no other key or address", () => {
  const app = appAt("k3y", "https://a.example");
  const { name, places } = findAppFolder(env, app, "work");
  claimFolder(env, name, app);
  expect(readAppFolders(env).folders).toEqual([{ name, key: "k3y", addresses: ["https://a.example"] }]);
  expect(findAppFolder(env, app, "other")).toEqual({ name, places, others: [] });

  const moved = appAt("k3y", "https://b.example");
  const elsewhere = findAppFolder(env, moved, "work");
  expect(elsewhere.places.state).not.toBe(places.state);
  expect(elsewhere.others.map((folder) => folder.name)).toEqual([name]);
  expect(findAppFolder(env, appAt("other", "https://a.example"), "work").others).toEqual([]);

  addAddress(env, elsewhere.others[0]!, moved.address!);
  expect(findAppFolder(env, moved, "work")).toEqual({ name, places, others: [] });
});

test("the first of two programs decides whom a folder belongs to, and its files are private", () => {
  claimFolder(env, "work", { key: "one" });
  claimFolder(env, "work", { key: "two" });
  expect(readAppFolders(env).folders).toEqual([{ name: "work", key: "one", addresses: [] }]);
  expect(statSync(at("work/app.json")).mode & 0o777).toBe(0o600);
  expect(statSync(at("work")).mode & 0o777).toBe(0o700);
});

test("keys and addresses of any length and with any characters get folders of their own", () => {
  const apps = [
    appAt("a@b", "https://c.example"),
    appAt("a", "https://c.example/b@c.example"),
    appAt("../..", "https://c.example"),
    appAt("k".repeat(300), "https://c.example"),
    appAt(`${"k".repeat(300)}x`, "https://c.example"),
    { key: "." },
  ];
  const states = apps.map((app) => findAppFolder(env, app, "work").places.state);
  expect(new Set(states).size).toBe(apps.length);
  for (const state of states)
    expect([path.dirname(state), path.basename(state).length < 256]).toEqual([at(), true]);
});

test("a folder that names its app in a damaged file or a link is refused, and no folder is used instead", () => {
  mkdirSync(at("work/mira"), { recursive: true });
  writeFileSync(at("work/app.json"), '{"key":');
  expect(() => findAppFolder(env, { key: "k3y" }, "work")).toThrow(/app\.json is damaged/);
  rmSync(at("work/app.json"));
  symlinkSync("/etc/hostname", at("work/app.json"));
  expect(() => findAppFolder(env, { key: "k3y" }, "work")).toThrow(/is a link/);
});

test("only folders of profiles are taken for such: those of screens, and of anything else, are left alone", () => {
  for (const folder of ["screens", "notes/a", "work/mira", "old/campaigns", "k3y@chat.example/mira"])
    mkdirSync(at(folder), { recursive: true });
  for (const folder of ["work/mira", "k3y@chat.example/mira"]) writeFileSync(at(folder, "state.db"), "");
  expect(readAppFolders(env)).toEqual({ folders: [], unclaimed: ["old", "work"] });
});

test("names for completion are kept for each app", () => {
  const [one, other] = ["one", "other"].map((key) => findAppFolder(env, { key }, "work").places.cache);
  saveNames(one!, { ...emptyNames(), channel: [["messaging:tea", "Tea"]] });
  expect(readNames(one!).channel).toEqual([["messaging:tea", "Tea"]]);
  expect(readNames(other!)).toEqual(emptyNames());
  expect(existsSync(path.join(home, "cache/parley/names.json"))).toBe(false);
});

test("a folder that belongs to no known app is no app's", () => {
  claimFolder(env, "work", {});
  expect(JSON.parse(readFileSync(at("work/app.json"), "utf8"))).toEqual({ addresses: [] });
  const { name, others } = findAppFolder(env, appAt("k3y", "https://a.example"), "work");
  expect([name, others]).toEqual(["k3y@a.example", []]);
});
