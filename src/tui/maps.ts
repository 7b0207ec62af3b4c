/** Maps for the screen; their atlas is loaded when the first one is in sight. */
import type { DotStyle } from "../atlas/canvas.ts";
import type { Maps } from "./render/map.ts";

/** As the setting says it. */
export type MapStyle = DotStyle | "auto" | "off";

/** A Linux console has no braille. */
const styleFor = (wanted: DotStyle | "auto", terminal: string | undefined): DotStyle =>
  wanted === "auto" ? (terminal === "linux" ? "ascii" : "braille") : wanted;

/** `loaded` gets the maps with their atlas; without its file they show nothing but people. */
export function createMaps(
  wanted: MapStyle,
  loaded: (maps: Maps) => void,
  terminal = process.env.TERM,
): Maps {
  let asked = false;
  const want = (): void => {
    if (asked) return;
    asked = true;
    import("../atlas/load.ts")
      .then(({ loadAtlas }) => loadAtlas())
      .then(
        (atlas) => loaded({ ...maps, atlas }),
        () => {},
      );
  };
  const drawn = wanted !== "off";
  const style = styleFor(drawn ? wanted : "auto", terminal);
  const maps: Maps = { drawn, style, atlas: undefined, want };
  return maps;
}
