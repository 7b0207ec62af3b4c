/** A profile as it was named or described, and whether it works. */
import { DEFAULT_URL, findProfile } from "../../../config/profiles.ts";
import type { AuthKind, Profile } from "../../../config/profiles.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";

/** The profile of that name, or the one in use. Throws `ExitError` 3 when there is none. */
export function wanted(shell: Shell, name: string | undefined): Profile {
  const asked = name || shell.settings.profile;
  const found = findProfile(shell.env, asked);
  if (!found) throw new ExitError(3, `There is no profile '${asked}'.`, "parley profile list");
  return found;
}

/** What describes a profile on the command line. */
interface Described {
  name: string;
  url?: string;
  key?: string;
  user?: string;
  command?: string;
  channel?: string;
  tool?: string[];
  protected?: boolean;
}

export function profileFrom(given: Described, kind: AuthKind): Profile {
  const { name, url, key, user, command, channel, tool = [] } = given;
  return {
    name,
    kind,
    url: url ?? DEFAULT_URL,
    ...(key ? { key } : {}),
    ...(user ? { user } : {}),
    ...(command ? { command } : {}),
    ...(channel ? { channel } : {}),
    ...(tool.length > 0 ? { tools: tool } : {}),
    ...(given.protected ? { protected: true } : {}),
  };
}

/** Reads the app's settings and, with a user, the unread counts: address, key and token are good when both answer. */
export async function tryProfile(shell: Shell, name: string): Promise<{ user: string; ms: number }> {
  const opened = await shell.host.open({ profile: name, forgetful: true });
  try {
    const began = performance.now();
    await opened.core.call("getApp", {
      signal: shell.signal,
      timeout: shell.settings.timeout,
      retries: shell.settings.retries,
    });
    if (opened.core.userId !== undefined)
      await opened.core.call("getUnread", { query: {}, signal: shell.signal });
    return { user: opened.user.id, ms: Math.round(performance.now() - began) };
  } finally {
    await opened.close();
  }
}
