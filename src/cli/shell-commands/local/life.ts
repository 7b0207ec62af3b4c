/** `parley local …`: looks after the embedded provider of this data folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { cleanLine } from "../../../text/sanitize.ts";
import { ExitError } from "../../base/exit.ts";
import { openResults, showOne } from "../../output/results.ts";
import { confirm, mayAsk } from "../../base/prompts.ts";
import type { Shell } from "../../base/shell.ts";
import { write } from "../../base/stdio.ts";
import type { OwnRun } from "../kit.ts";

/** Secrets are for this process: a program that is started gets a profile and folders (specification/embedded-provider.md §1). */
function withoutSecrets(env: Shell["env"]): NodeJS.ProcessEnv {
  const { PARLEY_TOKEN: _token, PARLEY_API_SECRET: _secret, ...rest } = env;
  return rest;
}

/** `-o json` is `--json` for those who know it from other tools. */
const asJson = (shell: Shell): Shell => ({ ...shell, flags: { ...shell.flags, json: "" } });

/** A process has the folder and does not answer: said as it is, with the code for "not now". */
async function silent(
  shell: Shell,
  { pid, listening }: { pid: number; listening: boolean },
  output: string,
): Promise<number> {
  const says = listening
    ? `process ${pid} runs it but does not answer`
    : `process ${pid} has its folder but does not listen: it is starting or ending`;
  const hint = "parley local stop --force ends it";
  if (output === "env") throw new ExitError(10, `The embedded provider: ${says}.`, hint);
  const { folder } = shell.host.local;
  const status = { running: true, answers: false, listening, pid, folder };
  await showOne(output === "json" ? asJson(shell) : shell, status, `${says}; ${hint}`);
  return 10;
}

/** In order where it answers. Where it does not, who asked decides whether it is killed: nothing acknowledged is lost. */
async function stop(shell: Shell, force: boolean): Promise<number> {
  const door = shell.host.local;
  const found = await door.look();
  const told = (stopped: boolean, killed: boolean, line: string): Promise<number> =>
    showOne(shell, killed ? { stopped, killed } : { stopped }, line);
  if (found.state === "silent" && (force || mayAsk(shell))) {
    if (!force)
      await confirm(shell, {
        level: "moderate",
        question: `The embedded provider, process ${found.pid}, does not answer. Kill it? What it acknowledged is kept.`,
      });
    const killed = await door.kill();
    return told(killed, killed, killed ? `process ${found.pid} was killed` : "it has ended meanwhile");
  }
  const stopped = await door.stop();
  return told(stopped, false, stopped ? "stopped" : "it was not running");
}

const local: OwnRun = async (shell, values, command) => {
  const door = shell.host.local;
  switch (command) {
    case "local start": {
      const { url, pid } = await door.start(true);
      return showOne(shell, { url, pid, running: true }, `running at ${url}, process ${pid}`);
    }
    case "local stop": {
      return stop(shell, values.force === true);
    }
    case "local status": {
      const found = await door.look();
      if (found.state === "silent") return silent(shell, found, String(values.output ?? ""));
      if (found.state === "absent") {
        // Prose is nothing for the shell that reads this.
        if (values.output === "env")
          throw new ExitError(10, "The embedded provider is not running.", "parley local start");
        await showOne(
          values.output === "json" ? asJson(shell) : shell,
          { running: false, folder: door.folder },
          `not running; its data is in ${door.folder}`,
        );
        return 0;
      }
      if (values.output === "env") {
        const ws = found.url.replace(/^http/, "ws");
        await write(
          shell.out,
          [
            `export PARLEY_LOCAL_URL='${found.url}'`,
            `export PARLEY_LOCAL_WS_URL='${ws}'`,
            `export PARLEY_LOCAL_KEY='${found.apiKey}'`,
            `export PARLEY_LOCAL_SECRET_FILE='${path.join(door.folder, "secret")}'`,
            "",
          ].join("\n"),
        );
        return 0;
      }
      const { duration: _duration, ...known } = await door.control("status", {});
      const status = { running: true, ...known, folder: door.folder };
      const results = openResults(values.output === "json" ? asJson(shell) : shell, false);
      await results.item(status, {
        kind: "fields",
        fields: Object.entries(status).filter((row): row is [string, string] => typeof row[1] !== "object"),
      });
      await results.end();
      return 0;
    }
    case "local reset":
      await confirm(shell, {
        level: "severe",
        question: `Everything in ${door.folder} will be forgotten.`,
        word: "reset",
      });
      await door.reset(values.seed !== "none");
      return showOne(shell, { reset: true }, "everything is forgotten");
    case "local token":
      await write(shell.out, `${await door.token(String(values.user))}\n`);
      return 0;
    case "local logs": {
      const file = path.join(door.folder, "provider.log");
      if (!existsSync(file)) throw new ExitError(3, `There is no log yet: ${file}`);
      for await (const line of createInterface({ input: createReadStream(file) }))
        await write(shell.out, `${shell.tty.out ? cleanLine(line) : line}\n`);
      return 0;
    }
    default: {
      const [program, ...words] = values.command as string[];
      // One that runs already goes on afterwards.
      const before = await door.find();
      await door.start(true);
      const child = spawn(program!, words, {
        stdio: "inherit",
        env: {
          ...withoutSecrets(shell.env),
          PARLEY_PROFILE: "local",
          PARLEY_LOCAL_DATA: door.folder,
          // `parley` is found by its name also where it was never installed.
          PARLEY_NODE: process.execPath,
          PATH: [path.dirname(process.argv[1]!), shell.env.PATH].filter(Boolean).join(path.delimiter),
        },
      });
      shell.signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
      const failed = new Promise<never>((_, reject) => child.once("error", reject));
      try {
        const [code, signal] = (await Promise.race([once(child, "exit"), failed])) as [
          number | null,
          string | null,
        ];
        return code ?? (signal === "SIGINT" ? 130 : 143);
      } finally {
        if (!before) await door.stop();
      }
    }
  }
};
export default local;
