/** The last moment of the year 9999: HAR writes years with four digits. */
const last = 253_402_300_799_999;

/** A moment as HAR writes it; milliseconds since the epoch that it cannot write become the epoch itself. */
export function isoOf(milliseconds: number): string {
  const known = Number.isFinite(milliseconds) && milliseconds >= 0 && milliseconds <= last;
  return new Date(known ? milliseconds : 0).toISOString();
}
