import type { Json, JsonObject } from '../model/json.ts';

/** aud of a JWT; where it is a list of one, that one: RFC 7519 §4.1.3 lets a single audience be written both ways. */
export function audienceOf({ aud }: JsonObject): Json | undefined {
  const list: readonly Json[] = Array.isArray(aud) ? aud : [];
  return list.length === 1 ? list[0] : aud;
}
