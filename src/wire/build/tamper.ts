import {
  addModulus,
  changeSignature,
  signatureChanges,
  signedChanges,
  padSegment,
  type Signer,
  setTailBit,
} from './tamper-signed.ts';
import { createHmac } from 'node:crypto';

type JwsChange = (jws: string) => string;

const splitJws = (jws: string): [string, string, string] => {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  return [header, payload, signature];
};

/** Replaces the character in the middle of a segment, which changes one byte of the decoded value. */
const changeMiddle = (segment: string): string => {
  const middle = segment.length >> 1;
  return `${segment.slice(0, middle)}${segment[middle] === 'A' ? 'B' : 'A'}${segment.slice(middle + 1)}`;
};

const changeSignatureText =
  (change: (signature: string) => string): JwsChange =>
  (jws) => {
    const [header, payload, signature] = splitJws(jws);
    return `${header}.${payload}.${change(signature)}`;
  };

const changeBytes =
  (change: (bytes: Buffer) => Uint8Array) =>
  (segment: string): string =>
    Buffer.from(change(Buffer.from(segment, 'base64url'))).toString('base64url');

const flipFirstBit = changeBytes((bytes) => {
  const changed = Buffer.from(bytes);
  changed[0] = (bytes[0] ?? 0) ^ 1;
  return changed;
});

const insertInMiddle = (between: string) => (segment: string) =>
  `${segment.slice(0, segment.length >> 1)}${between}${segment.slice(segment.length >> 1)}`;

const toJsonText = (value: unknown): string => JSON.stringify(value);

const falseSignatures: Readonly<Record<string, JwsChange>> = {
  'signature-byte': changeSignatureText(changeMiddle),
  'signature-bit': changeSignatureText(flipFirstBit),
  // Cut by whole bytes: a decoder may refuse what is left of a character.
  'signature-truncated': changeSignatureText(changeBytes((bytes) => bytes.subarray(0, -12))),
  'signature-zero': changeSignatureText(changeBytes((bytes) => Buffer.alloc(bytes.length))),
  // CVE-2022-21449: r and s of zero, as RFC 7518 §3.4 writes them and as DER does.
  'signature-r-s-zero': changeSignatureText(() => Buffer.alloc(64).toString('base64url')),
  'signature-der-zero': changeSignatureText(() => Buffer.from('3006020100020100', 'hex').toString('base64url')),
  'no-signature': (jws) => `${splitJws(jws).slice(0, 2).join('.')}.`,
  'two-segments': (jws) => splitJws(jws).slice(0, 2).join('.'),
  /** HMAC with an empty key, as a verifier computes it that reads the secret from an empty file. */
  'hmac-empty-key': (jws) => {
    const input = splitJws(jws).slice(0, 2).join('.');
    return `${input}.${createHmac('sha256', '').update(input).digest('base64url')}`;
  },
  'signature-1-megabyte': changeSignatureText(() => 'A'.repeat(1_000_000)),
  'signature-10-megabytes': changeSignatureText(() => 'A'.repeat(10_000_000)),
};

/** The same signature in forms that RFC 7515 §2 does not allow: a lenient decoder still verifies it. */
const signatureForms: Readonly<Record<string, JwsChange>> = {
  'signature-padded': changeSignatureText(padSegment),
  'signature-base64': changeSignatureText((segment) => Buffer.from(segment, 'base64url').toString('base64')),
  'signature-line-break': changeSignatureText(insertInMiddle('\n')),
  'signature-blank': changeSignatureText(insertInMiddle(' ')),
  'signature-tail-bits': changeSignatureText(setTailBit),
  'blank-after': (jws) => `${jws} `,
  'blank-before': (jws) => ` ${jws}`,
};

/** Serializations other than a single compact JWS. */
const otherSerializations: Readonly<Record<string, JwsChange>> = {
  twice: (jws) => `${jws}${jws}`,
  'twice-with-dot': (jws) => `${jws}.${jws}`,
  detached: (jws) => {
    const [header, , signature] = splitJws(jws);
    return `${header}..${signature}`;
  },
  'json-flattened': (jws) => {
    const [header, payload, signature] = splitJws(jws);
    return toJsonText({ payload, protected: header, signature });
  },
  'json-general': (jws) => {
    const [header, payload, signature] = splitJws(jws);
    return toJsonText({ payload, signatures: [{ protected: header, signature }] });
  },
  'jwe-like': (jws) => {
    const [, payload, signature] = splitJws(jws);
    const header = Buffer.from(toJsonText({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })).toString('base64url');
    return [header, signature, signature.slice(0, 16), payload, signature.slice(0, 22)].join('.');
  },
};

/** Changes the last character of jti: a carrier that skips signature verification finds a good request. Without a jti, the middle. */
function changePayload(payload: string): string {
  const claims = Buffer.from(payload, 'base64url').toString('latin1');
  const changed = claims.replace(
    /("jti":"[^"\\]*)([0-9A-Za-z])"/,
    (_, before: string, last: string) => `${before}${last === 'a' ? 'b' : 'a'}"`,
  );
  return changed === claims ? changeMiddle(payload) : Buffer.from(changed, 'latin1').toString('base64url');
}

const textChanges: Readonly<Record<string, JwsChange>> = {
  'payload-byte': (jws) => {
    const [header, payload, signature] = splitJws(jws);
    return `${header}.${changePayload(payload)}.${signature}`;
  },
  ...falseSignatures,
  ...signatureForms,
  ...otherSerializations,
};

/** Names of `tamper:` that keep the signature but write it differently. */
export const signatureFormNames: ReadonlySet<string> = new Set(Object.keys(signatureForms));

const plusModulus = 'signature-plus-modulus';

/** Names that `tamper:` takes in a suite. */
export const tamperNames: ReadonlySet<string> = new Set([
  ...Object.keys(textChanges),
  ...Object.keys(signatureChanges),
  plusModulus,
  ...Object.keys(signedChanges),
]);

/** Tampers with a finished compact JWS; changes of tamper-signed.ts need the signer. */
export function tamperJws(jws: string, name: string, signer?: Signer): string {
  const text = Object.hasOwn(textChanges, name) ? textChanges[name] : undefined;
  if (text !== undefined) return text(jws);
  if (name === plusModulus && signer !== undefined) return addModulus(jws, signer);
  const signature = Object.hasOwn(signatureChanges, name) ? signatureChanges[name] : undefined;
  if (signature !== undefined && signer !== undefined) return changeSignature(jws, signature, signer);
  const signed = Object.hasOwn(signedChanges, name) ? signedChanges[name] : undefined;
  if (signed === undefined) throw new TypeError(`unknown tamper ${name}`);
  if (signer === undefined) throw new TypeError(`the tamper ${name} signs anew`);
  const [header, payload] = splitJws(jws);
  const input = signed({ header, payload, signer, jws });
  return `${input}.${signer.sign(Buffer.from(input))}`;
}

/** Describes each change to a finished JWS for reports (C5.6), keyed by the names of `tamper:`. */
export const tamperDescriptions: Readonly<Record<string, string>> = {
  'signature-byte': 'one byte in the middle of the signature changed',
  'signature-bit': 'one bit of the signature flipped',
  'signature-truncated': 'the last 16 characters of the signature cut off',
  'signature-zero': 'the signature replaced by zero bytes',
  'signature-r-s-zero': 'the signature replaced by r = 0 and s = 0',
  'signature-der-zero': 'the signature replaced by r = 0 and s = 0 in DER',
  'signature-r-s-order': 'the signature replaced by r = n and s = n, the order of the curve',
  'signature-r-order': 'r of the signature replaced by n, the order of the curve',
  'signature-s-order': 's of the signature replaced by n, the order of the curve',
  'signature-in-der': 'the signature written in DER, not as r and s one after the other',
  'signature-high-s': 's of the signature written as the higher of s and n - s',
  'signature-leading-zero': 'a zero byte put before the RSA signature',
  'signature-plus-modulus': 'the modulus added to the RSA signature',
  'signature-garbage-behind-hash': 'an RSA signature with garbage behind the hash, and short padding',
  'signature-garbage-padding': 'an RSA signature whose padding is random bytes, not ff',
  'signature-sha1': 'an RSA signature of the SHA-1 hash, not of the SHA-256 hash',
  'signature-bare-hash': 'an RSA signature of the hash without its DigestInfo',
  'no-signature': 'the signature taken out, its dot left',
  'two-segments': 'the signature and its dot taken out',
  'hmac-empty-key': 'the signature replaced by an HMAC with an empty key',
  'signature-1-megabyte': 'the signature replaced by 1 MB of the letter A',
  'signature-10-megabytes': 'the signature replaced by 10 MB of the letter A',
  'signature-padded': 'the signature padded with =',
  'signature-base64': 'the signature in the alphabet of base64, not base64url',
  'signature-line-break': 'a line break in the middle of the signature',
  'signature-blank': 'a blank in the middle of the signature',
  'signature-tail-bits':
    'an unused bit of the last character of the signature set; where it has none, that of a character behind it',
  'blank-after': 'a blank after the last segment',
  'blank-before': 'a blank before the first segment',
  twice: 'the same JWS written twice, one after the other',
  'twice-with-dot': 'the same JWS written twice, with a dot between',
  detached: 'the payload taken out, as in a detached JWS',
  'json-flattened': 'written as flattened JSON',
  'json-general': 'written as general JSON',
  'jwe-like': 'written in five segments, as a JWE',
  'payload-byte': 'one byte of the claims changed, the last of jti where there is one, the signature left as it was',
  'header-alg-none-last': 'a second alg, none, at the end of the header, and signed',
  'header-alg-none-first': 'a second alg, none, at the beginning of the header, and signed',
  'header-kid-twice': 'a second kid, of an unregistered key, at the end of the header, and signed',
  'header-embeds-jwk': 'the public key put into the header as jwk, and signed',
  'header-embeds-x5c': 'a self-signed certificate put into the header as x5c, and signed',
  'claims-bind-signer': 'the public key put into the claims as referred_binding, and signed',
  'claims-name-signer': 'the public key put into the claims as jwk, sub_jwk, cnf and jwks, and signed',
  'header-bom': 'a byte order mark before the header, and signed',
  'header-padded': 'the header padded with =, and signed',
  'header-blank': 'a blank in the segment of the header, and signed',
  'header-line-break': 'a line break in the segment of the header, and signed',
  'header-base64': 'the header in the alphabet of base64, not base64url, and signed',
  'header-not-utf8': 'a header member that is no UTF-8, and signed',
  'payload-bom': 'a byte order mark before the claims, and signed',
  'payload-not-utf8': 'a claim that is no UTF-8, and signed',
  'payload-padded': 'the claims padded with =, and signed',
  'payload-blank': 'a blank in the segment of the claims, and signed',
  'payload-line-break': 'a line break in the segment of the claims, and signed',
  'payload-tail-bits': 'an unused bit of the last character of the claims set, and signed',
  'payload-base64': 'the claims in the alphabet of base64, not base64url, and signed',
  nested: 'the JWS inside another one, and signed',
  'zip-bomb': 'the claims compressed (zip DEF), 32 MB when they are opened, and signed',
  'thousand-claims': 'a thousand unknown claims added, and signed',
  'deep-claims': 'a claim of lists 10,000 levels deep added, and signed',
};

/** Tampers whose object costs a careless carrier much memory or time. */
export const heavyTampers: ReadonlySet<string> = new Set(['zip-bomb', 'thousand-claims', 'deep-claims']);

export const describeTamper = (name: string): string => tamperDescriptions[name] ?? name;
