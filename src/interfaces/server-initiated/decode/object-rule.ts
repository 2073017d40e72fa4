import type { Json, JsonObject } from '../../../model/json.ts';

/** The parts of a JWT that a row looks at. */
export interface JwtParts {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** A rule that one JWT can break by itself: what is expected where it does not hold. */
export interface ObjectRule {
  readonly rule: string;
  /** `claims.iat`, `header.kid`. */
  readonly path: string;
  readonly expected: string;
  readonly holds: (value: Json | undefined, parts: JwtParts) => boolean;
}

export type Holds = ObjectRule['holds'];

/** A row of a table. */
export const row = (rule: string, path: string, expected: string, holds: Holds): ObjectRule => ({
  rule,
  path,
  expected,
  holds,
});

export const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';
export const isThere: Holds = (value) => value !== undefined;
export const text: Holds = (value) => isText(value);
export const whole: Holds = (value) => typeof value === 'number' && Number.isInteger(value);
export const orAbsent =
  (holds: Holds): Holds =>
  (value, parts) =>
    value === undefined || holds(value, parts);
export const fits =
  (pattern: RegExp): Holds =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
export const number = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.NaN);
