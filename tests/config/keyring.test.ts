/** Secrets in the desktop's keyring, if one is available. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { credentialsFile } from "../../src/config/paths.ts";
import { readSecret, removeSecret, saveSecret } from "../../src/config/secrets.ts";

const ring = vi.hoisted(() => ({ held: new Map<string, string>(), forgets: false, asked: [] as unknown[] }));
vi.mock("@napi-rs/keyring", () => ({
  AsyncEntry: class {
    readonly #name: string;
    constructor(service: string, account: string, how: unknown) {
      this.#name = `${service}/${account}`;
      ring.asked.push(how);
    }
    getPassword = async () => ring.held.get(this.#name) ?? null;
    setPassword = async (secret: string) => void (ring.forgets || ring.held.set(this.#name, secret));
    deletePassword = async () => ring.held.delete(this.#name);
  },
}));

let folder: string;
let env: { HOME: string };
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-keyring-"));
  env = { HOME: folder };
  ring.held.clear();
  ring.forgets = false;
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a secret lies in the keyring of the desktop alone, is read from there, and is gone with its profile", async () => {
  expect(await saveSecret(env, "work", "hunter2")).toBe("keyring");
  expect([...ring.held]).toEqual([["parley/work", "hunter2"]]);
  expect(existsSync(credentialsFile(env))).toBe(false);
  const work = { name: "work", store: "keyring" } as const;
  expect(await readSecret(env, work)).toBe("hunter2");
  await removeSecret(env, work);
  expect(await readSecret(env, work)).toBeUndefined();
  expect(ring.held.size).toBe(0);
  // Without a store name the library picks one that loses its entries at logout.
  expect(ring.asked).toContainEqual({ linux: { store: "secret-service" } });
});

test("a keyring that does not give back what it was given is none, and neither is one that is switched off", async () => {
  ring.forgets = true;
  expect(await saveSecret(env, "work", "hunter2")).toBe("file");
  expect(await readSecret(env, { name: "work", store: "file" })).toBe("hunter2");
  ring.forgets = false;
  expect(await saveSecret({ ...env, PARLEY_KEYRING: "off" } as never, "home", "hunter3")).toBe("file");
  expect(ring.held.size).toBe(0);
});
