import { createHmac } from 'node:crypto';
import { changeSignature, changesOfSignature } from './tamper-signature.ts';
import { changesOfSigned, padSegment, type Signer, setTailBit } from './tamper-signed.ts';

type Change = (jws: string) => string;

const parts = (jws: string): [string, string, string] => {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  return [header, payload, signature];
};

/** Another character of the base64url alphabet in the middle of a segment: one byte of what it encodes changes. */
const changeMiddle = (segment: string): string => {
  const middle = segment.length >> 1;
  return `${segment.slice(0, middle)}${segment[middle] === 'A' ? 'B' : 'A'}${segment.slice(middle + 1)}`;
};

const withSignature =
  (change: (signature: string) => string): Change =>
  (jws) => {
    const [header, payload, signature] = parts(jws);
    return `${header}.${payload}.${change(signature)}`;
  };

const ofBytes =
  (change: (bytes: Buffer) => Uint8Array) =>
  (segment: string): string =>
    Buffer.from(change(Buffer.from(segment, 'base64url'))).toString('base64url');

const flipFirstBit = ofBytes((bytes) => {
  const changed = Buffer.from(bytes);
  changed[0] = (bytes[0] ?? 0) ^ 1;
  return changed;
});

const inTheMiddle = (between: string) => (segment: string) =>
  `${segment.slice(0, segment.length >> 1)}${between}${segment.slice(segment.length >> 1)}`;

const json = (value: unknown): string => JSON.stringify(value);

/** Signatures that are no signature of this text. */
const falseSignatures: Readonly<Record<string, Change>> = {
  'signature-byte': withSignature(changeMiddle),
  'signature-bit': withSignature(flipFirstBit),
  'signature-truncated': (jws) => jws.slice(0, -16),
  'signature-zero': withSignature(ofBytes((bytes) => Buffer.alloc(bytes.length))),
  // CVE-2022-21449: r and s of zero, as RFC 7518 §3.4 writes them and as DER does.
  'signature-r-s-zero': withSignature(() => Buffer.alloc(64).toString('base64url')),
  'signature-der-zero': withSignature(() => Buffer.from('3006020100020100', 'hex').toString('base64url')),
  'no-signature': (jws) => `${parts(jws).slice(0, 2).join('.')}.`,
  'two-segments': (jws) => parts(jws).slice(0, 2).join('.'),
  /** What a key looked up in an empty file verifies. */
  'hmac-empty-key': (jws) => {
    const input = parts(jws).slice(0, 2).join('.');
    return `${input}.${createHmac('sha256', '').update(input).digest('base64url')}`;
  },
  'signature-1-megabyte': withSignature(() => 'A'.repeat(1_000_000)),
  'signature-10-megabytes': withSignature(() => 'A'.repeat(10_000_000)),
};

/** The same signature in other writings than RFC 7515 §2 has: a lenient decoder still verifies it. */
const otherWritings: Readonly<Record<string, Change>> = {
  'signature-padded': withSignature(padSegment),
  'signature-base64': withSignature((segment) => Buffer.from(segment, 'base64url').toString('base64')),
  'signature-line-break': withSignature(inTheMiddle('\n')),
  'signature-blank': withSignature(inTheMiddle(' ')),
  'signature-tail-bits': withSignature(setTailBit),
  'blank-after': (jws) => `${jws} `,
};

/** Other forms than the compact JWS of one signature. */
const otherForms: Readonly<Record<string, Change>> = {
  twice: (jws) => `${jws}${jws}`,
  'twice-with-dot': (jws) => `${jws}.${jws}`,
  detached: (jws) => {
    const [header, , signature] = parts(jws);
    return `${header}..${signature}`;
  },
  'json-flattened': (jws) => {
    const [header, payload, signature] = parts(jws);
    return json({ payload, protected: header, signature });
  },
  'json-general': (jws) => {
    const [header, payload, signature] = parts(jws);
    return json({ payload, signatures: [{ protected: header, signature }] });
  },
  'jwe-like': (jws) => {
    const [, payload, signature] = parts(jws);
    const header = Buffer.from(json({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })).toString('base64url');
    return [header, signature, signature.slice(0, 16), payload, signature.slice(0, 22)].join('.');
  },
};

const changesOfText: Readonly<Record<string, Change>> = {
  'payload-byte': (jws) => {
    const [header, payload, signature] = parts(jws);
    return `${header}.${changeMiddle(payload)}.${signature}`;
  },
  ...falseSignatures,
  ...otherWritings,
  ...otherForms,
};

/** Names of `tamper:` whose result still holds the signature that was made, in another writing. */
export const writingNames: ReadonlySet<string> = new Set(Object.keys(otherWritings));

/** The names `tamper:` takes in a suite. */
export const tamperNames: ReadonlySet<string> = new Set([
  ...Object.keys(changesOfText),
  ...Object.keys(changesOfSignature),
  ...Object.keys(changesOfSigned),
]);

/** A finished compact JWS changed; those of tamper-signature.ts and tamper-signed.ts need the signer. */
export function tamperWith(jws: string, name: string, signer?: Signer): string {
  const text = Object.hasOwn(changesOfText, name) ? changesOfText[name] : undefined;
  if (text !== undefined) return text(jws);
  const signature = Object.hasOwn(changesOfSignature, name) ? changesOfSignature[name] : undefined;
  if (signature !== undefined && signer !== undefined) return changeSignature(jws, signature, signer);
  const signed = Object.hasOwn(changesOfSigned, name) ? changesOfSigned[name] : undefined;
  if (signed === undefined) throw new TypeError(`unknown tamper ${name}`);
  if (signer === undefined) throw new TypeError(`the tamper ${name} signs anew`);
  const [header, payload] = parts(jws);
  const input = signed({ header, payload, signer, jws });
  return `${input}.${signer.sign(Buffer.from(input))}`;
}
