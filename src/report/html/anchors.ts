import { createHash } from 'node:crypto';

const longest = 160;

/** A name as part of an element's id and of a fragment: what could mean something else there is written as `~hex`. */
function encode(name: string): string {
  const text = name.replace(/[^\w./-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}`);
  return text.length <= longest ? text : `${text.slice(0, 40)}~${createHash('sha256').update(text).digest('hex')}`;
}

export const ruleAnchor = (id: string): string => encode(id);
export const caseAnchor = (id: string): string => `case-${encode(id)}`;
export const invariantAnchor = (id: string): string => `invariant-${encode(id)}`;
export const sectionAnchor = (id: string): string => `section-${encode(id)}`;

/** A message within its case: `x2` of `jti-repeated#x2`. */
export function messageAnchor(id: string): string {
  return encode(id.slice(id.lastIndexOf('#') + 1));
}
