/** Waiting for tasks and uploading files, for the tests of tasks, exports and imports. */
import { setImmediate as turn } from "node:timers/promises";
import type { Json, World } from "../../contract/world.ts";

/** Polls until the task has ended; the provider runs a step after each poll. */
export async function taskEnd(world: World, id: string): Promise<Json> {
  for (;;) {
    const task = await world.ok("server", "GET", `/tasks/${id}`);
    if (task.status === "completed" || task.status === "failed") return task;
    await turn();
  }
}

/** Uploads a text to a new address; returns its `path`. */
export async function upload(world: World, text: string): Promise<string> {
  const { path, upload_url: url } = await world.ok("server", "POST", "/import_urls", {
    body: { filename: "people.jsonl" },
  });
  const answer = await fetch(url, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: text,
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return path as string;
}

const FINISHED = new Set(["analyze_failed", "completed", "failed"]);

/** Uploads and imports a text; returns the finished task. */
export async function importFile(world: World, text: string, more: object = {}): Promise<Json> {
  const path = await upload(world, text);
  const { import_task: created } = await world.ok("server", "POST", "/imports", { body: { path, ...more } });
  for (;;) {
    const { import_task: task } = await world.ok("server", "GET", `/imports/${created.id}`);
    if (FINISHED.has(task.state)) return task;
    await turn();
  }
}

/** The address with its signature changed. */
export const forged = (url: string): string =>
  url.replace(/sig=(.)/, (_, first: string) => `sig=${first === "A" ? "B" : "A"}`);
