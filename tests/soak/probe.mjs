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
  const threads = new Set();
  process.on("worker", (thread) => {
    threads.add(thread);
    thread.once("exit", () => threads.delete(thread));
  });
  const sample = async () => {
    // One that ends meanwhile has no heap any more.
    const others = (
      await Promise.all([...threads].map((thread) => thread.getHeapStatistics().catch(() => [])))
    ).flat();
    const total = (heaps, of) => heaps.reduce((sum, heap) => sum + heap[of], 0);
    const pages = total([v8.getHeapStatistics(), ...others], "total_physical_size");
    const beside = total(others, "used_heap_size");
    const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    const anon = held(readFileSync("/proc/self/status", "utf8"), "RssAnon");
    const at = (Date.now() - started) / 1000;
    appendFileSync(
      file,
      `${[process.pid, at, rss, heapUsed, heapTotal, external, arrayBuffers, anon, rss - pages, beside].join(",")}\n`,
    );
  };
  setInterval(() => void sample(), 5000).unref();
}
