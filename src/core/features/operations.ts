/** Named operations beyond one row each: what is checked, cached or told to the connection before a request is made. */
import type { Attachment } from "../../wire/attachment.ts";
import type { AppReply, BodyOf, ReplyOf } from "../../wire/endpoints/index.ts";
import type { Campaign, CampaignInput } from "../../wire/campaign.ts";
import type { AppSettings } from "./app-settings.ts";
import type { ChannelHandle, ChannelKey } from "./channel.ts";
import { SINCE_BLANK } from "../base/validate-call.ts";
import type { TokenSource } from "../base/api-types.ts";
import { LocalError } from "../../model/errors.ts";
import type { ApiCall } from "../http/caller.ts";
import type { Realtime } from "../live/realtime.ts";
import type { OwnUser } from "../../wire/user.ts";

/** A push device of this machine, told in the handshake (specification/auth.md §4). */
export interface LocalDevice {
  id: string;
  push_provider: string;
  push_provider_name?: string;
}

/** What happens to each part of deleted users (R-ID-10). */
export type DeleteUsersOptions = Omit<BodyOf<"deleteUsers">, "user_ids">;

export interface Operations {
  /** Stays pending while the network fails (`link` says why, and goes on trying); rejects when the provider or a local check refuses. */
  connectUser(user: { id: string; name?: string }, token: TokenSource): Promise<OwnUser>;
  disconnectUser(): Promise<void>;
  /** Registered through the handshake; throws `LocalError` while a connection is open or opening. */
  setLocalDevice(device: LocalDevice): void;

  /** A channel as an object, the same one each time. Its methods reject with the texts of R-ID-1…4 before any request. */
  channel(type: string, key?: ChannelKey): ChannelHandle;
  /** What a page says of itself, ready to be sent as an attachment. */
  enrichURL(url: string): Promise<Attachment>;
  /** Asked for once and kept; a failure is not kept. */
  getAppSettings(): Promise<AppReply["app"]>;

  /** Server-side; values outside R-ID-10 are refused before any request. The task that does the rest. */
  deleteUsers(userIds: string[], options?: DeleteUsersOptions): Promise<string>;
  /**
   * Server-side: tokens issued before the moment are refused, of these users or of everybody; null undoes it. A blank
   * text is refused before any request (specification/auth.md §9).
   */
  revokeTokens(before: Date | string | null, userIds?: string[]): Promise<void>;

  /** Server-side, as all of campaigns: without a secret they refuse with CA-1, without an id with CA-2, in this order (CA-3). */
  createCampaign(input: CampaignInput): Promise<Campaign>;
  getCampaign(id: string | undefined): Promise<ReplyOf<"getCampaign">>;
  updateCampaign(id: string | undefined, input: Omit<CampaignInput, "id">): Promise<Campaign>;
  deleteCampaign(id: string | undefined): Promise<void>;
  /** Now, or when it says; `stop_at` ends it. */
  startCampaign(id: string | undefined, times?: BodyOf<"startCampaign">): Promise<Campaign>;
  stopCampaign(id: string | undefined): Promise<Campaign>;
}

/** Their names, for the test that holds them. */
export const OPERATIONS = [
  "connectUser",
  "disconnectUser",
  "setLocalDevice",
  "channel",
  "enrichURL",
  "getAppSettings",
  "deleteUsers",
  "revokeTokens",
  "createCampaign",
  "getCampaign",
  "updateCampaign",
  "deleteCampaign",
  "startCampaign",
  "stopCampaign",
] as const satisfies (keyof Operations)[];

export interface OperationsDeps {
  call: ApiCall;
  settings: AppSettings;
  realtime: Pick<Realtime, "connectUser" | "setDevice">;
  channel: Operations["channel"];
}

/** All but `disconnectUser`, which ends more than the connection. */
export function createOperations(deps: OperationsDeps): Omit<Operations, "disconnectUser"> {
  const { call } = deps;
  const path = (id: string | undefined): { id: string } => ({ id: id ?? "" });

  return {
    connectUser: deps.realtime.connectUser,
    setLocalDevice: deps.realtime.setDevice,
    channel: deps.channel,
    async enrichURL(url) {
      const { duration: _time, ...attachment } = await call("getOG", { query: { url } });
      return attachment;
    },
    getAppSettings: deps.settings.get,

    async deleteUsers(userIds, options = {}) {
      const { task_id } = await call("deleteUsers", { body: { ...options, user_ids: userIds } });
      return task_id;
    },
    async revokeTokens(before, userIds) {
      if (before instanceof Date && Number.isNaN(before.getTime())) throw new LocalError(SINCE_BLANK);
      const revoke_tokens_issued_before = before instanceof Date ? before.toISOString() : before;
      if (userIds === undefined) await call("updateApp", { body: { revoke_tokens_issued_before } });
      else
        await call("updateUsersPartial", {
          body: { users: userIds.map((id) => ({ id, set: { revoke_tokens_issued_before } })) },
          server: true,
        });
    },

    async createCampaign(input) {
      return (await call("createCampaign", { body: input })).campaign;
    },
    getCampaign: (id) => call("getCampaign", { path: path(id) }),
    async updateCampaign(id, input) {
      return (await call("updateCampaign", { path: path(id), body: input })).campaign;
    },
    async deleteCampaign(id) {
      await call("deleteCampaign", { path: path(id) });
    },
    async startCampaign(id, times = {}) {
      return (await call("startCampaign", { path: path(id), body: times })).campaign;
    },
    async stopCampaign(id) {
      return (await call("stopCampaign", { path: path(id), body: {} })).campaign;
    },
  };
}
