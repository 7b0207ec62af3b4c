/** Refuses every change at the provider on a read-only screen. */
import type { Core } from "../core/core.ts";
import { CommandError } from "../commands/base/define-command.ts";
import { words } from "../text/words.ts";

interface Asked {
  path?: { type?: string; id?: string };
  body?: { data?: unknown };
}

/**
 * From now on this core changes nothing: no message, no read mark, no typing and no receipt. A channel is only queried
 * where it is known to be there: the query would make another.
 */
export function guardReadOnly(core: Core): void {
  const there = new Set<string>();
  const cidOf = ({ path }: Asked): string => `${path?.type}:${path?.id}`;
  core.use({
    async beforeWrite(name, args) {
      const asked = args as Asked;
      const cid = cidOf(asked);
      const known = core.state().channels.has(cid) || there.has(cid);
      if (name === "queryChannel" && asked.body?.data === undefined && known) return;
      throw new CommandError("notAllowed", words.readOnly.refused);
    },
    called({ name, args, error }) {
      if (name === "getChannel" && error === undefined) there.add(cidOf(args as Asked));
    },
  });
}
