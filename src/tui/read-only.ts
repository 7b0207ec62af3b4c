/** Refuses every call that changes the provider on a read-only screen. */
import type { Core } from "../core/core.ts";
import { CommandError } from "../commands/base/define-command.ts";
import { listedCids } from "../model/look-up-channel.ts";
import { words } from "../text/words.ts";

interface CallArgs {
  path?: { type?: string; id?: string };
  body?: { data?: unknown };
}

/**
 * Refuses every writing call of `core`: messages, read marks, typing, receipts. A channel may be queried only if it is
 * known to exist, because the query would create it otherwise.
 */
export function guardReadOnly(core: Core): void {
  const knownCids = new Set<string>();
  const cidOf = ({ path }: CallArgs): string => `${path?.type}:${path?.id}`;
  core.use({
    async beforeWrite(name, args) {
      const call = args as CallArgs;
      const cid = cidOf(call);
      const known = core.state().channels.has(cid) || knownCids.has(cid);
      if (name === "queryChannel" && call.body?.data === undefined && known) return;
      throw new CommandError("notAllowed", words.readOnly.refused);
    },
    called(report) {
      for (const cid of listedCids(report)) knownCids.add(cid);
    },
  });
}
