/** Creates the sounds of a screen, with the player of this machine, the cache folder and the hosts that are known. */
import path from "node:path";
import type { Opened } from "../../open.ts";
import type { StoreClock } from "../screen/store.ts";
import { findPlayer } from "../machine/players.ts";
import { findRecorder } from "../machine/recorders.ts";
import { writeTempFile } from "../machine/temp-files.ts";
import type { Pictures } from "../pictures/pictures.ts";
import { Sounds } from "../sounds/sounds.ts";

/** A file that is larger is not fetched to be played, bytes. */
const MAX_BYTES = 50_000_000;
const FETCH_TIMEOUT_MS = 60_000;

/** What is known of hosts is what is known for pictures. */
export function createSounds(
  { places }: Pick<Opened, "places">,
  pictures: Pick<Pictures, "knowsHost" | "follows">,
  clock: StoreClock,
): Sounds {
  return new Sounds({
    clock,
    player: () => findPlayer(process.env),
    recorder: () => findRecorder(process.env),
    newFile: (name) => writeTempFile(name, ""),
    mayFetch: (url) => pictures.knowsHost(url),
    async file(url, stopped) {
      const [{ DiskCache }, { fetchFile }] = await Promise.all([
        import("../pictures/disk-cache.ts"),
        import("../../commands/base/files/fetch-file.ts"),
      ]);
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
      const follow = (from: string, to: string): boolean => pictures.follows(from, to);
      return new DiskCache(path.join(places.cache, "sounds")).fileOf(url, (file) =>
        fetchFile(url, file, { signal, maxBytes: MAX_BYTES, follow }),
      );
    },
  });
}
