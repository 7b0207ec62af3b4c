/** Passes notifications to the program that the user has set for them (specification/screen.md §7). */
import { spawn } from "node:child_process";
import { withoutSecrets } from "./child-env.ts";

/** The JSON passed to the user's notification program. */
export interface NoticeFacts {
  title: string;
  body: string;
  kind: "message" | "reminder";
  channel?: string;
  message?: string;
  user?: string;
  /** Messages of the conversation that it stands for, if more than one. */
  count?: number;
}

/** Passes one line of JSON to a program and waits for it to end; its output is ignored. Rejects if it cannot be run. */
export async function pipeToProgram(command: string, facts: NoticeFacts): Promise<void> {
  // Split at blanks, without a shell, like the editor.
  const [program = "", ...flags] = command.split(/\s+/).filter(Boolean);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, flags, {
      stdio: ["pipe", "ignore", "ignore"],
      env: withoutSecrets(process.env),
    });
    child.on("error", reject);
    child.on("close", () => resolve());
    // A program that does not read its input causes EPIPE, which is ignored.
    child.stdin.on("error", () => {});
    child.stdin.end(`${JSON.stringify(facts)}\n`);
  });
}
