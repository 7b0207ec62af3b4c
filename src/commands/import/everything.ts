/** Exports all users and channels of an app into a file that can be imported elsewhere. */
import { fileExists, requireWritable } from "../base/file-problem.ts";
import { EXPORTED_LIMIT } from "../../wire/constants.ts";
import { joinPieces } from "../channel/export.ts";
import channelList from "../channel/list.ts";
import { fillArgs } from "../base/args.ts";
import type { Args, Command, Call, RawArgs } from "../base/define-command.ts";
import { answered } from "../base/poll-task.ts";
import { startCommand } from "../base/start-command.ts";
import type { Unused } from "../../wire/entities/import.ts";
import type { User } from "../../wire/entities/user.ts";
import userList from "../user/list.ts";

type ImportCall = Pick<Call<Args>, "core" | "signal" | "progress" | "now">;

interface ExportedFile {
  file: string;
  items: number;
  unused: Unused[];
}

/** `work` is a folder for temporary files. Throws `CommandError` (conflict) for an existing file, unless `overwrite`. */
export async function exportEverything(
  call: ImportCall,
  file: string,
  { work, overwrite }: { work: string; overwrite: boolean },
): Promise<ExportedFile> {
  const { FileExists, convertFile, writeLines } = await import("../../jobs/convert-export.ts");
  const path = await import("node:path");
  await requireWritable(file, overwrite);
  const all = path.join(work, "export.jsonl");
  await writeAll(call, all);
  const { signal } = call;
  const { Tally } = await import("../../jobs/tally.ts");
  const tally = new Tally();
  const found = convertFile(all, signal, tally);
  try {
    return { file, items: await writeLines(found, file, { over: overwrite, signal }), unused: tally.rows };
  } catch (error) {
    if (!(error instanceof FileExists)) throw error;
    throw fileExists(file);
  }
}

/** All users first, including those in no channel, then all channels. */
async function writeAll(call: ImportCall, file: string): Promise<void> {
  const { appendFile, writeFile } = await import("node:fs/promises");
  let lines = "";
  for await (const user of allPeople(call)) lines += `${JSON.stringify({ type: "user", data: user })}\n`;
  await writeFile(file, lines, { mode: 0o600 });
  const cids: string[] = [];
  for await (const channel of listAll(call, channelList as unknown as Command, {}))
    cids.push((channel as { cid: string }).cid);
  const ids: string[] = [];
  for (let at = 0; at < cids.length; at += EXPORTED_LIMIT) {
    const channels = cids.slice(at, at + EXPORTED_LIMIT).map((cid) => ({ cid }));
    const { task_id: id } = await call.core.call("exportChannels", { body: { channels, version: "v2" } });
    ids.push(answered(id, "task"));
  }
  for await (const piece of joinPieces(call, ids, "v2")) await appendFile(file, piece);
}

/** Everybody of an app, also those in no channel. */
export const allPeople = (call: ImportCall): AsyncIterable<User> =>
  listAll(call, userList as unknown as Command, { deactivated: true }) as AsyncIterable<User>;

/** All items of a list command. */
async function* listAll(call: ImportCall, command: Command, flags: RawArgs): AsyncIterable<unknown> {
  const { items } = startCommand(command, {
    ...call,
    args: fillArgs(command.args, flags, { channelType: "", now: call.now() }) as never,
    channelType: "",
    page: { limit: Infinity },
    dry: false,
    random: () => "",
  });
  for await (const { value } of items) yield value;
}
