/** Previews of links in the text: requested once after a pause in typing, dismissed by the user, sent as attachments (R-LINK). */
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
  /** Once loaded: the preview as an attachment. */
  attachment?: Attachment;
  /** Once failed: why there is none. */
  error?: Error;
}

export interface PreviewsState {
  /** In the order of the text. */
  previews: readonly LinkPreviewState[];
  /** URLs that the user dismissed, including those no longer in the text (R-LINK-6). */
  dismissed: readonly string[];
  /** What was chosen for this message, whatever the setting says (R-LINK-10). */
  chosen?: boolean | undefined;
}

type PreviewInput =
  | { type: "found"; urls: readonly string[] }
  | { type: "started"; url: string }
  | { type: "loaded"; url: string; attachment: Attachment }
  | { type: "failed"; url: string; error: Error }
  | { type: "dismissed"; url: string };

const NO_PREVIEWS: PreviewsState = { previews: [], dismissed: [] };

const changePreview = (
  state: PreviewsState,
  url: string,
  from: readonly PreviewStatus[],
  next: LinkPreviewState,
): PreviewsState =>
  state.previews.some((each) => each.url === url && from.includes(each.status))
    ? { ...state, previews: state.previews.map((each) => (each.url === url ? next : each)) }
    : state;

const isDismissed = ({ chosen, dismissed }: PreviewsState, url: string): boolean =>
  chosen === false || dismissed.includes(url);

/** One step; results for a URL that was removed or dismissed change nothing (R-LINK-5, R-LINK-6). */
function nextPreviews(state: PreviewsState, input: PreviewInput): PreviewsState {
  switch (input.type) {
    case "found": {
      const held = new Map(state.previews.map((each) => [each.url, each]));
      const previews = input.urls.map(
        (url): LinkPreviewState =>
          held.get(url) ?? { url, status: isDismissed(state, url) ? "dismissed" : "pending" },
      );
      const same =
        previews.length === state.previews.length && previews.every((each, n) => each === state.previews[n]);
      return same ? state : { ...state, previews };
    }
    case "started":
      return changePreview(state, input.url, ["pending"], { url: input.url, status: "loading" });
    case "loaded": {
      const { url, attachment } = input;
      return changePreview(state, url, ["loading"], { url, status: "loaded", attachment });
    }
    case "failed":
      return changePreview(state, input.url, ["loading"], {
        url: input.url,
        status: "failed",
        error: input.error,
      });
    case "dismissed": {
      const { url } = input;
      const from = ["pending", "loading", "loaded", "failed"] as const;
      const next = changePreview(state, url, from, { url, status: "dismissed" });
      return next === state ? state : { ...next, dismissed: [...next.dismissed, url] };
    }
  }
}

/** The previews for a send (R-LINK-8): attachments, and whether the provider must not add its own. */
function outgoingPreviews(state: PreviewsState): { attachments: Attachment[]; skip_enrich_url?: true } {
  const { previews } = state;
  // Before everything else: the provider's own preview could be the dismissed one.
  const dismissed = previews.some(({ status }) => status === "dismissed");
  const loads = previews.some(({ status }) => status === "pending" || status === "loading");
  if (loads && !dismissed) return { attachments: [] };
  const attachments = previews.flatMap(({ attachment }) => (attachment ? [attachment] : []));
  return attachments.length > 0 || dismissed ? { attachments, skip_enrich_url: true } : { attachments: [] };
}

interface PreviewsDeps extends Pick<Services, "call" | "clock" | "log" | "state"> {
  place: ThreadRef;
  /** The user's setting at this moment. */
  enabled(): boolean;
  /** Loads the function that finds URLs, on first use. */
  finder(): Promise<(text: string) => string[]>;
}

export class LinkPreviews implements Observable<PreviewsState> {
  readonly #deps: PreviewsDeps;
  readonly #observable = createObservable(NO_PREVIEWS);
  readonly #requests = new Map<string, AbortController>();
  #text = "";
  #timer: Timer | undefined;
  #urlsIn: ((text: string) => string[]) | undefined;
  /** Incremented by every clear, so that a finder loaded late ignores the cleared text. */
  #generation = 0;

  constructor(deps: PreviewsDeps) {
    this.#deps = deps;
  }

  readonly state = (): PreviewsState => this.#observable.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#observable.subscribe(listener);

  /** The text has changed: links are searched after a pause (R-LINK-1). */
  typed(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#cancelTimer();
    this.#timer = this.#deps.clock.setTimeout(() => void this.#findLinks(), LINK_PREVIEW_DEBOUNCE);
  }

  /** R-LINK-5. */
  dismiss(url: string): void {
    this.#cancel(url);
    this.#apply({ type: "dismissed", url });
  }

  /** The message in work has previews or not, whatever the setting says (R-LINK-10); what was dismissed comes back. */
  choose(on: boolean): void {
    for (const url of Array.from(this.#requests.keys())) this.#cancel(url);
    const { previews, ...state } = this.state();
    this.#observable.set({
      ...state,
      previews: previews.map(({ url }) => ({ url, status: on ? "pending" : "dismissed" })),
      chosen: on,
      ...(on && { dismissed: [] }),
    });
    this.#cancelTimer();
    void this.#findLinks();
  }

  /** Whether links get previews now: as chosen for this message, else as the setting says. */
  isOn(): boolean {
    return this.state().chosen ?? this.#deps.enabled();
  }

  /** Whether the channel has previews, and the user may send links there (R-LINK-1). */
  arePossible(): boolean {
    const channel = this.#deps.state().channels.get(this.#deps.place.cid)?.channel;
    if (channel?.config?.url_enrichment === false) return false;
    return channel?.own_capabilities?.includes("send-links") ?? true;
  }

  /** The setting was changed, or the composer is shown again: the links of its text are searched at once. */
  resume(text: string): void {
    this.#text = text;
    this.#cancelTimer();
    if (this.isOn()) void this.#findLinks();
    // A preview that was dismissed is still sent without one.
    else this.#keepOnly(({ status }) => status === "dismissed");
  }

  /** The channel is no longer on screen: ends the delay and all requests (R-LINK-9); what was dismissed stays so. */
  pause(): void {
    this.#cancelTimer();
    this.#keepOnly(({ status }) => status === "dismissed");
  }

  /** The previews to send with exactly this text (R-LINK-8). */
  outgoing(text: string): { attachments: Attachment[]; skip_enrich_url?: true } {
    const { chosen, dismissed } = this.state();
    if (chosen === false) return { attachments: [], skip_enrich_url: true };
    // Links were never searched: the provider may add previews.
    if (!this.#urlsIn) return { attachments: [] };
    if (!this.#allowed())
      return this.#urlsIn(text).some((url) => dismissed.includes(url))
        ? { attachments: [], skip_enrich_url: true }
        : { attachments: [] };
    // URLs typed since the last search count as pending.
    return outgoingPreviews(nextPreviews(this.state(), { type: "found", urls: this.#urlsIn(text) }));
  }

  /** R-LINK-9: cancels all requests and forgets what was chosen and dismissed, on clear and send. */
  clear(): void {
    this.#generation += 1;
    this.#text = "";
    this.#cancelTimer();
    for (const url of Array.from(this.#requests.keys())) this.#cancel(url);
    this.#observable.set(NO_PREVIEWS);
  }

  #allowed(): boolean {
    return this.isOn() && this.arePossible();
  }

  #keepOnly(keeps: (preview: LinkPreviewState) => boolean): void {
    for (const url of Array.from(this.#requests.keys())) this.#cancel(url);
    const { previews } = this.state();
    if (!previews.every(keeps)) this.#observable.set({ ...this.state(), previews: previews.filter(keeps) });
  }

  async #findLinks(): Promise<void> {
    this.#timer = undefined;
    // Links that go without are shown as well.
    if (!this.#allowed() && this.state().chosen !== false) return;
    const generation = this.#generation;
    this.#urlsIn ??= await this.#deps.finder();
    // The text may have changed while the finder was loaded; then a timer is running again.
    if (generation !== this.#generation || this.#timer) return;
    const urls = this.#urlsIn(this.#text);
    for (const url of this.#requests.keys()) if (!urls.includes(url)) this.#cancel(url);
    this.#apply({ type: "found", urls });
    for (const { url, status } of this.state().previews) if (status === "pending") this.#request(url);
  }

  #request(url: string): void {
    const abort = new AbortController();
    this.#requests.set(url, abort);
    this.#apply({ type: "started", url });
    const finish = (input: PreviewInput): void => {
      // Cancelled, or requested again since.
      if (this.#requests.get(url) !== abort) return;
      this.#requests.delete(url);
      this.#apply(input);
    };
    this.#deps.call("getOG", { query: { url }, signal: abort.signal }).then(
      ({ duration: _time, ...page }) => {
        const attachment = { ...page, og_scrape_url: page.og_scrape_url ?? url };
        finish({ type: "loaded", url, attachment });
      },
      (error: Error) => {
        this.#deps.log.debug("a link has no preview", { error: error.message });
        finish({ type: "failed", url, error });
      },
    );
  }

  #cancel(url: string): void {
    this.#requests.get(url)?.abort();
    this.#requests.delete(url);
  }

  #cancelTimer(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #apply(input: PreviewInput): void {
    this.#observable.set(nextPreviews(this.state(), input));
  }
}
