/** The size of a picture as it is shown, after the rotation that its camera noted. */

/** The size in which a picture is shown: the EXIF orientations 5 to 8 turn it by a quarter; there is none above. */
export const orientedSize = ({
  width,
  height,
  orientation = 1,
}: {
  width: number;
  height: number;
  orientation?: number | undefined;
}): { width: number; height: number } =>
  orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };
