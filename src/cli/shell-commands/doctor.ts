/** `parley doctor`: checks terminal, profile, clock, connection, storage and notifications, and suggests a fix for each fault. */
import { isRouteAbsent } from "../../wire/errors.ts";
import { rowView, command } from "../../commands/base/define-command.ts";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readAuthorities } from "../../config/authorities.ts";
import { isUtf8Locale } from "../../config/locale.ts";
import { proxyRoute } from "../../config/proxy.ts";
import { ownThemes, readTheme } from "../../config/themes.ts";
import { cacheDir, configDir, credentialsFile, dataDir, stateDir } from "../../config/paths.ts";
import { duration } from "../../text/times.ts";
import type { Core } from "../../core/core.ts";
import { storageKind } from "../../model/files/storage.ts";
import { transportError } from "../../model/transport.ts";
import type { Opened } from "../../open.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { count, words } from "../../text/words.ts";
import { outputForm, openResults } from "../output/results.ts";
import { ExitError } from "../base/exit.ts";
import { oddValues } from "../base/odd-answers.ts";
import { readProblem } from "../base/problem.ts";
import { printNotice, type Shell } from "../base/shell.ts";
import { terminalFindings } from "./doctor/terminal.ts";
import type { DoctorFinding } from "./doctor/report.ts";

const ok = (check: string, message: string): DoctorFinding => ({ check, state: "ok", message });

const warning = (check: string, message: string, hint: string): DoctorFinding => ({
  check,
  state: "warning",
  message,
  hint,
});

function terminal({ env, tty }: Shell): DoctorFinding[] {
  if (!tty.out) return [ok("terminal", "standard output is a pipe or a file")];
  const { columns } = tty;
  const found = [
    env.TERM === "dumb"
      ? warning(
          "terminal",
          "TERM is dumb",
          "the screen prints lines only; set TERM to the type of your terminal",
        )
      : ok("terminal", `${env.TERM_PROGRAM ?? env.TERM ?? "unknown"}, ${columns} columns`),
  ];
  if (columns < 50)
    found.push(warning("width", `${columns} columns`, "widen it to 80: below 50 the screen has no sidebar"));
  const isUtf8 = process.platform === "win32" || isUtf8Locale(env);
  const effect = isUtf8 === undefined ? "" : ": the screen draws lines and signs in ASCII";
  if (!isUtf8)
    found.push(warning("characters", `the locale is not UTF-8${effect}`, "set LANG, for example to C.UTF-8"));
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
      return ok("storage", folder);
    } catch (error) {
      return {
        check: "storage",
        state: "fault",
        message: `${folder}: ${(error as NodeJS.ErrnoException).code}`,
        hint:
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
      message: `${secrets} can be read by others`,
      hint: `chmod 600 ${secrets}`,
      exit: 2,
    });
  return found;
}

const FIX_LINE = "fix the line; the screen ignores it";

function themes({ env, settings }: Shell): DoctorFinding[] {
  const own = ownThemes(env);
  const faults = own.flatMap((name) => readTheme(env, name).faults);
  if (faults.length === 0) return [ok("theme", [settings.theme, ...own].join(", "))];
  return faults.map((fault) => warning("theme", fault, FIX_LINE));
}

async function keys({ host, settings }: Shell): Promise<DoctorFinding[]> {
  const faults = await host.keyFaults();
  if (faults.length === 0) return [ok("keys", settings.keys)];
  return faults.map((fault) => warning("keys", fault, FIX_LINE));
}

const failed = (check: string, error: unknown): DoctorFinding => {
  const problem = readProblem(error);
  return {
    check,
    state: "fault",
    message: [problem.message, problem.because].filter(Boolean).join(": "),
    ...(problem.hint ? { hint: problem.hint } : {}),
    exit: problem.exit,
  };
};

/** Messages that no profile could send any more. */
async function stranded({ host }: Shell): Promise<DoctorFinding[]> {
  return (await host.strandedData()).map(({ app, unsent }) =>
    warning(
      "unsent",
      `${count(unsent, "message")} for ${app ?? "a provider that is no longer known"}`,
      app === undefined
        ? "nothing can send what was kept for it"
        : "sign in there again to send what waits for it",
    ),
  );
}

/** Compares the clocks; core learns the provider's from the `Date` header of the first answer. `ahead`: how far the provider's was moved on purpose, in ms. */
function clock(core: Core, ahead: number): DoctorFinding {
  const skew = Math.round((core.providerNow() - ahead - Date.now()) / 1000);
  if (ahead !== 0 && Math.abs(skew) <= 30)
    return ok(
      "clock",
      `the provider's is ${duration(ahead)} ahead, as parley local clock advance has set it`,
    );
  return Math.abs(skew) > 30
    ? warning(
        "clock",
        `this machine is ${Math.abs(skew)} s ${skew > 0 ? "behind" : "ahead of"} the provider`,
        "set the clock: tokens may seem expired or not yet valid",
      )
    : ok("clock", `within ${Math.max(1, Math.abs(skew))} s of the provider`);
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

async function live(shell: Shell, opened: Opened): Promise<DoctorFinding> {
  if (opened.user.id === "") return ok("live", "not tried: nobody to connect as (add --as)");
  try {
    await connectInTime(opened);
    const { transport = "websocket", latency } = opened.core.state().link;
    const message = `connected by ${transport}${latency === undefined ? "" : `, ${Math.round(latency)} ms`}`;
    return transport === "longpoll" && shell.settings.transport === "auto"
      ? warning("live", message, "a proxy may block WebSockets; long-polling works but is slower")
      : ok("live", message);
  } catch (error) {
    return failed("live", error);
  }
}

/** The proxy used to reach the provider, and additional certificate authorities. */
async function network({ settings, env }: Shell, url: string): Promise<DoctorFinding[]> {
  const found = [ok("proxy", (await proxyRoute(url, settings, env)).reason)];
  if (settings.caFile !== "") {
    const { length } = await readAuthorities(settings.caFile);
    found.push(
      ok("certificates", `${count(length, "authority", "authorities")} from ${settings.caFile} (caFile)`),
    );
  }
  const extra = env.NODE_EXTRA_CA_CERTS;
  if (extra)
    found.push(
      existsSync(extra)
        ? ok("certificates", `authorities from ${extra} (NODE_EXTRA_CA_CERTS)`)
        : warning(
            "certificates",
            `NODE_EXTRA_CA_CERTS names ${extra}, which does not exist`,
            "correct the path, or unset the variable",
          ),
    );
  return found;
}

/** Checks plain HTTP separately, to know whether long-polling could replace WebSockets. */
async function fallback({ core }: Opened): Promise<DoctorFinding> {
  try {
    await core.call("hi", { timeout: 5000 }).catch((error: unknown) => {
      if (!isRouteAbsent(error)) throw error;
    });
    return ok("fallback", "the provider answers over plain HTTP, so long-polling can be used");
  } catch (error) {
    return warning("fallback", transportError("Hi", error).message, "no fallback when WebSockets fail");
  }
}

/** Reads the first channels, and says what was not as documented until now. */
async function answers({ core, user }: Opened): Promise<DoctorFinding> {
  const filter_conditions = user.id === "" ? {} : { members: { $in: [user.id] } };
  try {
    await core.call("queryChannels", { body: { filter_conditions, limit: 10, message_limit: 25 } });
  } catch (error) {
    return failed("answers", error);
  }
  const odd = oddValues(core.oddities());
  if (odd === undefined) return ok("answers", "as documented");
  return warning("answers", odd, "everything else works; the log counts them, too");
}

/** Writes the report, and prints its path and contents on standard error. */
async function report(
  shell: Shell,
  findings: readonly DoctorFinding[],
  out: string | undefined,
): Promise<void> {
  const { WHAT_IS_IN_IT, writeReport } = await import("./doctor/report.ts");
  const file = await writeReport(shell, findings, out);
  if (shell.flags.dryRun) return printNotice(shell, `would write the report ${file}`);
  printNotice(shell, `the report is ${file}; check it before you send it. It contains:`);
  for (const line of WHAT_IS_IN_IT) printNotice(shell, `  ${line}`);
}

export default command({
  shell: true,
  group: "Setup",
  summary: "Diagnose problems on this machine and suggest fixes",
  examples: ["doctor", "doctor --report", "doctor --report --out report.json"],
  allowsDryRun: true,
  args: {
    report: {
      kind: "flag",
      help: "Write a report to attach to a question: findings, versions, sizes and log lines; no names, texts or secrets",
    },
    out: { kind: "file", help: "Output file of the report" },
  },
  async run(shell: Shell, args) {
    const findings: DoctorFinding[] = [
      ...terminal(shell),
      ...storage(shell),
      ...themes(shell),
      ...(await keys(shell)),
      ...(await terminalFindings(shell)),
    ];
    findings.push(...(await stranded(shell).catch((error: unknown) => [failed("unsent", error)])));
    let opened: Opened | undefined;
    let ahead = 0;
    try {
      opened = await shell.host.open({ inMemory: true });
      findings.push(ok("profile", `${opened.profile.name}, as ${opened.user.id || "the server"}`));
      const { url } = await shell.host.identity();
      findings.push(...(await network(shell, opened.profile.url ?? url)));
      ahead = opened.profile.kind === "local" ? shell.host.local.clockAhead() : 0;
      const began = performance.now();
      await opened.core.call("getApp", { timeout: shell.settings.timeout, signal: shell.signal });
      findings.push(
        ok("provider", `answers in ${Math.round(performance.now() - began)} ms`),
        clock(opened.core, ahead),
      );
      findings.push(await live(shell, opened), await fallback(opened), await answers(opened));
    } catch (error) {
      findings.push(failed(opened ? "provider" : "profile", error));
      // A refusal may be caused by a clock that is wrong.
      const skew = opened && clock(opened.core, ahead);
      if (skew?.state === "warning") findings.push(skew);
    } finally {
      await opened?.close();
    }
    const human = outputForm(shell) === "table";
    const results = openResults(shell, true);
    const marks = shell.settings.accessible
      ? { ok: "ok", warning: "warning", fault: "fault" }
      : { ok: "✓", warning: "!", fault: "✗" };
    for (const finding of findings) {
      const { check, state, message, hint } = finding;
      await results.item(
        finding,
        human
          ? rowView({ "": marks[state], check, message: cleanLine(message), hint })
          : rowView({ state, check, message, hint }),
      );
    }
    await results.end();
    if (args.report) await report(shell, findings, args.out);
    return findings.find((finding) => finding.state === "fault")?.exit ?? 0;
  },
});
