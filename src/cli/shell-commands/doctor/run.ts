/** `parley doctor`: checks terminal, profile, clock, connection, storage and notifications, and suggests a fix for each fault. */
import { rowView } from "../../../commands/base/define-command.ts";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readAuthorities } from "../../../config/authorities.ts";
import { proxyRoute } from "../../../config/proxy.ts";
import { ownThemes, readTheme } from "../../../config/themes.ts";
import { cacheDir, configDir, credentialsFile, dataDir, stateDir } from "../../../config/paths.ts";
import type { Core } from "../../../core/core.ts";
import { storageKind } from "../../../model/files/storage.ts";
import { transportError } from "../../../model/transport.ts";
import type { Opened } from "../../../open.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { outputForm, openResults } from "../../output/results.ts";
import { ExitError } from "../../base/exit.ts";
import { readProblem } from "../../base/problem.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { terminalFindings } from "./terminal.ts";
import type { DOCTOR_ARGS } from "./args.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { DoctorFinding } from "./report.ts";

function terminal(shell: Shell): DoctorFinding[] {
  const { env, tty } = shell;
  if (!tty.out) return [{ check: "terminal", state: "ok", says: "standard output is a pipe or a file" }];
  const { columns } = tty;
  const found: DoctorFinding[] = [];
  const utf8 = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || "") || process.platform === "win32";
  found.push(
    env.TERM === "dumb"
      ? {
          check: "terminal",
          state: "warning",
          says: "TERM is dumb",
          todo: "the screen prints lines only; set TERM to the type of your terminal",
        }
      : {
          check: "terminal",
          state: "ok",
          says: `${env.TERM_PROGRAM ?? env.TERM ?? "unknown"}, ${columns} columns`,
        },
  );
  if (columns < 50)
    found.push({
      check: "width",
      state: "warning",
      says: `${columns} columns`,
      todo: "widen it to 80: below 50 the screen prints lines",
    });
  if (!utf8)
    found.push({
      check: "characters",
      state: "warning",
      says: "the locale is not UTF-8",
      todo: "set LANG, for example to C.UTF-8",
    });
  return found;
}

/** Writes and removes a block, since permissions do not show that a disk is full. */
function writeProbe(folder: string): void {
  const file = path.join(folder, `.probe-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(4096), { mode: 0o600, flag: "wx", flush: true });
  } finally {
    rmSync(file, { force: true });
  }
}

function storage(shell: Shell): DoctorFinding[] {
  const { env } = shell;
  const found = [configDir(env), stateDir(env), cacheDir(env), dataDir(env)].map((folder): DoctorFinding => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeProbe(folder);
      return { check: "storage", state: "ok", says: folder };
    } catch (error) {
      return {
        check: "storage",
        state: "fault",
        says: `${folder}: ${(error as NodeJS.ErrnoException).code}`,
        todo:
          storageKind(error) === "full"
            ? "free some space: the disk is full"
            : "make it writable, or point the XDG variables elsewhere",
        exit: 12,
      };
    }
  });
  const secrets = credentialsFile(env);
  if (process.platform !== "win32" && existsSync(secrets) && statSync(secrets).mode & 0o077)
    found.push({
      check: "secrets",
      state: "fault",
      says: `${secrets} can be read by others`,
      todo: `chmod 600 ${secrets}`,
      exit: 2,
    });
  return found;
}

function themes({ env, settings }: Shell): DoctorFinding[] {
  const own = ownThemes(env);
  const faults = own.flatMap((name) => readTheme(env, name).faults);
  if (faults.length === 0)
    return [{ check: "theme", state: "ok", says: [settings.theme, ...own].join(", ") }];
  return faults.map((says) => ({
    check: "theme",
    state: "warning",
    says,
    todo: "fix the line; the screen ignores it",
  }));
}

async function keys({ host, settings }: Shell): Promise<DoctorFinding[]> {
  const faults = await host.keyFaults();
  if (faults.length === 0) return [{ check: "keys", state: "ok", says: settings.keys }];
  const todo = "fix the line; the screen ignores it";
  return faults.map((says) => ({ check: "keys", state: "warning", says, todo }));
}

const failed = (check: string, error: unknown): DoctorFinding => {
  const problem = readProblem(error);
  return {
    check,
    state: "fault",
    says: [problem.message, problem.because].filter(Boolean).join(": "),
    ...(problem.hint ? { todo: problem.hint } : {}),
    exit: problem.exit,
  };
};

/** Compares the clocks; core learns the provider's from the `Date` header of the first answer. */
function clock(core: Core): DoctorFinding {
  const now = (core as Core & { providerNow?(): number }).providerNow?.();
  if (now === undefined) return { check: "clock", state: "ok", says: "not measured" };
  const skew = Math.round((now - Date.now()) / 1000);
  return Math.abs(skew) > 30
    ? {
        check: "clock",
        state: "warning",
        says: `this machine is ${Math.abs(skew)} s ${skew > 0 ? "behind" : "ahead of"} the provider`,
        todo: "set the clock: tokens may seem expired or not yet valid",
      }
    : { check: "clock", state: "ok", says: `within ${Math.max(1, Math.abs(skew))} s of the provider` };
}

/** How long to wait for a connection, which by itself would retry for ever; ms. */
const CONNECT_MS = 10_000;

/** Throws `ExitError` 10 if the connection does not open in time. */
async function connectInTime(opened: Opened): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const why = cleanLine(opened.core.state().link.reason ?? "");
    late.reject(new ExitError(10, `${words.link.notYet}${why && `: ${why}`}`));
  }, CONNECT_MS);
  await Promise.race([opened.connect(), late.promise]).finally(() => clearTimeout(timer));
}

async function live(shell: Shell, opened: Opened): Promise<DoctorFinding[]> {
  if (opened.user.id === "")
    return [{ check: "live", state: "ok", says: "not tried: nobody to connect as (add --as)" }];
  try {
    await connectInTime(opened);
    const { link } = opened.core.state();
    const fellBack = link.transport === "longpoll" && shell.settings.transport === "auto";
    return [
      {
        check: "live",
        state: fellBack ? "warning" : "ok",
        says: `connected by ${link.transport ?? "websocket"}${link.latency === undefined ? "" : `, ${Math.round(link.latency)} ms`}`,
        ...(fellBack ? { todo: "a proxy may block WebSockets; long-polling works but is slower" } : {}),
      },
    ];
  } catch (error) {
    return [failed("live", error)];
  }
}

/** The proxy used to reach the provider, and additional certificate authorities. */
async function network(shell: Shell, url: string): Promise<DoctorFinding[]> {
  const { settings, env } = shell;
  const found: DoctorFinding[] = [
    { check: "way", state: "ok", says: (await proxyRoute(url, settings, env)).says },
  ];
  if (settings.caFile !== "") {
    const { length } = await readAuthorities(settings.caFile);
    found.push({ check: "authorities", state: "ok", says: `${length} of ${settings.caFile} (caFile)` });
  }
  const extra = env.NODE_EXTRA_CA_CERTS;
  if (extra)
    found.push(
      existsSync(extra)
        ? { check: "authorities", state: "ok", says: `those of ${extra} (NODE_EXTRA_CA_CERTS)` }
        : {
            check: "authorities",
            state: "warning",
            says: `NODE_EXTRA_CA_CERTS names ${extra}, which does not exist`,
            todo: "correct the path, or unset the variable",
          },
    );
  return found;
}

/** Checks plain HTTP separately, to know whether long-polling could replace WebSockets. */
async function fallback(opened: Opened): Promise<DoctorFinding> {
  try {
    await opened.core.call("hi", { timeout: 5000 });
    return {
      check: "fallback",
      state: "ok",
      says: "the provider answers over plain HTTP, so long-polling can be used",
    };
  } catch (error) {
    return {
      check: "fallback",
      state: "warning",
      says: transportError("Hi", error).message,
      todo: "no fallback when WebSockets fail",
    };
  }
}

/** Writes the report, and prints its path and contents on standard error. */
async function report(
  shell: Shell,
  findings: readonly DoctorFinding[],
  out: string | undefined,
): Promise<void> {
  const { WHAT_IS_IN_IT, writeReport } = await import("./report.ts");
  const file = await writeReport(shell, findings, out);
  printNotice(shell, `the report is ${file}; check it before you send it. It contains:`);
  for (const line of WHAT_IS_IN_IT) printNotice(shell, `  ${line}`);
}

const doctor: ShellRun<typeof DOCTOR_ARGS> = async (shell, args) => {
  const findings: DoctorFinding[] = [
    ...terminal(shell),
    ...storage(shell),
    ...themes(shell),
    ...(await keys(shell)),
    ...(await terminalFindings(shell)),
  ];
  let opened: Opened | undefined;
  try {
    opened = await shell.host.open({ inMemory: true });
    findings.push({
      check: "profile",
      state: "ok",
      says: `${opened.profile.name}, as ${opened.user.id || "the server"}`,
    });
    const { url } = await shell.host.identity();
    findings.push(...(await network(shell, opened.profile.url ?? url)));
    const began = performance.now();
    await opened.core.call("getApp", { timeout: shell.settings.timeout, signal: shell.signal });
    findings.push(
      { check: "provider", state: "ok", says: `answers in ${Math.round(performance.now() - began)} ms` },
      clock(opened.core),
    );
    findings.push(...(await live(shell, opened)), await fallback(opened));
  } catch (error) {
    findings.push(failed(opened ? "provider" : "profile", error));
  } finally {
    await opened?.close();
  }
  const human = outputForm(shell) === "table";
  const results = openResults(shell, true);
  const marks = shell.settings.accessible
    ? { ok: "ok", warning: "warning", fault: "fault" }
    : { ok: "✓", warning: "!", fault: "✗" };
  for (const finding of findings) {
    const { check, state, says, todo } = finding;
    await results.item(
      finding,
      human
        ? rowView({ "": marks[state], check, says: cleanLine(says), "to do": todo })
        : rowView({ state, check, says, "to do": todo }),
    );
  }
  await results.end();
  if (args.report) await report(shell, findings, args.out);
  return findings.find((finding) => finding.state === "fault")?.exit ?? 0;
};
export default doctor;
