/** Lists the routes that this provider has. */
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";

interface Covered {
  method: string;
  path: string;
  op: string;
}

/** The table of endpoints is held against the protocol by the contract; `/connect` is no HTTP call and stands apart. */
export function coverage(): Covered[] {
  const rows = Object.entries(endpoints) as [EndpointName, EndpointRow][];
  return [
    { method: "GET", path: "/connect", op: "Connect" },
    ...rows.map(([, { method, path, op }]) => ({ method, path, op })),
  ];
}
