// Loaded into each program of the soak: records its memory use every five seconds; Linux only.
import { appendFileSync, readFileSync } from "node:fs";
import v8 from "node:v8";
import { isMainThread } from "node:worker_threads";

/** A value of /proc/self/status, converted from KiB to bytes. */
const held = (status, name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) * 1024;

const file = process.env.PARLEY_SOAK_FILE;

/** Collects once a minute in every thread: V8 only collects when it has to, and uncollected garbage looks like growth. */
const collect = () => globalThis.gc({ type: "major", execution: "sync", flavor: "last-resort" });
if (file) setInterval(collect, 60_000).unref();

// Only in the main thread: a worker shares all but its heap and would record the process's memory a second time.
if (file && isMainThread) {
  const started = Date.now();
  const threads = new Set();
  process.on("worker", (thread) => {
    threads.add(thread);
    thread.once("exit", () => threads.delete(thread));
  });
  const sample = async () => {
    // A worker that ends meanwhile has no heap statistics.
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
