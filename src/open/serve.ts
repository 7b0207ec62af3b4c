/** Runs the embedded provider in this process: demo workspace, guide and side door included. */
import type { ServeOptions } from "../open.ts";
import type { Provider } from "../provider/provider.ts";
import { named } from "./fault.ts";

/** Marks a data folder that holds the demo workspace. */
const DEMO_MARK = "demo";

/** Runs the provider in this process until the signal, `local stop`, or the end of its idle time. */
export async function serveProvider(
  home: string,
  me: { id: string; name?: string },
  options: ServeOptions & { version: string },
): Promise<void> {
  const [
    { createProvider, FolderBusy },
    { robotHost },
    { flood, floodOrder },
    { robotAct },
    { demoPages },
    { existsSync, writeFileSync },
    path,
  ] = await Promise.all([
    import("../provider/provider.ts"),
    import("../provider/robots/inside.ts"),
    import("../provider/robots/flood.ts"),
    import("../provider/robots/acts.ts"),
    import("../provider/demo/pages.ts"),
    import("node:fs"),
    import("node:path"),
  ]);
  const data = options.memory ? ":memory:" : path.resolve(options.data ?? home);
  const mark = options.memory ? undefined : path.join(data, DEMO_MARK);
  const fresh = options.memory || !existsSync(path.join(data, "provider.db"));
  let demo = mark !== undefined && existsSync(mark);
  let provider: Provider;
  try {
    provider = createProvider({
      data,
      ...(options.port === undefined ? {} : { port: options.port }),
      stay: options.stay,
      version: options.version,
      background: options.background,
      links: { pages: demoPages },
      warn: options.say,
      ...(options.debug
        ? { log: (entry) => options.say(`${entry.op} ${entry.status} ${entry.duration}`) }
        : {}),
      verbs: {
        enter: (body) => enter(body),
        robot: (body) => robotAct(host, body),
        seed: () => seed(),
        flood: (body) => flood(host, floodOrder(body)).then((written) => ({ written })),
      },
    });
  } catch (error) {
    if (error instanceof FolderBusy) throw named("CommandFault", "conflict", error.message);
    throw error;
  }
  const host = robotHost(provider);
  const entered = new Set<string>();
  const { joinDemo, seedDemo, startGuide } = await import("../provider/demo/index.ts");
  const enter = (body: Record<string, unknown>): Record<string, unknown> => {
    const id = String(body.id);
    if (entered.has(id)) return { id };
    const { users } = host.perform("queryUsers", { query: { filter_conditions: { id }, limit: 1 } });
    if (users.length === 0) {
      const name = typeof body.name === "string" ? body.name : id;
      host.perform("upsertUsers", { body: { users: { [id]: { id, name } } } });
    }
    if (demo && id !== me.id) joinDemo(host, id);
    entered.add(id);
    return { id };
  };
  let stopGuide = (): void => {};
  const seed = (): Record<string, unknown> => {
    if (demo) return { seeded: false };
    seedDemo(host, { id: me.id, name: me.name ?? me.id });
    if (mark) writeFileSync(mark, "", { mode: 0o600 });
    demo = true;
    stopGuide = startGuide(host);
    return { seeded: true };
  };
  if (demo) stopGuide = startGuide(host);
  if (fresh && options.seed) {
    try {
      seed();
    } catch (error) {
      // An empty workspace that works is better than none; nothing of a failed seed is kept.
      options.say(`the demo workspace could not be made: ${(error as Error).message}`);
    }
  }
  const stop = (): void => void provider.close();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    await provider.listen();
    options.say(
      `the embedded provider listens at ${provider.url}, data in ${options.memory ? "memory" : data}`,
    );
    await provider.closed;
  } finally {
    stopGuide();
    options.signal.removeEventListener("abort", stop);
    await provider.close();
  }
}
