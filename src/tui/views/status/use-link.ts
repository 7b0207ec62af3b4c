/** A hook for the state of the connection. */
import { useMemo } from "react";
import type { Link } from "../../../model/state.ts";
import { useModel } from "../../components/context.ts";

/** Connected while the channels are still loading is shown as catching up. */
export function useLink(): Link {
  const link = useModel(["link"], (model) => model.link);
  const loading = useModel(["loading"], ({ screen }) => screen.loading);
  return useMemo(
    () => (loading && link.phase === "open" ? { ...link, catchingUp: true } : link),
    [link, loading],
  );
}
