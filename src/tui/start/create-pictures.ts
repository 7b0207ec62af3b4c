/** Creates the picture renderer of a screen, with its terminal, cache folder and fetch function. */
import path from "node:path";
import { tmuxAround } from "../../config/picture-route.ts";
import type { Profile } from "../../config/profiles.ts";
import type { Settings } from "../../config/settings.ts";
import type { Opened } from "../../open.ts";
import { Pictures } from "../pictures/pictures.ts";
import type { TerminalSession } from "../terminal/session.ts";

/** A terminal that takes longer than this for a piece is sent the next one anyway, milliseconds. */
const DRAIN_TIMEOUT_MS = 2000;

/** The embedded provider has no URL and runs on this machine. */
const hostOf = ({ url }: Profile): string => (url === undefined ? "127.0.0.1" : new URL(url).hostname);

/** `session` is a function because the session is created later. */
export function createPictures(
  { pictures: setting, "pictures.hosts": hosts }: Pick<Settings, "pictures" | "pictures.hosts">,
  { profile, places, core, source }: Pick<Opened, "profile" | "places" | "core" | "source">,
  level: 0 | 1 | 2 | 3,
  session: () => TerminalSession,
): Pictures {
  const { env } = process;
  return new Pictures({
    setting,
    level,
    env,
    providerHost: source ? (source.fileHost ?? "") : hostOf(profile),
    onlyProvider: source !== undefined,
    hosts,
    storage: core,
    folder: path.join(places.cache, "pictures"),
    output: {
      write: (bytes) => session().out.direct(bytes),
      drained: (callback) =>
        void session()
          .out.flushed(DRAIN_TIMEOUT_MS)
          .then(() => setImmediate(callback)),
    },
    fetch: async (url, file, options) => {
      const { fetchFile } = await import("../../commands/base/files/fetch-file.ts");
      return fetchFile(url, file, options);
    },
    tmux: () => tmuxAround(env),
    load: () => import("../pictures/drawing.ts"),
  });
}
