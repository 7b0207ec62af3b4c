// Loaded into each program of the soak: writes what its memory holds every five seconds; Linux only.
import { appendFileSync, readFileSync } from "node:fs";
import v8 from "node:v8";
import { isMainThread } from "node:worker_threads";

/** Kibibytes of a line of /proc/self/status, as bytes. */
const held = (status, name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) * 1024;

const file = process.env.PARLEY_SOAK_FILE;

/** Once a minute, in every thread: V8 collects when it has to, and garbage that nobody has collected yet looks like growth. */
const collect = () => globalThis.gc({ type: "major", execution: "sync", flavor: "last-resort" });
if (file) setInterval(collect, 60_000).unref();

// A thread has a heap of its own and shares all else: it would tell the memory of the process a second time.
if (file && isMainThread) {
  const started = Date.now();
  setInterval(() => {
    const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    const { malloced_memory: malloced } = v8.getHeapStatistics();
    const anon = held(readFileSync("/proc/self/status", "utf8"), "RssAnon");
    const at = (Date.now() - started) / 1000;
    appendFileSync(
      file,
      `${[process.pid, at, rss, heapUsed, heapTotal, external, arrayBuffers, anon, malloced].join(",")}\n`,
    );
  }, 5000).unref();
}
