/** Identifies processes by pid and start time, so that a reused pid is not mistaken for its former holder. */
import { readFileSync } from "node:fs";

/** State and start time in clock ticks, as the kernel has them; undefined where there is no /proc. */
function statusOf(pid: number): { state?: string | undefined; start?: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; fields are counted behind it (the start time is the 22nd of all).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0], start: fields[19] };
  } catch {
    return undefined;
  }
}

/** `pid:start` of this process. */
export function thisOwner(): string {
  return `${process.pid}:${statusOf(process.pid)?.start ?? ""}`;
}

/** One that was killed and whose parent has not asked for its end yet is dead, though its pid can still be signalled. */
const isZombie = (pid: number): boolean => statusOf(pid)?.state === "Z";

/** Whether there is such a process, of whichever user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
  return !isZombie(pid);
}

/** Whether the process runs and is the same one: a pid that was given to another process since counts as dead. */
export function isOwnerAlive(owner: string): boolean {
  const [pidText = "", start = ""] = owner.split(":");
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0 || !isRunning(pid)) return false;
  const now = statusOf(pid)?.start;
  return start === "" || now === undefined || now === start;
}
