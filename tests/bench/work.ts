/** Counts which of our files and functions run for one act on the screen: V8's precise coverage of an unminified build in a terminal. */
import { build } from "esbuild";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { SourceMap } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bundleOptions, root } from "../../scripts/bundle.ts";

/** What ran: how often each of our functions, by `file:line name`. */
export type Work = ReadonlyMap<string, number>;

const fileOf = (key: string): string => key.slice(0, key.indexOf(":"));
export const filesOf = (work: Work): number => new Set([...work.keys()].map(fileOf)).size;
export const callsOf = (work: Work): number => [...work.values()].reduce((sum, count) => sum + count, 0);

/** The program as it is built, but with the names of its functions and with source maps; `remove` deletes it. */
export async function readableBuild(): Promise<{ program: string; remove(): void }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-work-"));
  await build({ ...bundleOptions(path.join(folder, "dist")), minify: false, sourcemap: "linked" });
  for (const part of ["bin", "package.json"])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  return {
    program: path.join(folder, "bin/parley.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A port that is free now. */
function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    server.close(() => resolve(port));
  });
  return promise;
}

/** Flags with which Node can be asked what ran, without a word about it on the terminal. */
export async function inspected(): Promise<{ port: number; flags: string[] }> {
  const port = await freePort();
  return { port, flags: [`--inspect=127.0.0.1:${port}`, "--inspect-publish-uid=http"] };
}

interface ScriptCoverage {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
}

/** A built file: where its functions stand in the sources. */
class BuiltFile {
  readonly #map: SourceMap;
  readonly #folder: string;
  /** Offset of each line. */
  readonly #lines: readonly number[];

  constructor(file: string) {
    const text = readFileSync(file, "utf8");
    this.#folder = path.dirname(file);
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    this.#map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  }

  /** `file:line` below src/; undefined for code of libraries. */
  sourceAt(offset: number): string | undefined {
    const line = this.#lines.findLastIndex((start) => start <= offset);
    const entry = this.#map.findEntry(line, offset - this.#lines[line]!);
    if (!("originalSource" in entry)) return undefined;
    const source = path.relative(path.join(root, "src"), path.resolve(this.#folder, entry.originalSource));
    return source.startsWith("..") ? undefined : `${source}:${entry.originalLine + 1}`;
  }
}

/** Asks a running program what it has run. */
export class WorkCounter {
  readonly #socket: WebSocket;
  readonly #files = new Map<string, BuiltFile>();
  readonly #answers = new Map<number, (result: unknown) => void>();
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
      this.#answers.get(id)?.(result);
      this.#answers.delete(id);
    });
  }

  /** Begins to count in the process that listens at `port`. */
  static async attach(port: number): Promise<WorkCounter> {
    const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
      webSocketDebuggerUrl: string;
    }[];
    const socket = new WebSocket(target!.webSocketDebuggerUrl);
    await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
    const counter = new WorkCounter(socket);
    await counter.#ask("Profiler.enable");
    await counter.#ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    return counter;
  }

  #ask<R>(method: string, params = {}): Promise<R> {
    const id = ++this.#asked;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#answers.set(id, (result) => resolve(result as R)));
  }

  /** What has run since the last call. */
  async take(): Promise<Work> {
    const { result } = await this.#ask<{ result: ScriptCoverage[] }>("Profiler.takePreciseCoverage");
    const work = new Map<string, number>();
    for (const { url, functions } of result) {
      if (!url.includes("/dist/")) continue;
      for (const { functionName, ranges } of functions) {
        const { startOffset, count } = ranges[0]!;
        const source = count > 0 && startOffset > 0 ? this.#file(url).sourceAt(startOffset) : undefined;
        if (source === undefined) continue;
        const key = `${source} ${functionName}`;
        work.set(key, (work.get(key) ?? 0) + count);
      }
    }
    return work;
  }

  #file(url: string): BuiltFile {
    let file = this.#files.get(url);
    if (!file) this.#files.set(url, (file = new BuiltFile(fileURLToPath(url))));
    return file;
  }

  close(): void {
    this.#socket.close();
  }
}
