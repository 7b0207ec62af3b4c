/** Identifies processes by pid and start time, so that a reused pid is not mistaken for its former holder. */
import { readFileSync } from "node:fs";

/** Kernel's start time of a process in clock ticks; undefined where there is no /proc. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; fields are counted behind it (the start time is the 22nd of all).
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** `pid:start` of this process. */
export function thisOwner(): string {
  return `${process.pid}:${startTime(process.pid) ?? ""}`;
}

/** Whether the process runs and is the same one: a pid that was given to another process since counts as dead. */
export function isOwnerAlive(owner: string): boolean {
  const [pidText = "", start = ""] = owner.split(":");
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
  const now = startTime(pid);
  return start === "" || now === undefined || now === start;
}
