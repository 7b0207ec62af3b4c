/** The map of shared locations in the panel. */
import { memo, useMemo } from "react";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import { messageIn } from "../../screen/selectors.ts";
import { words } from "../../../text/words.ts";
import { peopleOf } from "./people.ts";
import { panelMap, peopleRows } from "./rows.ts";
import { titleInChannel, type PanelDefinition } from "../../ports/panels.ts";
import { click, mapActions, zoom } from "./actions.ts";
import { MAP, type MapPanel } from "./state.ts";

const MapView = memo(({ panel, rect }: { panel: MapPanel; rect: Rect }) => {
  const { core, feeds } = usePorts();
  const { theme, maps } = useLook();
  const entry = useModel(["state"], ({ state }) => state.channels.get(panel.cid));
  const message = useModel(["state"], ({ state }) => messageIn(state, panel, panel.openedFor));
  const now = useModel(["now"], (model) => model.now);
  const locations = entry?.liveLocations;
  const people = useMemo(
    () =>
      peopleOf({
        entry: entry && { ...entry, liveLocations: locations! },
        message,
        theme,
        me: { id: core.userId ?? "" },
        authorNumber: feeds.authorNumber,
      }),
    [entry, locations, message, theme, core, feeds],
  );
  // Not redrawn every second: only the times below the map change.
  const map = useMemo(
    () => (maps ? panelMap(panel, people, rect, { theme, maps }) : []),
    [panel, people, rect, theme, maps],
  );
  const drawn = useMemo((): DrawnRows => {
    const { width } = rect;
    const list =
      maps && people.length > 0
        ? peopleRows(people, { id: panel.id, width, now }, { theme, maps })
        : [theme.dim(` ${words.map.nobody}`)];
    return { rect, rows: [...map, ...list] };
  }, [rect, map, people, panel.id, now, theme, maps]);
  return <Rows drawn={drawn} />;
});

export const mapDefinition: PanelDefinition<MapPanel> = {
  name: MAP,
  section: "On the map",
  title: (model, { cid }, me) => titleInChannel(model, words.panels.map, cid, me),
  Body: MapView,
  actions: mapActions,
  keys: { x: "stopLocation" },
  click: (ports, _, at) => click(ports, at),
  wheel: (ports, _, rows) => zoom(rows < 0 ? 1 : -1)(ports),
  ticks: true,
};
