/** Secrets in the desktop's keyring, if one is available. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { credentialsFile } from "../../src/config/paths.ts";
import { readSecret, removeSecret, saveSecret } from "../../src/config/secrets.ts";

const fakeKeyring = vi.hoisted(() => ({
  entries: new Map<string, string>(),
  forgets: false,
  options: [] as unknown[],
}));
vi.mock("@napi-rs/keyring", () => ({
  AsyncEntry: class {
    readonly #name: string;
    constructor(service: string, account: string, how: unknown) {
      this.#name = `${service}/${account}`;
      fakeKeyring.options.push(how);
    }
    getPassword = async () => fakeKeyring.entries.get(this.#name) ?? null;
    setPassword = async (secret: string) =>
      void (fakeKeyring.forgets || fakeKeyring.entries.set(this.#name, secret));
    deletePassword = async () => fakeKeyring.entries.delete(this.#name);
  },
}));

let folder: string;
let env: { HOME: string };
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-keyring-"));
  env = { HOME: folder };
  fakeKeyring.entries.clear();
  fakeKeyring.forgets = false;
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a secret is stored in the desktop's keyring only, read from there, and removed with its profile", async () => {
  expect(await saveSecret(env, "work", "hunter2")).toBe("keyring");
  expect([...fakeKeyring.entries]).toEqual([["parley/work", "hunter2"]]);
  expect(existsSync(credentialsFile(env))).toBe(false);
  const work = { name: "work", store: "keyring" } as const;
  expect(await readSecret(env, work)).toBe("hunter2");
  await removeSecret(env, work);
  expect(await readSecret(env, work)).toBeUndefined();
  expect(fakeKeyring.entries.size).toBe(0);
  // Without a store name the library picks one that loses its entries at logout.
  expect(fakeKeyring.options).toContainEqual({ linux: { store: "secret-service" } });
});

test("a keyring that does not return what was stored, or is switched off, is not used", async () => {
  fakeKeyring.forgets = true;
  expect(await saveSecret(env, "work", "hunter2")).toBe("file");
  expect(await readSecret(env, { name: "work", store: "file" })).toBe("hunter2");
  fakeKeyring.forgets = false;
  expect(await saveSecret({ ...env, PARLEY_KEYRING: "off" } as never, "home", "hunter3")).toBe("file");
  expect(fakeKeyring.entries.size).toBe(0);
});
