/** A minimal provider behind the call port, with faults on demand, for the tests of the outbox. */
import type { CallArgs, Core } from "../../../src/core/core.ts";
import { ApiError, TransportError } from "../../../src/model/errors.ts";
import { createOutbox, type Outbox } from "../../../src/core/outbox/outbox.ts";
import { createStateMachine, type StateMachine } from "../../../src/core/state/machine.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import { thisOwner } from "../../../src/model/files/owner.ts";
import type { Store } from "../../../src/core/store/store.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import type { MessageInput } from "../../../src/wire/bodies/messages.ts";
import { fixedRandom, VirtualClock } from "../../support/virtual-clock.ts";
import { channel, CID, me, msg, silentLog, user } from "../state/world.ts";

/** The fault of a call: before the provider sees it, or after it was handled. */
export type Fault = Error | { after: Error } | undefined;

export const network = (neverSent = false): TransportError =>
  new TransportError("ERR_NETWORK", "the connection failed", undefined, neverSent);
export const refusal = (status: number, code: number, more: object = {}): ApiError =>
  new ApiError(`failed with code ${code}`, { status, code, ...more });

export interface LoggedCall {
  name: string;
  id: string;
}

export class FakeProvider {
  readonly messages = new Map<string, Message>();
  /** Ids of new messages in the order in which they were stored. */
  readonly stored: string[] = [];
  readonly log: LoggedCall[] = [];
  running = 0;
  maxConcurrent = 0;
  readonly runningByChannel = new Map<string, number>();
  channelOverlap = false;
  faults: Fault[] = [];
  fault: ((name: string, id: string) => Fault) | undefined;
  deliver: ((event: AnyEvent) => void) | undefined;
  #time = Date.UTC(2026, 0, 2);
  readonly clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  readonly call = (async (name: string, args: CallArgs<"sendMessage">) => {
    const body = args.body as unknown as { message?: MessageInput & { id: string } } | undefined;
    const path = args.path as unknown as { id: string; type?: string };
    const id = name === "sendMessage" ? body!.message!.id : path.id;
    const channel =
      name === "sendMessage" ? `${path.type}:${path.id}` : (this.messages.get(id)?.cid ?? `unknown ${id}`);
    this.log.push({ name, id });
    this.running += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.running);
    this.runningByChannel.set(channel, (this.runningByChannel.get(channel) ?? 0) + 1);
    if (this.runningByChannel.get(channel)! > 1) this.channelOverlap = true;
    try {
      await new Promise<void>((done) => this.clock.setTimeout(done, 5));
      const fault = this.faults.length ? this.faults.shift() : this.fault?.(name, id);
      if (fault instanceof Error) throw fault;
      const reply = this.#perform(name, id, channel, body);
      if (fault) throw fault.after;
      return reply;
    } finally {
      this.running -= 1;
      this.runningByChannel.set(channel, this.runningByChannel.get(channel)! - 1);
    }
  }) as unknown as Core["call"];

  #perform(name: string, id: string, cid: string, body: unknown): unknown {
    const existing = this.messages.get(id);
    const now = new Date((this.#time += 1000)).toISOString();
    if (name === "sendMessage") {
      if (existing) throw refusal(400, 4);
      const input = (body as { message: MessageInput }).message;
      const message = {
        ...msg(0),
        ...input,
        id,
        cid,
        mentioned_users: [],
        user: user("ada"),
        created_at: now,
        updated_at: now,
      } as Message;
      this.messages.set(id, message);
      this.stored.push(id);
      this.deliver?.({ type: "message.new", cid, created_at: now, user: user("ada"), message } as AnyEvent);
      return { message };
    }
    if (!existing) throw refusal(404, 16);
    if (name === "getMessage") return { message: existing };
    if (name === "deleteMessage") {
      const deleted: Message = { ...existing, type: "deleted", deleted_at: now, updated_at: now };
      this.messages.set(id, deleted);
      return { message: deleted };
    }
    if (name === "updateMessagePartial") {
      const next = {
        ...existing,
        ...(body as { set: object }).set,
        updated_at: now,
        message_text_updated_at: now,
      } as Message;
      this.messages.set(id, next);
      return { message: next };
    }
    return { message: existing };
  }
}

export interface OutboxWorld {
  provider: FakeProvider;
  clock: VirtualClock;
  machine: StateMachine;
  store: Store;
  outbox: Outbox;
  online: { value: boolean };
  /** Signs the user out, as after `disconnectUser`. */
  signOut(): void;
  /** The process is killed, and another one starts with the same store. */
  crash(): OutboxWorld;
}

export function outboxWorld(
  options: {
    store?: Store;
    provider?: FakeProvider;
    clock?: VirtualClock;
    cids?: string[];
    random?: () => number;
    /** Of the first process only; the next ones belong to this program. */
    owner?: string;
    maximum?: number;
    locations?: boolean;
  } = {},
): OutboxWorld {
  const clock = options.clock ?? new VirtualClock(Date.UTC(2026, 0, 2));
  const provider = options.provider ?? new FakeProvider(clock);
  const store = options.store ?? createMemoryStore("ada");
  const cids = options.cids ?? [CID];
  const machine = createStateMachine({ clock, random: fixedRandom(), log: silentLog, userId: () => "ada" });
  machine.apply({ kind: "me", me: me() });
  machine.apply({
    kind: "channels",
    states: cids.map((cid) => channel([], { cid })),
    messageLimit: 25,
    watched: true,
  });
  const online = { value: true };
  let signedIn: string | undefined = "ada";
  let alive = true;
  provider.deliver = (event) => alive && machine.dispatch([event]);
  const never = new Promise<never>(() => {});
  const outbox = createOutbox({
    store: writesWhileAlive(store, () => alive),
    // A killed process neither sends nor receives.
    call: ((name: "getMessage", args: never) =>
      alive
        ? provider.call(name, args).then(
            (reply) => (alive ? reply : never),
            (error: unknown) => (alive ? Promise.reject(error as Error) : never),
          )
        : never) as unknown as Core["call"],
    machine,
    clock,
    random: { float: options.random ?? (() => 0.5), uuid: () => crypto.randomUUID() },
    log: silentLog,
    userId: () => signedIn,
    owner: options.owner ?? thisOwner(),
    maximum: options.maximum,
    locations: options.locations,
    online: () => online.value && alive,
  });
  return {
    provider,
    clock,
    machine,
    store,
    outbox,
    online,
    signOut() {
      signedIn = undefined;
      machine.apply({ kind: "me", me: undefined });
      machine.apply({ kind: "reset" });
    },
    crash() {
      alive = false;
      machine.close();
      void outbox.close();
      const { owner: _, ...kept } = options;
      const next = outboxWorld({ ...kept, store, provider, clock, cids });
      next.outbox.resume();
      return next;
    },
  };
}

/** A store to which a killed process no longer writes. */
function writesWhileAlive(store: Store, alive: () => boolean): Store {
  return new Proxy(store, {
    get(target, key) {
      const value = target[key as keyof Store] as unknown;
      if (typeof value !== "function") return value;
      return (...args: unknown[]) =>
        alive() ? (value as (...args: unknown[]) => unknown).apply(target, args) : undefined;
    },
  });
}
