/** Whether the process that owns a lock is still running. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isOwnerAlive, isRunning, thisOwner } from "../../../src/model/files/owner.ts";

test("this process is alive, and an owner with a reused pid or an invalid text is not", () => {
  expect(isOwnerAlive(thisOwner())).toBe(true);
  expect(isOwnerAlive(`${process.pid}:1`)).toBe(process.platform !== "linux");
  for (const owner of ["", ":", "0:", "-1:5", "one:two", "999999999:1"])
    expect([owner, isOwnerAlive(owner)]).toEqual([owner, false]);
});

test.runIf(process.platform === "linux")(
  "an ended process is not alive, even before its parent collects its exit code",
  async () => {
    // The shell execs a program that never waits for the child the shell had started, which leaves a zombie.
    const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [line] = (await parent.stdout.take(1).toArray()) as Buffer[];
      const pid = Number(String(line));
      const stat = (): string[] => readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
      const owner = `${pid}:${stat()[21]!}`;
      expect(isOwnerAlive(owner)).toBe(true);
      while (stat()[2] !== "Z") await sleep(20);
      process.kill(pid, 0);
      expect([isOwnerAlive(owner), isRunning(pid)]).toEqual([false, false]);
    } finally {
      parent.kill("SIGKILL");
    }
  },
);
