/** `parley profile …`: lists, adds, chooses, tries and removes profiles. */
import { DEFAULT_URL, findProfile, listProfiles, removeProfile, saveProfile } from "../../config/profiles.ts";
import type { AuthKind, Profile } from "../../config/profiles.ts";
import { saveSetting } from "../../config/save.ts";
import { readSecret, removeSecret } from "../../config/secrets.ts";
import { ExitError } from "../base/exit.ts";
import { openResults } from "../output/results.ts";
import { confirm } from "../base/prompts.ts";
import type { Shell } from "../base/shell.ts";
import { say } from "../base/shell.ts";
import type { OwnRun } from "./kit.ts";

export function wanted(shell: Shell, name: unknown): Profile {
  const asked = typeof name === "string" && name !== "" ? name : shell.settings.profile;
  const found = findProfile(shell.env, asked);
  if (!found) throw new ExitError(3, `There is no profile '${asked}'.`, "parley profile list");
  return found;
}

/** Builds a profile from the flags that login and profile add share. */
export function profileFrom(values: Record<string, unknown>, kind: AuthKind): Profile {
  const text = (name: string): string | undefined =>
    typeof values[name] === "string" ? values[name] : undefined;
  const command = text("command");
  return {
    name: String(values.name),
    kind,
    url: text("url") ?? DEFAULT_URL,
    ...(text("key") ? { key: text("key")! } : {}),
    ...(text("user") ? { user: text("user")! } : {}),
    ...(command ? { command } : {}),
    ...(text("channel") ? { channel: text("channel")! } : {}),
    ...(values.protected ? { protected: true } : {}),
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

const profile: OwnRun = async (shell, values, path) => {
  switch (path) {
    case "profile list": {
      const results = openResults(shell, true);
      for (const row of listProfiles(shell.env)) {
        const current = row.name === shell.settings.profile;
        await results.item(
          { ...row, current },
          {
            kind: "table",
            columns: ["profile", "kind", "user", "url", "current", "protected"],
            rows: [[row.name, row.kind, row.user, row.url, current, row.protected]],
          },
        );
      }
      await results.end();
      return 0;
    }
    case "profile show": {
      const row = wanted(shell, values.name);
      const secret =
        row.kind === "token" || row.kind === "secret"
          ? await readSecret(shell.env, row, shell.flags.insecure)
          : undefined;
      const shown = {
        ...row,
        stored: row.kind === "token" || row.kind === "secret" ? secret !== undefined : undefined,
      };
      const results = openResults(shell, false);
      const { command, ...plain } = shown;
      await results.item(shown, {
        kind: "fields",
        fields: [...Object.entries(plain), ["command", Array.isArray(command) ? command.join(" ") : command]],
      });
      await results.end();
      return 0;
    }
    case "profile add": {
      const kind = (values.kind as AuthKind | undefined) ?? (values.command ? "command" : "token");
      if (findProfile(shell.env, String(values.name)))
        throw new ExitError(6, `Profile '${String(values.name)}' exists already.`, "parley profile remove");
      await saveProfile(shell.env, profileFrom(values, kind));
      say(shell, `profile ${String(values.name)} added`);
      return 0;
    }
    case "profile use": {
      const row = wanted(shell, values.name);
      await saveSetting(shell.env, "profile", row.name);
      say(shell, `using ${row.name} from now on`);
      return 0;
    }
    case "profile remove": {
      const row = wanted(shell, values.name);
      if (row.kind === "local" && row.name === "local")
        throw new ExitError(6, "The local profile is always there.", "parley local reset forgets its data.");
      await confirm(shell, { level: "mild", question: `Remove profile ${row.name} and its secret?` });
      await removeSecret(shell.env, row);
      await removeProfile(shell.env, row.name);
      say(shell, `profile ${row.name} removed`);
      return 0;
    }
    default: {
      const row = wanted(shell, values.name);
      const { user, ms } = await tryProfile(shell, row.name);
      const results = openResults(shell, false);
      await results.item(
        { profile: row.name, user, ms, ok: true },
        { kind: "line", text: `${row.name}: ${user} may speak, ${ms} ms` },
      );
      await results.end();
      return 0;
    }
  }
};
export default profile;
