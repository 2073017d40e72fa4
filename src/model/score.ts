/** Two fractions that are never folded into one: conforming of judged, judged of applicable. */
export interface Score {
  readonly conforming: number;
  readonly judged: number;
  readonly applicable: number;
}
