import type { Json, JsonObject } from '../model/json.ts';

/** aud of a JWT; where it is a list of one, that one: RFC 7519 §4.1.3 lets a single audience be written both ways. */
export function audienceOf({ aud }: JsonObject): Json | undefined {
  const isSingle = Array.isArray(aud) && aud.length === 1;
  return isSingle ? aud[0] : aud;
}
