/** The notices, over the panes at the right edge. */
import { memo, useMemo } from "react";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import type { Layout } from "../../screen/layout.ts";
import { areAtBottom, NOTICE_SLICES, placeNotices } from "./notice-place.ts";

export const Notices = memo(({ layout }: { layout: Layout }) => {
  const ports = usePorts();
  const { keys } = ports;
  const { theme } = useLook();
  const notices = useModel(["notices"], (model) => model.notices);
  const atBottom = useModel(NOTICE_SLICES, (model) => model.notices.length > 0 && areAtBottom(model, ports));
  const drawn = useMemo(
    () => notices.length > 0 && placeNotices({ notices, theme, layout }, keys, atBottom),
    [notices, theme, layout, keys, atBottom],
  );
  return drawn ? <Rows drawn={drawn} /> : null;
});
