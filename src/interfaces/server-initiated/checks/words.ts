import { isJsonObject, type Json } from '../../../model/json.ts';

/** The words of a space-separated list (§2.3 scope); none where it is no string. */
export function wordsOf(value: Json | undefined): readonly string[] {
  return typeof value === 'string' ? value.split(' ').filter((word) => word !== '') : [];
}

export function memberOf(body: Json | undefined, name: string): Json | undefined {
  return isJsonObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
}

/** The media type of a header value, without parameters, in lower case. */
export function mediaType(value: string | undefined): string {
  return (value ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export function claimText(claims: unknown, name: string): string | undefined {
  const value = isJsonObject(claims) ? claims[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Whether a cache-control value has this directive (RFC 9111 §5.2). */
export function hasDirective(value: string | undefined, name: string): boolean {
  return (value ?? '').split(',').some((directive) => directive.trim().toLowerCase() === name);
}
