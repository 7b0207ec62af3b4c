/** The connected user: push device, token of the last attempt, and the pending connectUser (specification/auth.md §4). */
import type { ConnectPayload } from "../../wire/endpoints/index.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import { LocalError } from "../../model/errors.ts";
import { wellFormedJson } from "../../text/well-formed.ts";
import { NOT_CONNECTED } from "../http/token.ts";

const CONNECTED_TWICE = "connectUser called twice without disconnect";
const USER_WITHOUT_ID = "The id field on the user is missing";

export type ConnectingUser = { id: string; name?: string };
export type ConnectingDevice = NonNullable<ConnectPayload["device"]>;

export class Session {
  user: ConnectingUser | undefined;
  device: ConnectingDevice | undefined;
  /** Sent with pings: `<user id>--<uuid>`. */
  clientId: string | undefined;
  /** The token of the last attempt. */
  token = "";
  #waiting: (PromiseWithResolvers<OwnUser> & { opened: boolean }) | undefined;

  /** Throws `LocalError` unless this user may connect now. */
  requireAllowed(next: ConnectingUser): void {
    if (typeof next.id !== "string" || next.id === "") throw new LocalError(USER_WITHOUT_ID);
    if (this.user && this.#waiting && this.user.id !== next.id) throw new LocalError(CONNECTED_TWICE);
  }

  /** The handshake as JSON; throws `LocalError` when no user is set. */
  handshake(): string {
    const { user, device } = this;
    if (!user) throw new LocalError(NOT_CONNECTED);
    const payload: ConnectPayload = {
      user_id: user.id,
      user_details: user,
      server_determines_connection_id: true,
      ...(device && { device }),
    };
    return wellFormedJson(payload);
  }

  /** The promise that connectUser returned, until its connection ends. */
  get waiting(): Promise<OwnUser> | undefined {
    return this.#waiting?.promise;
  }

  wait(): Promise<OwnUser> {
    const waiting = { ...Promise.withResolvers<OwnUser>(), opened: false };
    waiting.promise.catch(() => undefined);
    this.#waiting = waiting;
    return waiting.promise;
  }

  opened(me: OwnUser | undefined): void {
    const waiting = this.#waiting;
    if (!waiting || waiting.opened) return;
    waiting.opened = true;
    if (me) waiting.resolve(me);
    else waiting.reject(new LocalError("the provider's first frame does not say who is connected"));
  }

  /** Rejects a pending connectUser; the user stays set, so that a later attempt may succeed. */
  failed(error: Error): void {
    if (!this.#waiting || this.#waiting.opened) return;
    this.#waiting.reject(error);
    this.#waiting = undefined;
  }

  /** Clears a pending connectUser; returns its reject function if it is still unanswered. */
  cancel(): ((error: Error) => void) | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting?.opened === false ? waiting.reject : undefined;
  }

  reset(): void {
    this.#waiting = undefined;
    this.user = undefined;
    this.clientId = undefined;
    this.token = "";
  }
}
