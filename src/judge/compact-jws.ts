import { isJsonObject, type JsonObject, parseJson } from '../model/json.ts';

const decode = (segment: string): JsonObject | undefined => {
  const parsed = parseJson(Buffer.from(segment, 'base64url').toString('utf8'));
  return isJsonObject(parsed) ? parsed : undefined;
};

/** Header and claims of a compact JWS, unverified; undefined where it is none (RFC 7515 §3.1). */
export function decodeCompactJws(text: unknown): { header: JsonObject; claims: JsonObject } | undefined {
  if (typeof text !== 'string') return undefined;
  const segments = text.split('.');
  if (segments.length !== 3) return undefined;
  const header = decode(segments[0] ?? '');
  const claims = decode(segments[1] ?? '');
  return header === undefined || claims === undefined ? undefined : { header, claims };
}
