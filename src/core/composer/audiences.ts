/** Knows who sees the messages that others answer: those held, and those looked up, which never change (R-SEND-16). */
import type { Message } from "../../wire/entities/message.ts";
import { audienceOfMessage, type Audience } from "../../model/audience.ts";
import { heldNear } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { Services } from "../http/services.ts";

interface AudiencesDeps extends Pick<Services, "call" | "state"> {
  /** The first message of a thread that is listed, but not loaded with its channel. */
  threadParent(parentId: string): Message | undefined;
}

export class Audiences {
  readonly #deps: AudiencesDeps;
  readonly #found = new Map<string, Audience>();

  constructor(deps: AudiencesDeps) {
    this.#deps = deps;
  }

  /** Remembers who sees a message, also when it is lost afterwards. */
  note(message: Message): void {
    this.#found.set(message.id, audienceOfMessage(message));
  }

  /** Who sees a message that one written in this place answers; undefined: look it up first. */
  known(place: ThreadRef, id: string): Audience | undefined {
    const held =
      heldNear(this.#deps.state(), place, id) ??
      (id === place.parentId ? this.#deps.threadParent(id) : undefined);
    if (held) this.note(held);
    return this.#found.get(id);
  }

  /** Looks up a message that is not known; throws what the call throws. */
  async find(place: ThreadRef, id: string): Promise<void> {
    if (this.known(place, id)) return;
    const { message } = await this.#deps.call("getMessage", { path: { id } });
    this.#found.set(id, audienceOfMessage(message));
  }
}
