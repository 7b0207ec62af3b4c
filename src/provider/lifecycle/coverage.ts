/** Every route of the protocol and whether this provider has it: what it has not answers 501. */
import { endpoints } from "../../wire/endpoints/index.ts";
import type { EndpointName, EndpointRow } from "../../wire/endpoints/index.ts";
import type { Handlers } from "../base/handler.ts";

export interface Covered {
  method: string;
  path: string;
  op: string;
  implemented: boolean;
}

/** The table of endpoints is held against the protocol by the contract; `/connect` is no HTTP call and stands apart. */
export function coverage(handlers: Handlers): Covered[] {
  const rows = Object.entries(endpoints) as [EndpointName, EndpointRow][];
  return [
    { method: "GET", path: "/connect", op: "Connect", implemented: true },
    ...rows.map(([name, { method, path, op, multipart }]) => ({
      method,
      path,
      op,
      // Uploads and the long poll are answered before the handlers are asked.
      implemented: name in handlers || multipart === true || name === "longPoll",
    })),
  ];
}
