/** Creates the pictures of a screen with its terminal, folders and way to fetch files. */
import path from "node:path";
import { tmuxAround } from "../../config/picture-route.ts";
import { folderName, cacheDir } from "../../config/paths.ts";
import type { Profile } from "../../config/profiles.ts";
import type { Settings } from "../../config/settings.ts";
import type { Opened } from "../../open.ts";
import { Pictures } from "../pictures/pictures.ts";
import type { TerminalSession } from "../terminal/session.ts";

/** A terminal that takes longer than this for a piece gets the next one all the same, milliseconds. */
const PATIENCE = 2000;

/** The embedded provider is on this machine. */
const hostOf = ({ url }: Profile): string => (url === undefined ? "127.0.0.1" : new URL(url).hostname);

/** `session` is asked for when something is written: it is made after them. */
export function picturesOf(
  { pictures: setting, "pictures.hosts": hosts }: Pick<Settings, "pictures" | "pictures.hosts">,
  { profile, core }: Pick<Opened, "profile" | "core">,
  level: 0 | 1 | 2 | 3,
  session: () => TerminalSession,
): Pictures {
  const { env } = process;
  return new Pictures({
    setting,
    level,
    env,
    ownHost: hostOf(profile),
    hosts,
    kept: core,
    folder: path.join(cacheDir(env), folderName(profile.name), "pictures"),
    line: {
      write: (bytes) => session().out.direct(bytes),
      drained: (go) =>
        void session()
          .out.flushed(PATIENCE)
          .then(() => setImmediate(go)),
    },
    fetch: async (url, file, how) => {
      const { fetchFile } = await import("../../commands/base/files/fetch-file.ts");
      return fetchFile(url, file, { signal: how.signal, maxBytes: how.most });
    },
    tmux: () => tmuxAround(env),
    load: () => import("../pictures/drawing.ts"),
  });
}
