/** Contrast and distance of colours, as WCAG and CIE define them. */

type Rgb = [number, number, number];

/** The parts of `#rrggbb`, 0…1, linear in light. */
function linear(hex: string): Rgb {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
}

function luminance(hex: string): number {
  const [red, green, blue] = linear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 (the same) to 21 (black and white). */
export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function lab(hex: string): Rgb {
  const [r, g, b] = linear(hex);
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIE76: from about 10 on, two colours are told apart at a glance. */
export const colourDistance = (a: string, b: string): number =>
  Math.hypot(...lab(a).map((part, i) => part - lab(b)[i]!));
