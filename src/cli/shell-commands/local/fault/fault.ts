/** A simulated fault as the provider's control interface returns it, and its description. */
import { duration } from "../../../../text/times.ts";

export interface ShownFault {
  id: string;
  match: string;
  status?: number;
  code?: number;
  delay?: number;
  drop?: string;
  times?: number;
}

export const effectOf = ({ status, code, delay, drop }: ShownFault): string =>
  [
    status === undefined ? "" : `status ${status}`,
    code === undefined ? "" : `code ${code}`,
    delay === undefined ? "" : `waits ${delay < 1000 ? `${delay} ms` : duration(delay)}`,
    drop === undefined ? "" : `drops the ${drop}`,
  ]
    .filter(Boolean)
    .join(", ");
