/** Feeds a file of import lines to a provider on this machine: address, upload, import, and the wait for its end (admin.md §10). */
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { LocalProvider } from "../open.ts";
import { signToken } from "../wire/token.ts";
import { named } from "./fault.ts";

export interface Imported {
  state: string;
  stats: Record<string, number>;
  errors: { error: string }[];
}

interface ImportTask {
  id: string;
  state: string;
  result?: { stats?: { total?: Record<string, number> }; errors?: { error: string }[] };
}

const LOOK_AGAIN_MS = 100;
const ENDS = ["completed", "failed", "analyze_failed"];

export async function importInto(
  found: LocalProvider,
  file: { size: number; stream(): AsyncIterable<Uint8Array> },
): Promise<Imported> {
  const { ask } = await import("../provider/life/ask.ts");
  const headers = {
    Authorization: signToken({ server: true }, found.secret),
    "stream-auth-type": "jwt",
  };
  const call = async <T>(method: "GET" | "POST", route: string, body?: object): Promise<T> => {
    const answer = await ask(`${found.url}${route}?api_key=${found.apiKey}`, {
      method,
      headers,
      ...(body ? { body } : {}),
      timeout: 30_000,
    });
    if (answer.status >= 300)
      throw named(
        "CommandFault",
        "rejected",
        String((answer.body as { message?: string } | undefined)?.message),
      );
    return answer.body as T;
  };
  const { path, upload_url } = await call<{ path: string; upload_url: string }>("POST", "/import_urls", {
    filename: "import.jsonl",
  });
  await put(upload_url, file);
  const { import_task } = await call<{ import_task: ImportTask }>("POST", "/imports", {
    path,
    mode: "upsert",
  });
  let task = import_task;
  while (!ENDS.includes(task.state)) {
    await wait(LOOK_AGAIN_MS);
    ({ import_task: task } = await call<{ import_task: ImportTask }>("GET", `/imports/${task.id}`));
  }
  return { state: task.state, stats: task.result?.stats?.total ?? {}, errors: task.result?.errors ?? [] };
}

/** The bytes go out as they are read, never held whole. */
async function put(url: string, file: { size: number; stream(): AsyncIterable<Uint8Array> }): Promise<void> {
  const out = request(url, {
    method: "PUT",
    headers: { "content-type": "application/json", "content-length": String(file.size) },
  });
  const answered = new Promise<number>((resolve, reject) => {
    out.on("response", (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    out.on("error", reject);
  });
  // A refusal may come while the file is still being read.
  answered.catch(() => {});
  for await (const part of file.stream())
    if (!out.write(part)) await new Promise((go) => out.once("drain", go).once("close", go));
  out.end();
  const status = await answered;
  if (status >= 300) throw named("CommandFault", "rejected", `the file was refused with status ${status}`);
}
