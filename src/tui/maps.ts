/** Creates the map renderer; the atlas is loaded when the first map is shown. */
import type { DotStyle } from "../atlas/canvas.ts";
import type { Maps } from "./render/map.ts";

/** The values of the setting `maps`. */
export type MapSetting = DotStyle | "auto" | "off";

/** The Linux console has no braille characters. */
const styleFor = (choice: DotStyle | "auto", terminal: string | undefined): DotStyle =>
  choice === "auto" ? (terminal === "linux" ? "ascii" : "braille") : choice;

/** `onLoaded` receives the maps with their atlas; if the atlas cannot be loaded, maps show only people. */
export function createMaps(
  setting: MapSetting,
  onLoaded: (maps: Maps) => void,
  terminal = process.env.TERM,
): Maps {
  let requested = false;
  const load = (): void => {
    if (requested) return;
    requested = true;
    import("../atlas/load.ts")
      .then(({ loadAtlas }) => loadAtlas())
      .then(
        (atlas) => onLoaded({ ...maps, atlas }),
        () => {},
      );
  };
  const enabled = setting !== "off";
  const style = styleFor(enabled ? setting : "auto", terminal);
  const maps: Maps = { enabled, style, atlas: undefined, load };
  return maps;
}
