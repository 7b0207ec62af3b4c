/** The size of a picture as it is shown, after the rotation that its camera noted. */

/** The size in which a picture is shown: from 5 on the EXIF orientation turns it by a quarter. */
export const orientedSize = ({
  width,
  height,
  orientation = 1,
}: {
  width: number;
  height: number;
  orientation?: number | undefined;
}): { width: number; height: number } =>
  orientation >= 5 ? { width: height, height: width } : { width, height };
