/** Reads files, a picture or text from the desktop's clipboard with the system's command-line programs. */
import { execFile } from "node:child_process";
import { writeTempFile } from "./temp-files.ts";
import { words } from "../../text/words.ts";
import type { ClipboardContent } from "../screen/host.ts";

/** Time limit (ms) and output limit (bytes) of a clipboard program. */
const TIMEOUT_MS = 2000;
const MAX_OUTPUT_BYTES = 25_000_000;

type Env = Readonly<Record<string, string | undefined>>;
/** The output of a program; undefined if it fails, for example because the clipboard has no such content. */
type Run = (program: string, ...args: string[]) => Promise<Buffer | undefined>;

/** Thrown if the program is not installed. */
class MissingProgram extends Error {
  readonly program: string;
  constructor(program: string) {
    super(program);
    this.program = program;
  }
}

const runIn =
  (env: Env): Run =>
  (program, ...args) =>
    new Promise((resolve, reject) => {
      const options = { env, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: "buffer" } as const;
      execFile(program, args, options, (error, stdout) => {
        if (error?.code === "ENOENT") reject(new MissingProgram(program));
        else resolve(error ? undefined : stdout);
      });
    });

let pictureCount = 0;

const savePicture = (bytes: Buffer): ClipboardContent => ({
  kind: "picture",
  file: writeTempFile(`pasted-${++pictureCount}.png`, bytes),
});

const isPng = (bytes: Buffer | undefined): bytes is Buffer =>
  bytes?.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n";

const textOf = (bytes: Buffer | undefined): ClipboardContent =>
  bytes && bytes.length > 0
    ? { kind: "text", text: bytes.toString("utf8") }
    : { kind: "none", why: words.clipboard.empty };

/** Wayland and X: picks the best of the offered types: files, then a picture, then text. */
async function readBestType(
  types: Buffer | undefined,
  get: (type: string) => Promise<Buffer | undefined>,
): Promise<ClipboardContent> {
  const offered = new Set((types?.toString("utf8") ?? "").split(/\s+/));
  if (offered.has("text/uri-list")) {
    const list = await get("text/uri-list");
    if (list) return { kind: "files", text: list.toString("utf8") };
  }
  if (offered.has("image/png")) {
    const png = await get("image/png");
    if (isPng(png)) return savePicture(png);
  }
  const textType = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING"].find((type) =>
    offered.has(type),
  );
  return textOf(textType === undefined ? undefined : await get(textType));
}

async function wayland(run: Run): Promise<ClipboardContent> {
  const types = await run("wl-paste", "--list-types");
  return readBestType(types, (type) => run("wl-paste", "--no-newline", "--type", type));
}

async function x11(run: Run): Promise<ClipboardContent> {
  const get = (type: string): Promise<Buffer | undefined> =>
    run("xclip", "-selection", "clipboard", "-o", "-t", type);
  return readBestType(await get("TARGETS"), get);
}

/** Files before pictures: for a file the Finder also offers its icon as a picture. */
async function mac(run: Run): Promise<ClipboardContent> {
  const file = await run("osascript", "-e", "POSIX path of (the clipboard as «class furl»)");
  if (file) return { kind: "files", text: file.toString("utf8") };
  const hex = await run("osascript", "-e", "the clipboard as «class PNGf»");
  const png = Buffer.from(/PNGf([0-9A-F]+)/i.exec(hex?.toString("latin1") ?? "")?.[1] ?? "", "hex");
  return isPng(png) ? savePicture(png) : textOf(await run("pbpaste"));
}

const POWERSHELL = [
  "Add-Type -AssemblyName System.Windows.Forms,System.Drawing",
  "$c=[Windows.Forms.Clipboard]",
  "[Console]::OutputEncoding=[Text.Encoding]::UTF8",
  "if($c::ContainsFileDropList()){'files';$c::GetFileDropList()}",
  "elseif($c::ContainsImage()){$m=New-Object IO.MemoryStream",
  "$c::GetImage().Save($m,[Drawing.Imaging.ImageFormat]::Png);'png';[Convert]::ToBase64String($m.ToArray())}",
  "else{'text';$c::GetText()}",
].join(";");

/** `toLocalPath` converts a Windows path to one of this system. */
async function windows(run: Run, toLocalPath: (file: string) => Promise<string>): Promise<ClipboardContent> {
  const output =
    (await run("powershell.exe", "-NoProfile", "-STA", "-Command", POWERSHELL))?.toString("utf8") ?? "";
  const [kind, ...lines] = output.split(/\r?\n/);
  const content = lines.join("\n").trimEnd();
  if (kind === "files")
    return { kind: "files", text: (await Promise.all(content.split("\n").map(toLocalPath))).join("\n") };
  const png = Buffer.from(kind === "png" ? content : "", "base64");
  return isPng(png) ? savePicture(png) : textOf(Buffer.from(kind === "text" ? content : ""));
}

/** The readers for this system, most likely first. */
function readersFor(env: Env, platform: NodeJS.Platform, run: Run): (() => Promise<ClipboardContent>)[] {
  if (platform === "darwin") return [() => mac(run)];
  if (platform === "win32") return [() => windows(run, async (file) => file)];
  const wslPath = async (file: string): Promise<string> =>
    ((await run("wslpath", "-u", file))?.toString("utf8") ?? file).trim();
  return [
    ...(env.WAYLAND_DISPLAY ? [() => wayland(run)] : []),
    ...(env.DISPLAY ? [() => x11(run)] : []),
    ...(env.WSL_DISTRO_NAME ? [() => windows(run, wslPath)] : []),
  ];
}

/** Program → the package that contains it. */
const PACKAGES: Readonly<Record<string, string>> = { "wl-paste": "wl-clipboard", xclip: "xclip" };

export async function readClipboard(
  env: Env = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<ClipboardContent> {
  const remote = Boolean(env.SSH_CONNECTION || env.SSH_TTY);
  // Over SSH only a forwarded X or Wayland display can be reached, and only on Linux.
  const readers = remote && platform !== "linux" ? [] : readersFor(env, platform, runIn(env));
  if (readers.length === 0)
    return { kind: "none", why: remote ? words.clipboard.ssh : words.clipboard.noDesktop };
  let missing: string | undefined;
  for (const read of readers)
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MissingProgram)) throw error;
      missing ??= error.program;
    }
  return { kind: "none", why: words.clipboard.missing(missing!, PACKAGES[missing!] ?? missing!) };
}
