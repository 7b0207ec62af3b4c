/** Records the events of a chaos run in order, and selects the part a failure is about, because such a run cannot be repeated. */
import type { Core } from "../../src/core/core.ts";
import type { State } from "../../src/model/state.ts";

/** Lines recorded per run, and lines reported per failure. */
const MAX_RECORDED = 60_000;
const MAX_REPORTED = 250;

const ID = /[a-z]+-[0-9a-f]{8}-[0-9a-f-]{27}/g;
const CID = /messaging:\w+/g;

export class Recorder {
  #lines: { at: number; who: string; what: string }[] = [];
  readonly #begin = performance.now();

  note(who: string, what: string): void {
    this.#lines.push({ at: Math.round(performance.now() - this.#begin), who, what });
    if (this.#lines.length > MAX_RECORDED) this.#lines = this.#lines.slice(MAX_RECORDED / 2);
  }

  /** Records one program's events, link states and requests. */
  follow(who: string, core: Core, alive: () => boolean): void {
    let before = "";
    core.on("all", (event) => {
      if (!alive()) return;
      const { id, text, updated_at: at } = (event.message ?? {}) as Record<string, unknown>;
      const reaction = (event.reaction as { type?: string } | undefined)?.type;
      const parts = [event.type, event.created_at, event.cid, event.user?.id, id, text, at, reaction];
      this.note(who, parts.filter((part) => part !== undefined).join(" "));
    });
    core.subscribe(() => {
      const { phase, catchingUp, reason } = core.state().link;
      const link = `link ${phase}${catchingUp ? ", catching up" : ""}${reason === undefined ? "" : `: ${reason}`}`;
      if (alive() && link !== before) this.note(who, (before = link));
    });
  }

  /** Lines about the messages (or, without any, the channels) named in the failures, and all lines about links and faults. */
  about(broken: readonly string[]): string[] {
    const named = [...new Set(broken.flatMap((sentence) => sentence.match(ID) ?? []))].slice(0, 8);
    const places = [...new Set(broken.flatMap((sentence) => sentence.match(CID) ?? []))];
    const words = named.length > 0 ? named : places;
    const wanted = this.#lines.filter(
      ({ what }) => /^(fault|link|asks)/.test(what) || words.some((word) => what.includes(word)),
    );
    return wanted
      .slice(-MAX_REPORTED)
      .map(({ at, who, what }) => `${String(at).padStart(6)} ${who}: ${what}`);
  }
}

/** What a client holds of the channels named in the failures. */
export function describeState(who: string, state: State, broken: readonly string[]): string[] {
  const places = new Set(broken.flatMap((sentence) => sentence.match(CID) ?? []));
  return [...state.channels.values()]
    .filter(({ cid }) => places.has(cid))
    .flatMap(({ cid, sets, unread, read }) => [
      `${who} ${cid}: unread ${unread}, read ${[...read.values()].map((each) => `${each.user.id} ${each.last_read}`).join(", ")}`,
      ...sets.map(
        (set) =>
          `  ${set.hasPrev ? "… " : ""}${[...set.messages]
            .map((one) => `${one.id.slice(0, 12)}${one.type === "deleted" ? "✗" : ""}`)
            .join(" ")}${set.hasNext ? " …" : ""}`,
      ),
    ]);
}
