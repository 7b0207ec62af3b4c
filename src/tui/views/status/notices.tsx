/** Notices at the top right. */
import { memo, useMemo } from "react";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import type { Layout } from "../../screen/layout.ts";
import { drawNotices, noticePane } from "./notice-rows.ts";

export const Notices = memo(({ layout }: { layout: Layout }) => {
  const { keys } = usePorts();
  const { theme } = useLook();
  const notices = useModel(({ state }) => state.notices);
  const drawn = useMemo(
    () => drawNotices(notices, { theme, pane: noticePane(layout), table: keys }),
    [notices, theme, layout, keys],
  );
  return drawn ? <Rows drawn={drawn} /> : null;
});
