/** Opens a client for what is read instead of a provider, and leaves nothing on this machine. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import type { AppPlaces } from "../config/app-folders.ts";
import { makeTemporaryFolder } from "../model/files/temporary-folder.ts";
import type { Opened, ReadSource } from "./host.ts";
import type { ConnectionTarget } from "./connection-target.ts";
import { makeCore } from "./make-core.ts";
import { limitMemory } from "./memory.ts";
import { connectAs, createSendWatch, type ProfileContext } from "./open-profile.ts";
import { userToken } from "./user-token.ts";

/** Nobody is asked at this address: it only makes the requests complete. */
const BASE_URL = "http://source.invalid";

function targetOf({ user, request, socket }: ReadSource): ConnectionTarget {
  const token = userToken({ secret: randomUUID(), user: user.id, now: Date.now(), sameClock: true }).token;
  const ports = { request, socket };
  return { baseUrl: () => BASE_URL, apiKey: "source", user, token, loopback: true, ports };
}

const folders = new Set<string>();
const removeAll = (): void => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));

/** Folders that are removed at the end; those that a killed one has left go now. */
function temporaryPlaces(): AppPlaces & { remove(): void } {
  const folder = makeTemporaryFolder();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // A fetch that is just being stopped may make its folder again.
  if (folders.size === 0) process.once("exit", removeAll);
  folders.add(folder);
  return {
    key: "source",
    app: "source",
    state: path.join(folder, "state"),
    cache: path.join(folder, "cache"),
    remove,
  };
}

export async function openSource(context: ProfileContext, source: ReadSource): Promise<Opened> {
  const target = targetOf(source);
  const { remove, ...places } = temporaryPlaces();
  const { attempts, ...watch } = createSendWatch({}, performance.now());
  const files = { state: "", cache: "" };
  const core = await makeCore(target, { inMemory: true }, context.settings, context, files, attempts);
  core.setUser(source.user, target.token!);
  return {
    core,
    profile: { name: source.name, kind: "local" },
    places,
    source,
    user: source.user,
    ...watch,
    connect: () => connectAs(core, source.user, target.token),
    runsLong: () => limitMemory(),
    async close() {
      await core.close().catch(() => undefined);
      remove();
    },
  };
}
