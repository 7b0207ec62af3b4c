/** Identifies processes by pid and start time, so that a reused pid is not mistaken for its former holder. */
import { readFileSync } from "node:fs";

/** State and start time (clock ticks) from /proc; undefined where there is none. */
function statusOf(pid: number): { state?: string | undefined; start?: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain spaces, so fields are counted after it (the start time is the 22nd of all).
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

/** A killed process that its parent has not reaped is dead, although its pid can still be signalled. */
const isZombie = (pid: number): boolean => statusOf(pid)?.state === "Z";

/** Whether a process of any user has this pid. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
  return !isZombie(pid);
}

/** Whether the process is still running and its pid was not reused. */
export function isOwnerAlive(owner: string): boolean {
  const [pidText = "", start = ""] = owner.split(":");
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0 || !isRunning(pid)) return false;
  const now = statusOf(pid)?.start;
  return start === "" || now === undefined || now === start;
}
