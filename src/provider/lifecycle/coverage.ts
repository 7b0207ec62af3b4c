/** Lists the routes that this provider has. */
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";

interface CoveredRoute {
  method: string;
  path: string;
  op: string;
}

/** All rows of the endpoint table, and `/connect`, which is a WebSocket and not in the table. */
export function coverage(): CoveredRoute[] {
  const rows = Object.entries(endpoints) as [EndpointName, EndpointRow][];
  return [
    { method: "GET", path: "/connect", op: "Connect" },
    ...rows.map(([, { method, path, op }]) => ({ method, path, op })),
  ];
}
