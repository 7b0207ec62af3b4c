/** The control verbs of a running provider at `POST /_local/<verb>`. */
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import { CLOSE_GOING_AWAY } from "../../wire/constants.ts";
import { timeFromMicros } from "../../wire/time.ts";
import type { ImportTask } from "../../wire/entities/import.ts";
import { ApiProblem } from "../base/handler.ts";
import type { ImportOrder } from "../base/ports.ts";
import { invalidField } from "../base/problems.ts";
import { faultVerb, type Faults } from "../http/faults.ts";
import type { Hub } from "../realtime/hub.ts";
import type { ProviderClock } from "../base/clock.ts";
import type { Verb, Verbs } from "./control.ts";
import type { IdleWatch } from "./idle.ts";
import { isSnapshotName, type SnapshotQueue } from "./snapshots.ts";

interface CoveredRoute {
  method: string;
  path: string;
  op: string;
}

/** All rows of the endpoint table, and `/connect`, which is a WebSocket and not in the table. */
function coverage(): CoveredRoute[] {
  const rows = Object.entries(endpoints) as [EndpointName, EndpointRow][];
  return [
    { method: "GET", path: "/connect", op: "Connect" },
    ...rows.map(([, { method, path, op }]) => ({ method, path, op })),
  ];
}

/** Ten years in milliseconds. */
const MAX_MOVE = 315_360_000_000;

interface VerbsContext {
  hub: Hub;
  clock: ProviderClock;
  faults: Faults;
  idle: IdleWatch;
  snapshots: SnapshotQueue | undefined;
  version: string | undefined;
  background: boolean;
  url(): string;
  advance(ms: number): void;
  /** Whether the files hold nothing any more of what was deleted. */
  hasErased(): boolean;
  startImport(order: ImportOrder): ImportTask;
  close(): void;
}

export function controlVerbs(context: VerbsContext): Verbs {
  const { idle, snapshots } = context;
  return {
    status: () => statusOf(context),
    fault: faultsOf(context),
    clock: clockOf(context),
    snapshot: snapshotsOf(context),
    import: importsOf(context),
    erased: () => ({ erased: context.hasErased(), in_memory: snapshots === undefined }),
    coverage: () => ({ routes: coverage() }),
    stay: (body) => {
      idle.stay(body.on !== false);
      return { stay: idle.stays };
    },
    stop: () => {
      // After the answer is sent.
      setImmediate(() => context.close());
      return {};
    },
  };
}

const statusOf = ({ url, hub, idle, version, background }: VerbsContext): object => ({
  pid: process.pid,
  url: url(),
  connections: hub.size,
  users: hub.byUser.size,
  stay: idle.stays,
  ...(version === undefined ? {} : { version }),
  background,
});

function faultsOf({ faults, hub }: VerbsContext): Verb {
  return (body) => {
    if (body.do !== "drop-ws") return faultVerb(faults, body);
    const links = [...hub.all()];
    for (const { link } of links) link.close(CLOSE_GOING_AWAY);
    return { dropped: links.length };
  };
}

function clockOf({ clock, advance }: VerbsContext): Verb {
  return ({ advance_ms: ms }) => {
    if (ms !== undefined) {
      if (!Number.isInteger(ms) || Number(ms) < 0 || Number(ms) > MAX_MOVE)
        throw ApiProblem.input("advance_ms must be milliseconds from 0 to ten years");
      advance(Number(ms));
    }
    return { now: timeFromMicros(clock.now()), moved_ms: clock.offset() };
  };
}

function importsOf({ startImport }: VerbsContext): Verb {
  return ({ path, mode }) => {
    if (typeof path !== "string") throw invalidField("path", "must be a text");
    if (mode !== "complete" && mode !== "replace") throw invalidField("mode", "must be complete or replace");
    return { import_task: startImport({ path, mode }) };
  };
}

function snapshotsOf({ snapshots }: VerbsContext): Verb {
  return ({ name }) => {
    if (typeof name !== "string" || !isSnapshotName(name))
      throw invalidField("name", "is not a name", "name must be letters, digits, _ and -");
    if (!snapshots) throw ApiProblem.input("a provider in memory has no folder for snapshots");
    return snapshots.save(name).then((snapshot) => ({ snapshot }));
  };
}
