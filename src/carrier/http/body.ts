import { strictObjectOr } from '../jose/strict-json.ts';
import type { JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';

export const formType = 'application/x-www-form-urlencoded';

/** The type without its parameters. */
export function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** The parameters of a form, each given once. */
export function readForm(bytes: Uint8Array): JsonObject {
  const pairs = [...new URLSearchParams(Buffer.from(bytes).toString('utf8'))];
  const members = Object.fromEntries(pairs);
  if (Object.keys(members).length < pairs.length) refuse('invalid_request', 'a parameter is given twice');
  return members;
}

/** One JSON object without duplicate members. */
export function readJson(bytes: Uint8Array): JsonObject {
  return strictObjectOr(bytes, () => refuse('invalid_request', 'the body must be one JSON object')).value;
}
