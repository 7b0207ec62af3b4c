/** Previews of links in the text: requested once after a rest in typing, dismissed by the user, sent as attachments (R-LINK). */
import type { Attachment } from "../../wire/entities/attachment.ts";
import { LINK_PREVIEW_DEBOUNCE } from "../../wire/constants.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { Timer } from "../base/ports.ts";
import type { Services } from "../http/services.ts";

/** R-LINK-4. */
type PreviewStatus = "pending" | "loading" | "loaded" | "failed" | "dismissed";

export interface LinkPreviewState {
  url: string;
  status: PreviewStatus;
  /** When loaded: what the page says of itself, ready to be sent. */
  attachment?: Attachment;
}

export interface PreviewsState {
  /** In the order of the text. */
  previews: readonly LinkPreviewState[];
  /** Addresses the user dismissed, those that left the text too (R-LINK-6). */
  dismissed: readonly string[];
}

type PreviewInput =
  /** The addresses that stand in the text now. */
  | { type: "found"; urls: readonly string[] }
  | { type: "started"; url: string }
  | { type: "loaded"; url: string; attachment: Attachment }
  | { type: "failed"; url: string }
  | { type: "dismissed"; url: string };

const NO_PREVIEWS: PreviewsState = { previews: [], dismissed: [] };

const moved = (
  state: PreviewsState,
  url: string,
  from: readonly PreviewStatus[],
  next: LinkPreviewState,
): PreviewsState =>
  state.previews.some((each) => each.url === url && from.includes(each.status))
    ? { ...state, previews: state.previews.map((each) => (each.url === url ? next : each)) }
    : state;

/** One step; what comes for an address that has left, or was dismissed, changes nothing (R-LINK-5, R-LINK-6). */
function nextPreviews(state: PreviewsState, input: PreviewInput): PreviewsState {
  switch (input.type) {
    case "found": {
      const held = new Map(state.previews.map((each) => [each.url, each]));
      const previews = input.urls.map(
        (url): LinkPreviewState =>
          held.get(url) ?? { url, status: state.dismissed.includes(url) ? "dismissed" : "pending" },
      );
      const same =
        previews.length === state.previews.length && previews.every((each, n) => each === state.previews[n]);
      return same ? state : { ...state, previews };
    }
    case "started":
      return moved(state, input.url, ["pending"], { url: input.url, status: "loading" });
    case "loaded": {
      const { url, attachment } = input;
      return moved(state, url, ["loading"], { url, status: "loaded", attachment });
    }
    case "failed":
      return moved(state, input.url, ["loading"], { url: input.url, status: "failed" });
    case "dismissed": {
      const { url } = input;
      const from = ["pending", "loading", "loaded", "failed"] as const;
      const next = moved(state, url, from, { url, status: "dismissed" });
      return next === state ? state : { ...next, dismissed: [...next.dismissed, url] };
    }
  }
}

/** What a send takes of the previews (R-LINK-8): attachments, and whether the provider shall look at links no more. */
function previewsOut(state: PreviewsState): { attachments: Attachment[]; skip_enrich_url?: true } {
  const { previews } = state;
  if (previews.some(({ status }) => status === "pending" || status === "loading")) return { attachments: [] };
  const attachments = previews.flatMap(({ attachment }) => (attachment ? [attachment] : []));
  const dismissed = previews.some(({ status }) => status === "dismissed");
  return attachments.length > 0 || dismissed ? { attachments, skip_enrich_url: true } : { attachments: [] };
}

interface PreviewsDeps extends Pick<Services, "call" | "clock" | "log" | "state"> {
  place: ThreadRef;
  /** The user's own switch. */
  enabled: boolean;
  /** Loaded when links are first looked for. */
  finder(): Promise<(text: string) => string[]>;
}

export class LinkPreviews implements Observable<PreviewsState> {
  readonly #deps: PreviewsDeps;
  readonly #held = createObservable(NO_PREVIEWS);
  readonly #requests = new Map<string, AbortController>();
  #text = "";
  #timer: Timer | undefined;
  #urlsIn: ((text: string) => string[]) | undefined;
  /** Grows with every clear, so that a finder loaded late finds nothing for what is gone. */
  #round = 0;

  constructor(deps: PreviewsDeps) {
    this.#deps = deps;
  }

  readonly state = (): PreviewsState => this.#held.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#held.subscribe(listener);

  /** The text has changed: links are looked for when it rests (R-LINK-1). */
  typed(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#stopWaiting();
    if (this.#allowed())
      this.#timer = this.#deps.clock.setTimeout(() => void this.#look(), LINK_PREVIEW_DEBOUNCE);
  }

  /** R-LINK-5. */
  dismiss(url: string): void {
    this.#cancel(url);
    this.#step({ type: "dismissed", url });
  }

  /** What goes with this very text (R-LINK-8). */
  outgoing(text: string): { attachments: Attachment[]; skip_enrich_url?: true } {
    // Never looked: there is nothing, and the provider may enrich.
    if (!this.#urlsIn || !this.#allowed()) return { attachments: [] };
    // What was typed since the last look counts as pending, what left is gone.
    return previewsOut(nextPreviews(this.state(), { type: "found", urls: this.#urlsIn(text) }));
  }

  /** R-LINK-9: clear, send or another channel ends the wait and all requests, and forgets what was dismissed. */
  clear(): void {
    this.#round += 1;
    this.#text = "";
    this.#stopWaiting();
    for (const url of Array.from(this.#requests.keys())) this.#cancel(url);
    this.#held.set(NO_PREVIEWS);
  }

  #allowed(): boolean {
    if (!this.#deps.enabled) return false;
    const channel = this.#deps.state().channels.get(this.#deps.place.cid)?.channel;
    if (channel?.config?.url_enrichment === false) return false;
    return channel?.own_capabilities?.includes("send-links") ?? true;
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    if (!this.#allowed()) return;
    const asked = this.#round;
    this.#urlsIn ??= await this.#deps.finder();
    // The text may have moved on while the finder was loaded; a running wait looks at it again.
    if (asked !== this.#round || this.#timer) return;
    const urls = this.#urlsIn(this.#text);
    for (const url of this.#requests.keys()) if (!urls.includes(url)) this.#cancel(url);
    this.#step({ type: "found", urls });
    for (const { url, status } of this.state().previews) if (status === "pending") this.#request(url);
  }

  #request(url: string): void {
    const abort = new AbortController();
    this.#requests.set(url, abort);
    this.#step({ type: "started", url });
    const done = (input: PreviewInput): void => {
      // Cancelled, or asked for anew since: not ours to say.
      if (this.#requests.get(url) !== abort) return;
      this.#requests.delete(url);
      this.#step(input);
    };
    this.#deps.call("getOG", { query: { url }, signal: abort.signal }).then(
      ({ duration: _time, ...page }) => {
        const attachment = { ...page, og_scrape_url: page.og_scrape_url ?? url };
        done({ type: "loaded", url, attachment });
      },
      (error: Error) => {
        this.#deps.log.debug("a link has no preview", { error: error.message });
        done({ type: "failed", url });
      },
    );
  }

  #cancel(url: string): void {
    this.#requests.get(url)?.abort();
    this.#requests.delete(url);
  }

  #stopWaiting(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #step(input: PreviewInput): void {
    this.#held.set(nextPreviews(this.state(), input));
  }
}
