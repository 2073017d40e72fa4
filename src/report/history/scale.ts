/** From a value to a height of the picture. */
export type Scale = (value: number) => number;

/** From this ratio on the values stand by their magnitude. */
const wide = 20;

export interface Range {
  readonly scale: Scale;
  readonly least: number;
  readonly greatest: number;
}

/** Where the values of a picture stand between its top and its bottom, with some room at both ends. */
export function scaleOf(
  values: readonly number[],
  { top, bottom }: { readonly top: number; readonly bottom: number },
): Range {
  const least = Math.min(...values);
  const greatest = Math.max(...values);
  const lay = least > 0 && greatest / least > wide ? Math.log : (value: number): number => value;
  const [low, high] = [lay(least), lay(greatest)];
  const room = (bottom - top) / 5;
  const scale = (value: number): number => {
    const at = high === low ? 0.5 : (lay(Math.max(value, least / wide)) - low) / (high - low);
    const y = bottom - room - at * (bottom - top - 2 * room);
    return Math.min(bottom, Math.max(top, y));
  };
  return { scale, least, greatest };
}
