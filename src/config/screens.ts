/** Finds the chat screens open on this machine: each listens on a socket for its own user, with a file beside it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import path from "node:path";
import { isRunning } from "../model/files/owner.ts";
import { stateDir } from "./places.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Who uses the screen. */
export interface ScreenUser {
  profile: string;
  user: string;
}

export interface OpenScreen extends ScreenUser {
  pid: number;
  /** The channel that is open. */
  channel: string | null;
}

/** What a screen does with what it is asked. */
interface Listener {
  channel(): string | undefined;
  /** Runs a line as if it stood in the box; why it cannot be run, as a sentence. */
  run(line: string): string | undefined;
  /** Drops a message that waits to be sent by it, or sends it now; false where it has none of that id. */
  outbox(act: OutboxAct, id: string): boolean;
}

export type OutboxAct = "drop" | "retry";

type Question =
  | { ask: "state" }
  | { ask: "line"; line: string }
  | { ask: "outbox"; act: OutboxAct; id: string };
type Answer = { channel: string | null } | { fault: string } | { done: boolean } | Record<string, never>;

/** One question and one answer on a connection, a line of JSON each: bytes at most, and milliseconds. */
const LONGEST = 64 * 1024;
const ANSWERED_WITHIN = 2000;

const folderOf = (env: Env): string => path.join(stateDir(env), "screens");
/** Longer names of sockets are cut by the system, which would make two of one. */
const LONGEST_PATH = 100;
const addressOf = (env: Env, pid: number): string =>
  process.platform === "win32"
    ? `\\\\.\\pipe\\parley-screen-${pid}`
    : path.join(folderOf(env), `${pid}.sock`);
const fileOf = (env: Env, pid: number): string => path.join(folderOf(env), `${pid}.json`);

/** Gives the first line that comes; nothing where none does in time, or one that is too long. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const end = (line?: string): void => {
      socket.removeAllListeners("data");
      resolve(line);
    };
    socket.setEncoding("utf8").setTimeout(ANSWERED_WITHIN, () => socket.destroy());
    socket.on("data", (chunk: string) => {
      text += chunk;
      const at = text.indexOf("\n");
      if (at >= 0) end(text.slice(0, at));
      else if (text.length > LONGEST) socket.destroy();
    });
    socket.on("error", () => {}).once("close", () => end());
  });
}

function answerTo(listener: Listener, line: string): Answer {
  let question: Question;
  try {
    question = JSON.parse(line) as Question;
  } catch {
    return { fault: "That is no question a screen knows." };
  }
  if (question?.ask === "state") return { channel: listener.channel() ?? null };
  if (
    question?.ask === "outbox" &&
    ["drop", "retry"].includes(question.act) &&
    typeof question.id === "string"
  )
    return { done: listener.outbox(question.act, question.id) };
  if (question?.ask !== "line" || typeof question.line !== "string")
    return { fault: "That is no question a screen knows." };
  const fault = listener.run(question.line);
  return fault === undefined ? {} : { fault };
}

/** Listens for this user alone until the function it gives back is called; where no socket can be made, nobody is heard. */
export function listenAsScreen(env: Env, who: ScreenUser, listener: Listener): () => void {
  const { pid } = process;
  const address = addressOf(env, pid);
  if (address.length > LONGEST_PATH) return () => {};
  const forget = (): void => {
    rmSync(fileOf(env, pid), { force: true });
    if (process.platform !== "win32") rmSync(address, { force: true });
  };
  const server = createServer((socket) => {
    void firstLine(socket).then((line) => {
      if (line !== undefined) socket.end(`${JSON.stringify(answerTo(listener, line))}\n`);
    });
  });
  server.on("error", () => {}).unref();
  try {
    mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
    forget();
    server.listen(address, () => writeFileSync(fileOf(env, pid), JSON.stringify(who), { mode: 0o600 }));
  } catch {
    return () => {};
  }
  return () => {
    server.close();
    forget();
  };
}

/** Asks a screen. Undefined where it does not answer. */
async function askScreen(env: Env, pid: number, question: Question): Promise<Answer | undefined> {
  const socket = createConnection(addressOf(env, pid));
  const line = firstLine(socket);
  socket.write(`${JSON.stringify(question)}\n`);
  const text = await line;
  socket.destroy();
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Answer);
  } catch {
    return undefined;
  }
}

function readScreen(env: Env, pid: number): ScreenUser | undefined {
  try {
    const { profile, user } = JSON.parse(readFileSync(fileOf(env, pid), "utf8")) as ScreenUser;
    return { profile, user };
  } catch {
    return undefined;
  }
}

function pidsIn(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) =>
      /^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : [],
    );
  } catch {
    return [];
  }
}

/** Those that answer, the one that was opened first in front; what a killed one left is cleared away. */
export async function openScreens(env: Env): Promise<OpenScreen[]> {
  const asked = pidsIn(folderOf(env)).map(async (pid) => {
    const who = readScreen(env, pid);
    const answer = who && (await askScreen(env, pid, { ask: "state" }));
    if (!who || !answer || !("channel" in answer)) {
      if (!isRunning(pid)) rmSync(fileOf(env, pid), { force: true });
      return [];
    }
    return [{ pid, ...who, channel: answer.channel as string | null }];
  });
  return (await Promise.all(asked)).flat().toSorted((a, b) => a.pid - b.pid);
}

/** Has the screen run the line. `answered`: false where it is gone or busy; `fault`: why it did not, as a sentence. */
export async function runOnScreen(
  env: Env,
  pid: number,
  line: string,
): Promise<{ answered: boolean; fault?: string }> {
  const answer = await askScreen(env, pid, { ask: "line", line });
  if (!answer) return { answered: false };
  return "fault" in answer ? { answered: true, fault: String(answer.fault) } : { answered: true };
}

/** Has the screen of the profile that is to send a message drop it, or send it now; false where none of them is. */
export async function askOutbox(env: Env, profile: string, act: OutboxAct, id: string): Promise<boolean> {
  const pids = pidsIn(folderOf(env)).filter((pid) => readScreen(env, pid)?.profile === profile);
  const answers = await Promise.all(pids.map((pid) => askScreen(env, pid, { ask: "outbox", act, id })));
  return answers.some((answer) => answer !== undefined && "done" in answer && answer.done === true);
}
