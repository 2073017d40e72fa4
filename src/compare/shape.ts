import type { Json } from '../lib/json.ts';
import type { ResultHeader } from '../model/result.ts';

/** One text for equal values, whatever the order of their members; empty where there is none. */
export function canonicalText(value: Json | undefined): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Ids of requests and of clients (§2.4, §2.12). */
const ccid = /\bccid-[A-Za-z0-9]{10,200}\b/g;
/** What our suites append to a text so that each request has its own. */
const random = /(?<=-)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{12}\b/g;
/** Seconds or milliseconds since the epoch. */
const moment = /(?<![\w.])\d{10}(?:\d{3})?(?![\w.])/g;
const month = 30 * 24 * 60 * 60 * 1000;

function originOf(issuer: string): string | undefined {
  return URL.canParse(issuer) ? new URL(issuer).origin : undefined;
}

function isNear(digits: string, start: number): boolean {
  const milliseconds = Number(digits) * (digits.length === 10 ? 1000 : 1);
  return Math.abs(milliseconds - start) < month;
}

/** A value without what is another in every run of the very same carrier: its own address, ids, and moments of the run. */
export function shapeText(value: Json | undefined, { target, startedAt }: ResultHeader): string {
  const start = Date.parse(startedAt);
  const origin = originOf(target.issuer);
  const text = canonicalText(value);
  return (origin === undefined ? text : text.replaceAll(origin, '(issuer)'))
    .replace(uuid, '(id)')
    .replace(ccid, '(ccid)')
    .replace(random, '(random)')
    .replace(moment, (digits) => (isNear(digits, start) ? '(moment)' : digits));
}
