/** The bundled atlas: its contents, finding places in it, and drawing maps from it. */
import { describe, expect, test } from "vitest";
import { drawMap, scaleBar, type Mark } from "../../src/atlas/draw.ts";
import { loadAtlas } from "../../src/atlas/load.ts";
import { findPlaces, nearestPlace } from "../../src/atlas/places.ts";
import { direction, distance, formatLength, mercator, inverseMercator } from "../../src/atlas/projection.ts";
import {
  cellOf,
  fitView,
  panned,
  regionOf,
  roundDown,
  zoomed,
  type MapViewport,
} from "../../src/atlas/view.ts";

const atlas = await loadAtlas();
const GIBRALTAR = { latitude: 35.95, longitude: -5.5 };
const STOCKHOLM = { latitude: 59.3251, longitude: 18.0711 };

const draw = (view: MapViewport, more: Partial<Parameters<typeof drawMap>[0]> = {}): string[] =>
  drawMap({
    view,
    columns: 40,
    rows: 12,
    style: "braille",
    atlas,
    marks: [],
    names: true,
    cellsOf: (text) => text.length,
    ...more,
  }).map((parts) => parts.map(({ text }) => text).join(""));

const mark = (more: Partial<Mark> = {}): Mark => ({
  ...STOCKHOLM,
  symbol: "●",
  label: "dana",
  kind: "0",
  trail: [],
  mine: false,
  ...more,
});

describe("places", () => {
  test("are found by the start of their name regardless of accents, the largest first", () => {
    const names = (query: string): string[] =>
      findPlaces(atlas.places, query, 3).map(({ name, country }) => `${name}, ${country}`);
    expect(names("sao paulo")[0]).toBe("São Paulo, Brazil");
    expect(names("Paris").slice(0, 2)).toEqual(["Paris, France", "Paris, TX, United States"]);
    expect(names("springfield, il")).toEqual(["Springfield, IL, United States"]);
    expect(names("springfield, us")).toHaveLength(3);
    expect(names("angeles")).toContain("Los Angeles, CA, United States");
    expect(names("")).toEqual([]);
    expect(names("qqqq")).toEqual([]);
  });

  test("the nearest one is found with its distance, also across the date line", () => {
    const near = nearestPlace(atlas.places, STOCKHOLM)!;
    expect(near.place).toMatchObject({ name: "Stockholm", country: "Sweden", latitude: 59.329 });
    expect(near.distance).toBeCloseTo(0.45, 1);
    // Distances across the date line are short.
    expect(nearestPlace(atlas.places, { latitude: -18, longitude: -179.9 })!.place.country).toBe("Fiji");
  });
});

describe("the projection", () => {
  test("can be inverted, and stops before the poles", () => {
    for (const latitude of [-84, -33.9, 0, 59.3])
      expect(inverseMercator(mercator(latitude))).toBeCloseTo(latitude, 6);
    expect(mercator(90)).toBe(mercator(84));
  });

  test("gives lengths and directions along the ground", () => {
    const berlin = { latitude: 52.52, longitude: 13.405 };
    const hamburg = { latitude: 53.55, longitude: 9.993 };
    expect(formatLength(distance(berlin, hamburg))).toBe("255 km");
    expect(direction(berlin, hamburg)).toBe("NW");
    expect([formatLength(0.0449), formatLength(3.24), formatLength(12)]).toEqual(["45 m", "3.2 km", "12 km"]);
    // Never "1000 m".
    expect([0.9994, 0.9995, 1].map(formatLength)).toEqual(["999 m", "1 km", "1 km"]);
  });

  test("rounds lengths down to 1, 2 and 5", () => {
    expect([0.03, 0.7, 1, 4.9, 5, 99, 2345].map(roundDown)).toEqual([0.02, 0.5, 1, 2, 5, 50, 2000]);
  });
});

describe("a viewport", () => {
  const cells = { columns: 40, rows: 12 };

  test("zooms between ten metres a cell and the world, and pans over the date line", () => {
    let view = regionOf(STOCKHOLM);
    for (let i = 0; i < 30; i++) view = zoomed(view, 1);
    expect(view.scale).toBe(0.0001);
    for (let i = 0; i < 60; i++) view = zoomed(view, -1);
    expect(view.scale).toBe(8);
    expect(panned(view, 20, 0).longitude).toBeCloseTo(178.07, 1);
    expect(panned(view, 30, 0).longitude).toBeCloseTo(-101.93, 1);
    expect(Math.abs(panned(view, 0, 1000).latitude)).toBeLessThan(90);
  });

  test("contains all places it was fitted to, and keeps its scale while a trail grows a little", () => {
    const trail = [
      STOCKHOLM,
      { latitude: 59.3202, longitude: 18.0709 },
      { latitude: 59.3228, longitude: 18.0762 },
    ];
    const view = fitView(trail, cells)!;
    for (const each of trail) {
      const { x, y } = cellOf(each, view, cells);
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(40);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(12);
    }
    expect(fitView([...trail, { latitude: 59.3229, longitude: 18.0763 }], cells)!.scale).toBe(view.scale);
    expect(fitView([], cells)).toBeUndefined();
    const across = fitView(
      [
        { latitude: 0, longitude: 179 },
        { latitude: 0, longitude: -179 },
      ],
      cells,
    )!;
    expect(Math.abs(across.longitude)).toBe(180);
    expect(across.scale).toBeLessThan(1);
  });
});

describe("a map", () => {
  test("shows coast and places in braille", () => {
    expect(draw(regionOf(GIBRALTAR)).join("\n")).toMatchInlineSnapshot(`
      "   ⠹⣀⡀                    ⡰⠁            
           ⠑⡄     San Roque ·  ⡔⠁             
            ⠘⠢⠤⠤⢄           ⡤⣀⡜               
                 ⠑⡄        ⢸ ⠈⠁               
                  ⠈⠉⠒⠒⠤⡀⢀⣀⠤⠜                  
                       ⠋⠁                     
                          ⢀⠤⠤⡤⢄⡀              
                    ⢀⣀⣀⡀⣀⠔⠁  ⠘⡔⠊              
               ⡠⠔⠒⠤⠔⠊  ⠈      ⡇               
               ⡇              ⢸⡀              
              ⡰⠁               ⠙⡄             
             ⢰⠁      Tétouan ·  ⣇             "
    `);
  });

  test("can be drawn in ASCII or in half blocks", () => {
    const ascii = draw(regionOf(GIBRALTAR), { style: "ascii", rows: 8 });
    expect(ascii.join("")).toMatch(/^[\x20-\x7e·é]*$/);
    expect(draw(regionOf(GIBRALTAR), { style: "blocks", rows: 8 }).join("")).toMatch(/[▀▄█]/);
  });

  test("draws people over places with their name, the last over the others", () => {
    const rows = draw(regionOf(STOCKHOLM), { marks: [mark({ label: "emil" }), mark()] });
    expect(rows.join("\n")).toContain("● dana");
    expect(rows.join("\n")).not.toContain("emil");
  });

  test("writes a name left of its marker if there is no room at the right", () => {
    const view = panned(regionOf(STOCKHOLM), -18, 0);
    expect(draw(view, { marks: [mark()] }).join("\n")).toContain("dana ●");
  });

  test("shows rings instead of a coast at a small scale, and works without an atlas", () => {
    const view = { ...STOCKHOLM, scale: 0.0005 };
    const rows = draw(view, { atlas: undefined, marks: [mark()] });
    expect(rows.join("\n")).toContain("● dana");
    expect(rows.join("\n")).toMatch(/\d+ m/);
    expect(scaleBar(view, 12)).toEqual({ text: "200 m", cells: 7 });
  });

  test("has rows of exactly its width for any viewport", () => {
    for (const scale of [0.0001, 0.003, 0.04, 0.9, 8])
      for (const longitude of [-180, -179.9, 0, 179.99])
        for (const latitude of [-90, -45, 0, 84, 90])
          expect(
            draw({ latitude, longitude, scale }, { marks: [mark(), mark({ latitude: 1e9 })] }).map(
              (row) => [...row].length,
            ),
          ).toEqual(Array.from({ length: 12 }, () => 40));
  });
});
