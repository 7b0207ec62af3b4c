/** How an item of a list would be shown when there is none: the header of an empty CSV has the columns of a full one. */
import type { View } from "./define-command.ts";

/** How many parts of an item its view may read before its columns count as unknown. */
const MAX_PARTS = 20;

/** An item of which only the parts of `held` are there, as empty lists; `read` is told the path of everything else that is asked for. */
function standIn(path: string, held: ReadonlySet<string>, read: (path: string) => void): object {
  return new Proxy([], {
    get(target, key, receiver) {
      if (typeof key === "symbol" || (path !== "" && key in target))
        return Reflect.get(target, key, receiver) as unknown;
      const part = `${path}.${key}`;
      if (held.has(part)) return standIn(part, held, read);
      read(part);
      return undefined;
    },
  });
}

/** What `show` gives of an item that has only what `show` fails without; undefined if it fails in any case. */
export function emptyViewOf(show: (item: object) => View | undefined): View | undefined {
  const held = new Set<string>();
  for (let n = 0; n < MAX_PARTS; n++) {
    let last = "";
    const item = standIn("", held, (path) => {
      last = path;
    });
    try {
      return show(item);
    } catch {
      // What was read last and is not there made it fail.
      held.add(last);
    }
  }
  return undefined;
}
