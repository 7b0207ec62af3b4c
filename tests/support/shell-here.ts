/** Runs the command line in this process for lines of a real shell: a `parley` script hands over words, folder, environment and input. */
import {
  constants,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { Socket } from "node:net";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { runShell } from "../../src/cli/start.ts";
import type { InputStream } from "../../src/cli/base/stdio.ts";
import { createHost } from "../../src/open.ts";
import { PARLEY, type Ran } from "./home.ts";

/** Each call has a folder; the script waits at its pipe `done` for the exit code. */
const script = (calls: string): string => `#!/bin/sh
call='${calls}'/$$
mkdir "$call" && mkfifo "$call/done" || exit 70
if [ -p /dev/stdin ] || [ -f /dev/stdin ]; then cat > "$call/in"; fi
for word in "$@"; do printf '%s\\0' "$word"; done > "$call/words"
pwd > "$call/cwd"
env -0 > "$call/env"
echo "$call" > '${calls}/bell'
read code < "$call/done"
cat "$call/out"
cat "$call/err" >&2
rm -rf "$call"
exit "$code"
`;

const version = (
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../package.json"), "utf8")) as {
    version: string;
  }
).version;

const parts = (file: string): string[] => readFileSync(file, "utf8").split("\0").slice(0, -1);

function environment(file: string): Record<string, string> {
  return Object.fromEntries(
    parts(file).map((row) => [row.slice(0, row.indexOf("=")), row.slice(row.indexOf("=") + 1)]),
  );
}

function inputOf(file: string): InputStream {
  if (!existsSync(file)) return Readable.from([]);
  const fd = openSync(file, "r");
  return Object.assign(createReadStream("", { fd }), { fd });
}

function collector(): { stream: Writable; text(): string } {
  const pieces: Buffer[] = [];
  const write = (piece: Buffer, _: unknown, done: () => void): void => {
    pieces.push(piece);
    done();
  };
  return { stream: new Writable({ write }), text: () => Buffer.concat(pieces).toString() };
}

interface Call {
  words: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  input?: InputStream;
}

/** Runs the command line once, like `main.ts`. */
export async function runHere(call: Call): Promise<Ran> {
  const { words, env, cwd, input = Readable.from([]) } = call;
  // Commands open relative paths; calls that run at the same time use the same folder.
  process.chdir(cwd);
  const out = collector();
  const err = collector();
  const code = await runShell(words, {
    version,
    env,
    streams: { in: input, out: out.stream, err: err.stream },
    signal: new AbortController().signal,
    lendInterrupt: () => () => undefined,
    host: async (flags, options) => createHost({ flags, env, cwd, version, launcher: PARLEY, ...options }),
  });
  return { out: out.text(), err: err.text(), code };
}

async function answer(call: string): Promise<void> {
  const ran = await runHere({
    words: parts(path.join(call, "words")),
    env: environment(path.join(call, "env")),
    cwd: readFileSync(path.join(call, "cwd"), "utf8").trimEnd(),
    input: inputOf(path.join(call, "in")),
  });
  writeFileSync(path.join(call, "out"), ran.out);
  writeFileSync(path.join(call, "err"), ran.err);
  writeFileSync(path.join(call, "done"), `${ran.code}\n`);
}

/** One literal character, or a quotation without substitutions. */
const PIECE = /'([^']*)'|"([^"$`\\]*)"|([\w.,:=@%+/{}^-])/y;

/** The words of a line that only calls `parley` with plain or quoted words; undefined when a shell must parse it. */
export function plainWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length;) {
    if (line[at] === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    PIECE.lastIndex = at;
    const found = PIECE.exec(line);
    if (!found) return undefined;
    word = (word ?? "") + (found[1] ?? found[2] ?? found[3]);
    at = PIECE.lastIndex;
  }
  if (word !== undefined) words.push(word);
  // An assignment before the name needs a shell, too.
  return words[0] === "parley" ? words.slice(1) : undefined;
}

/** Creates a program `parley` in the folder `bin`; the returned function stops serving it. */
export function shellHere(folder: string, bin: string): () => void {
  const calls = path.join(folder, "calls");
  mkdirSync(calls);
  const bell = path.join(calls, "bell");
  execFileSync("mkfifo", [bell]);
  const fd = openSync(bell, constants.O_RDWR | constants.O_NONBLOCK);
  const ring = new Socket({ fd, readable: true, writable: false });
  let rest = "";
  ring.setEncoding("utf8").on("data", (piece: string) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    for (const call of lines) void answer(call);
  });
  writeFileSync(path.join(bin, "parley"), script(calls), { mode: 0o755 });
  const before = process.cwd();
  process.umask(0o077);
  return () => {
    ring.destroy();
    process.chdir(before);
  };
}
