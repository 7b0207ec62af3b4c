/** Collects a person's data at the provider as files: profile, messages, reactions and channels. */
import { listChannels } from "../base/lists/channels.ts";
import type { Args, CommandCall } from "../base/define-command.ts";
import { sha256, type Proof } from "./proof.ts";

interface DataFile {
  name: string;
  text: string;
}

interface CollectedData {
  counts: Proof["counts"];
  files: DataFile[];
}

const toLines = (list: readonly unknown[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join("");

async function channelsOf({ core, page }: Pick<CommandCall<Args>, "core" | "page">, user: string) {
  const found: unknown[] = [];
  const selection = { filter: { members: { $in: [user] } }, created: "oldest" } as const;
  const all = listChannels({ ...page, limit: Infinity }, selection, async (query) => {
    const body = { ...query, state: false, watch: false };
    return (await core.call("queryChannels", { body })).channels;
  });
  for await (const { channel } of all)
    found.push({ cid: channel.cid, name: channel.name, created_at: channel.created_at });
  return found;
}

/** Rejects with the provider's 404 for an unknown user. */
export async function collectData(
  call: Pick<CommandCall<Args>, "core" | "page">,
  id: string,
): Promise<CollectedData> {
  const { user, messages, reactions } = await call.core.call("exportUser", { path: { id } });
  const channels = await channelsOf(call, id);
  return {
    counts: {
      messages: messages.length,
      attachments: messages.reduce((sum, { attachments }) => sum + (attachments?.length ?? 0), 0),
      reactions: reactions.length,
      channels: channels.length,
    },
    files: [
      { name: "user.json", text: `${JSON.stringify(user, null, 2)}\n` },
      { name: "messages.ndjson", text: toLines(messages) },
      { name: "reactions.ndjson", text: toLines(reactions) },
      { name: "channels.ndjson", text: toLines(channels) },
    ],
  };
}

/** The entries of a proof. */
export const hashesOf = (files: readonly DataFile[]): Proof["files"] =>
  files.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text), sha256: sha256(text) }));
