/** Search in plain mode: prints numbered results; `/go NUMBER` jumps to one. */
import { plainTextOf } from "../../model/message-words.ts";
import type { Core } from "../../core/core.ts";
import { channelTitle, userName } from "../../model/channels.ts";
import { searchNames } from "../../model/search-names.ts";
import { requestsOf, isEmptySearch, readSearch } from "../../model/search-query.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { shortWhen } from "../../text/times.ts";
import type { Zone } from "../../text/zones.ts";
import { words } from "../../text/words.ts";
import type { Message } from "../../wire/entities/message.ts";
import { timeToMs } from "../../wire/time.ts";
import { describeQuery } from "../views/search/lines.ts";

interface SearchContext extends Zone {
  core: Core;
  now(): number;
  print(line: string): void;
}

/** Results per search. */
const PAGE_SIZE = 20;

export class PlainSearch {
  readonly #context: SearchContext;
  #results: readonly Message[] = [];

  constructor(context: SearchContext) {
    this.#context = context;
  }

  /** The result with this number. */
  resultAt(number: string): Message | undefined {
    return /^\d+$/.test(number) ? this.#results[Number(number) - 1] : undefined;
  }

  /** `openCid` is the open channel. */
  async run(line: string, openCid: string): Promise<void> {
    const { core, now, utc, print } = this.#context;
    const query = readSearch(line, { now: now(), ...(utc !== undefined && { utc }) });
    const { faults: unknownNames, ...narrowed } = searchNames(query, core.state(), {
      me: core.userId,
      here: openCid,
    });
    const faults = [...query.faults, ...unknownNames];
    if (faults.length > 0) return faults.forEach((fault) => print(`! ${cleanLine(fault)}`));
    if (isEmptySearch(query)) return print(`/search ${words.search.placeholder}`);
    const request = requestsOf(query, narrowed, core.userId);
    const { items, next, warning } = await core
      .search(request.scope)
      .page(request.query, { limit: PAGE_SIZE });
    this.#results = items;
    if (warning !== undefined) print(`! ${cleanLine(warning)}`);
    if (items.length === 0)
      return print(words.search.nothing(describeQuery(core.state(), { query, narrowed })));
    items.forEach((message, i) => print(`${i + 1}. ${this.#asLine(message)}`));
    print(words.search.goByNumber(next !== undefined));
  }

  #asLine(message: Message): string {
    const { core, now, utc } = this.#context;
    const entry = core.state().channels.get(message.cid);
    const place = entry ? channelTitle(entry, core.userId) : cleanLine(message.cid);
    const when = shortWhen(timeToMs(message.created_at), now(), utc === undefined ? {} : { utc });
    const author = userName(message.user);
    const reply = message.parent_id === undefined ? "" : ` ${words.search.reply}`;
    return `${place}${reply}, ${when}${author === place ? "" : ` ${author}`}: ${plainTextOf(message)}`;
  }
}
