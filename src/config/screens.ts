/** Finds chat screens open on this machine and talks to them: each listens on a socket, with a file beside it that names its user. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import path from "node:path";
import { isRunning } from "../model/files/owner.ts";
import { stateDir, type Env } from "./paths.ts";
import { readSmallFile } from "../model/files/small-file.ts";

export interface ScreenUser {
  profile: string;
  user: string;
  /** The state folder of its app; earlier versions do not tell it. */
  folder?: string;
}

export interface OpenScreen extends Omit<ScreenUser, "folder"> {
  pid: number;
  /** The channel that is open. */
  channel: string | null;
}

/** How a screen serves requests. */
interface Listener {
  channel(): string | undefined;
  /** Runs a line as if it were typed in the composer; returns the reason when it cannot. */
  run(line: string): Promise<string | undefined>;
  /** Drops a queued message or sends it now; false when the screen has none with that id. */
  outbox(action: QueuedMessageAction, id: string): boolean;
}

export type QueuedMessageAction = "drop" | "retry";

type ScreenRequest =
  | { ask: "state" }
  | { ask: "line"; line: string }
  | { ask: "outbox"; act: QueuedMessageAction; id: string };
type ScreenResponse =
  | { channel: string | null }
  | { fault: string }
  | { done: boolean }
  | Record<string, never>;

/** A connection carries one request and one response, a line of JSON each; limits in characters and milliseconds. */
const MAX_LINE = 64 * 1024;
const TIMEOUT = 2000;

const folderOf = (env: Env): string => path.join(stateDir(env), "screens");
/** The system truncates longer socket paths, so two screens could get the same one. */
const MAX_PATH = 100;
const addressOf = (env: Env, pid: number): string =>
  process.platform === "win32"
    ? `\\\\.\\pipe\\parley-screen-${pid}`
    : path.join(folderOf(env), `${pid}.sock`);
const fileOf = (env: Env, pid: number): string => path.join(folderOf(env), `${pid}.json`);

/** The first line received; undefined when none arrives in time or it is too long. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const end = (line?: string): void => {
      socket.removeAllListeners("data");
      resolve(line);
    };
    socket.setEncoding("utf8").setTimeout(TIMEOUT, () => socket.destroy());
    socket.on("data", (chunk: string) => {
      text += chunk;
      const at = text.indexOf("\n");
      if (at >= 0) end(text.slice(0, at));
      else if (text.length > MAX_LINE) socket.destroy();
    });
    socket.on("error", () => {}).once("close", () => end());
  });
}

async function respond(listener: Listener, line: string): Promise<ScreenResponse> {
  let request: ScreenRequest;
  try {
    request = JSON.parse(line) as ScreenRequest;
  } catch {
    return { fault: "Unknown request." };
  }
  if (request?.ask === "state") return { channel: listener.channel() ?? null };
  if (request?.ask === "outbox" && ["drop", "retry"].includes(request.act) && typeof request.id === "string")
    return { done: listener.outbox(request.act, request.id) };
  if (request?.ask !== "line" || typeof request.line !== "string") return { fault: "Unknown request." };
  const fault = await listener.run(request.line);
  return fault === undefined ? {} : { fault };
}

/** Listens until the returned function is called. Without a socket it does nothing; only the same OS user can connect. */
export function listenAsScreen(env: Env, screenUser: ScreenUser, listener: Listener): () => void {
  const { pid } = process;
  const address = addressOf(env, pid);
  if (address.length > MAX_PATH) return () => {};
  const removeFiles = (): void => {
    rmSync(fileOf(env, pid), { force: true });
    if (process.platform !== "win32") rmSync(address, { force: true });
  };
  const server = createServer((socket) => {
    const answer = async (): Promise<void> => {
      const line = await firstLine(socket);
      if (line !== undefined) socket.end(`${JSON.stringify(await respond(listener, line))}\n`);
    };
    answer().catch(() => socket.destroy());
  });
  server.on("error", () => {}).unref();
  try {
    mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
    removeFiles();
    server.listen(address, () =>
      writeFileSync(fileOf(env, pid), JSON.stringify(screenUser), { mode: 0o600 }),
    );
  } catch {
    return () => {};
  }
  return () => {
    server.close();
    removeFiles();
  };
}

/** Undefined when the screen does not answer. */
async function requestScreen(
  env: Env,
  pid: number,
  request: ScreenRequest,
): Promise<ScreenResponse | undefined> {
  const socket = createConnection(addressOf(env, pid));
  const line = firstLine(socket);
  socket.write(`${JSON.stringify(request)}\n`);
  const text = await line;
  socket.destroy();
  try {
    return text === undefined ? undefined : (JSON.parse(text) as ScreenResponse);
  } catch {
    return undefined;
  }
}

function readScreen(env: Env, pid: number): ScreenUser | undefined {
  try {
    const { profile, user, folder } = JSON.parse(readSmallFile(fileOf(env, pid))) as ScreenUser;
    return { profile, user, ...(folder !== undefined && { folder }) };
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

/** The screens that answer, by process id; files left by killed ones are removed. */
export async function openScreens(env: Env): Promise<OpenScreen[]> {
  const found = pidsIn(folderOf(env)).map(async (pid) => {
    const screenUser = readScreen(env, pid);
    const answer = screenUser && (await requestScreen(env, pid, { ask: "state" }));
    if (!screenUser || !answer || !("channel" in answer)) {
      if (!isRunning(pid)) rmSync(fileOf(env, pid), { force: true });
      return [];
    }
    const { profile, user } = screenUser;
    return [{ pid, profile, user, channel: answer.channel as string | null }];
  });
  return (await Promise.all(found)).flat().toSorted((a, b) => a.pid - b.pid);
}

/** Runs a line on the screen. `answered` is false when it is closed or busy; `fault` is why it refused, as a sentence. */
export async function runOnScreen(
  env: Env,
  pid: number,
  line: string,
): Promise<{ answered: boolean; fault?: string }> {
  const answer = await requestScreen(env, pid, { ask: "line", line });
  if (!answer) return { answered: false };
  return "fault" in answer ? { answered: true, fault: String(answer.fault) } : { answered: true };
}

/** Asks the screens of an app to drop or send a queued message; false when none of them has it. */
export async function changeScreenOutbox(
  env: Env,
  { profile, folder }: Required<Pick<ScreenUser, "profile" | "folder">>,
  action: QueuedMessageAction,
  id: string,
): Promise<boolean> {
  const pids = pidsIn(folderOf(env)).filter((pid) => {
    const screen = readScreen(env, pid);
    return screen?.folder === undefined ? screen?.profile === profile : screen.folder === folder;
  });
  const answers = await Promise.all(
    pids.map((pid) => requestScreen(env, pid, { ask: "outbox", act: action, id })),
  );
  return answers.some((answer) => answer !== undefined && "done" in answer && answer.done === true);
}
