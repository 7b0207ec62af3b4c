/** One channel as an object: watch, query, replies and uploads, refused before any request where they cannot succeed (R-ID-12, R-CHAN-3). */
import type { UploadedFile } from "../../wire/attachment.ts";
import type { ChannelState } from "../../wire/channel.ts";
import { MESSAGE_PAGE } from "../../wire/constants.ts";
import type { QueryChannelBody } from "../../wire/endpoints/index.ts";
import { channelIdFault, channelTypeFault, makeCid } from "../../wire/ids.ts";
import type { Message } from "../../wire/message.ts";
import type { MessagePagination } from "../../wire/query.ts";
import type { ThreadRef } from "../../model/state.ts";
import { CHANNEL_REQUIRED, MEMBERS_REQUIRED } from "../base/validate-call.ts";
import { LocalError } from "../../model/errors.ts";
import type { SendTo } from "../uploads/uploads.ts";

/** An id, or the members whose channel it is; `data` goes with a creation. */
export type ChannelKey = string | { members: readonly string[]; data?: Record<string, unknown> };

export interface SendFileOptions {
  signal?: AbortSignal;
  /** Bytes. */
  onProgress?(sent: number, total: number): void;
}

export interface ChannelHandle {
  readonly type: string;
  /** Of a distinct channel only once it has been queried. */
  readonly cid: string | undefined;
  /** Gets or creates it, watches it, and holds its newest page; its cid. */
  watch(data?: Record<string, unknown>): Promise<string>;
  /** Gets or creates it; what comes is held, as far as the query asks for state. */
  query(body?: QueryChannelBody): Promise<ChannelState>;
  /** One page of a thread, oldest → newest; it is held like any page of the thread. */
  getReplies(parentId: string, pagination?: MessagePagination): Promise<Message[]>;
  /** Checked by the app's rules, then sent to `/image`; where it can be fetched. */
  sendImage(file: string, options?: SendFileOptions): Promise<UploadedFile>;
  /** As `sendImage`, to `/file`. */
  sendFile(file: string, options?: SendFileOptions): Promise<UploadedFile>;
}

/** What a channel object asks of the pages. */
export interface ChannelPages {
  /** Gets or creates a channel by its id or by members in `data`; what comes is held when the body asks for state. */
  join(path: { type: string; id?: string }, body: QueryChannelBody): Promise<ChannelState>;
  /** A page of replies, held as a page of their thread when the channel is (R-SET-3…11). */
  holdReplies(place: ThreadRef, pagination: MessagePagination & { limit: number }): Promise<Message[]>;
}

export interface ChannelsDeps {
  pages: ChannelPages;
  uploads: { sendTo: SendTo };
}

/** The one maker of handles: the same object for the same channel (R-CHAN-3). */
export function createChannels(deps: ChannelsDeps): (type: string, key?: ChannelKey) => ChannelHandle {
  const handles = new Map<string, ChannelHandle>();

  function make(type: string, key: ChannelKey | undefined, rekey: (cid: string) => void): ChannelHandle {
    let id = typeof key === "string" ? key : undefined;
    const distinct = typeof key === "object" ? key : undefined;
    const blank = (text: string | undefined): boolean => text === undefined || text.trim() === "";

    /** R-ID-3, 1, 2, 4, in this order. */
    function check(): void {
      if (typeof type !== "string" || blank(type)) throw new LocalError(CHANNEL_REQUIRED);
      const fault = channelTypeFault(type) ?? (blank(id) ? undefined : channelIdFault(id!));
      if (fault !== undefined) throw new LocalError(fault);
      if (blank(id) && !(Array.isArray(distinct?.members) && distinct.members.length > 0))
        throw new LocalError(MEMBERS_REQUIRED);
    }

    async function query(body: QueryChannelBody): Promise<ChannelState> {
      check();
      const data = { ...distinct?.data, ...body.data, ...(blank(id) && { members: [...distinct!.members] }) };
      const asked = Object.keys(data).length > 0 ? { ...body, data } : body;
      const state = await deps.pages.join(blank(id) ? { type } : { type, id: id! }, asked);
      if (id === undefined) {
        ({ id } = state.channel);
        rekey(state.channel.cid);
      }
      return state;
    }

    /** A distinct channel has its id from the provider. */
    async function placeOf(): Promise<string> {
      check();
      if (blank(id)) await query({ state: false });
      return makeCid(type, id!);
    }

    const send = async (
      to: "image" | "file",
      file: string,
      options?: SendFileOptions,
    ): Promise<UploadedFile> => deps.uploads.sendTo(await placeOf(), file, to, options);

    return {
      type,
      get cid() {
        return blank(id) ? undefined : makeCid(type, id!);
      },
      async watch(data) {
        const body: QueryChannelBody = {
          state: true,
          watch: true,
          presence: true,
          messages: { limit: MESSAGE_PAGE },
          ...(data && { data }),
        };
        return (await query(body)).channel.cid;
      },
      query: (body = { state: true }) => query(body),
      async getReplies(parentId, pagination = {}) {
        const cid = await placeOf();
        if (typeof parentId !== "string" || parentId.trim() === "")
          throw new LocalError("A message id is needed to get its replies");
        return deps.pages.holdReplies({ cid, parentId }, { limit: MESSAGE_PAGE, ...pagination });
      },
      sendImage: (file, options) => send("image", file, options),
      sendFile: (file, options) => send("file", file, options),
    };
  }

  return (type, key) => {
    const name =
      typeof key === "object"
        ? `${type} ${JSON.stringify([...(key.members ?? [])].toSorted())}`
        : `${type}:${key ?? ""}`;
    const known = handles.get(name);
    if (known) return known;
    const handle = make(type, key, (cid) => {
      // Asked for by its id it is the same channel; one that was made before it was known stays as it is.
      if (!handles.has(cid)) handles.set(cid, handle);
    });
    handles.set(name, handle);
    return handle;
  };
}
