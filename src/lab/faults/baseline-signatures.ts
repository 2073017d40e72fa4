import { constants, createHash, type KeyObject, publicDecrypt, verify, X509Certificate } from 'node:crypto';
import { posix } from 'node:path';
import { importPublicJwk, verifyJws } from '../../carrier/jose/jws.ts';
import { asText, isJsonList, isJsonObject, type Json, type JsonObject } from '../../carrier/json.ts';
import { type ClientContext, type KeyContext, reader } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState, RegisteredKey } from '../../carrier/state/accounts.ts';
import { combineEdits, defineFaults, type Edit, type FaultRow } from '../edit/fault-table.ts';
import { isHmac, publicPem } from '../edit/keys.ts';
import { dropChecks, withPipeline } from '../../carrier/seams/definition-parts.ts';
import { failOnObject, findKeyFirst, rewriteRequest, skipCheckIf } from '../edit/requests.ts';

const signatureChecks = ['alg-fits-the-key', 'signature-verifies'];

const minutes = 60_000;

const needsRsa = { except: { 'client-keys/es256': 'no key of these cases is of RSA' } };
const needsCurves = {
  except: {
    'client-keys/rsa-2048': 'no key of these cases is of an elliptic curve',
    'client-keys/rsa-3072': 'no key of these cases is of an elliptic curve',
    'keys-of-one-client/two-rsa': 'no key of these cases is of an elliptic curve',
  },
};

/** Faults of signatures, and of the source and life of keys (SEC-01 to SEC-07, SEC-12, SEC-13). */
export const baselineSignaturesFaults = defineFaults({
  'alg-none-accepted': [
    'The JWT library takes alg none with an empty signature, as it did until 2015.',
    'SEC-01',
    acceptUnsigned((alg) => alg === 'none'),
  ],
  'alg-none-in-another-case': [
    'alg none is on a list of what is forbidden, and the library behind it does not look at case.',
    'SEC-01',
    acceptUnsigned((alg) => typeof alg === 'string' && alg !== 'none' && alg.toLowerCase() === 'none'),
  ],
  'alg-none-with-a-blank': [
    'alg is trimmed after it was compared with none.',
    'SEC-01',
    acceptUnsigned((alg) => typeof alg === 'string' && alg !== 'none' && alg.trim() === 'none'),
  ],
  'alg-empty-unsigned': [
    'Where alg is empty or null there is nothing to verify.',
    'SEC-01',
    acceptUnsigned((alg) => alg === '' || alg === null),
  ],
  'alg-absent-unsigned': [
    'A header without alg stands for an unsecured JWT.',
    'SEC-01',
    acceptUnsigned((alg) => alg === undefined),
  ],
  'alg-list-searched': [
    'none is looked for in alg by a function that also searches lists.',
    'SEC-01',
    acceptUnsigned((alg) => alg !== undefined && isJsonList(alg) && alg.includes('none')),
  ],
  'alg-none-signature-skipped': [
    'For alg none whatever stands behind the second dot is skipped.',
    'SEC-01',
    skipCheckIf(signatureChecks, ({ header }) => header['alg'] === 'none'),
  ],
  'two-segments-read': [
    'A request object without its second dot is read as one with an empty signature, and alg none is allowed.',
    'SEC-01',
    combineEdits(
      rewriteRequest((request) =>
        typeof request === 'string' && request.split('.').length === 2 ? `${request}.` : request,
      ),
      acceptUnsigned((alg) => alg === 'none'),
    ),
  ],
  'signature-missing-unnoticed': [
    'The signature is verified where there is one.',
    'SEC-04',
    skipCheckIf(['signature-verifies'], ({ jws }) => jws.signature.length === 0),
  ],
  'rsa-garbage-behind-the-hash': [
    'The padding is read from its beginning, and what is behind the hash is not looked at (C4.3).',
    'SEC-04',
    acceptRsaBlock((block, { hash }) => /^0001(?:ff)+00$/.test(hexBefore(block, hash)) && block.includes(hash)),
    needsRsa,
  ],
  'rsa-padding-not-compared': [
    'The padding before the hash is skipped (C4.3).',
    'SEC-04',
    acceptRsaBlock((block, { hash }) => block.subarray(-hash.length).equals(hash)),
    needsRsa,
  ],
  'rsa-hash-by-digest-info': [
    'The hash that the signature itself names is made, SHA-1 as well (C4.3).',
    'SEC-04',
    acceptRsaBlock((block, { sha1 }) => block.subarray(-sha1.length).equals(sha1)),
    needsRsa,
  ],
  'rsa-hash-without-digest-info': [
    'The hash is compared, and not what stands before it (C4.3).',
    'SEC-04',
    acceptRsaBlock((block, { bare }) => /^0001(?:ff)+00$/.test(hexBefore(block, bare))),
    needsRsa,
  ],
  'rsa-leading-zeros-cut': [
    'Zeros before a signature are cut off (C4.3).',
    'SEC-04',
    skipCheckIf(['signature-verifies'], ({ jws, key }) => {
      const [first, ...rest] = jws.signature;
      return first === 0 && verifyJws({ ...jws, signature: Uint8Array.from(rest) }, key.key, key.alg);
    }),
    needsRsa,
  ],
  'rsa-signature-reduced': [
    'The library for big numbers reduces a signature by the modulus before it looks at it (C4.3).',
    'SEC-04',
    skipCheckIf(['signature-verifies'], ({ jws, key }) => {
      const modulus = Buffer.from(asText(key.jwk['n']), 'base64url');
      if (modulus.length === 0 || jws.signature.length < modulus.length) return false;
      const reduced = (toBigInt(jws.signature) % toBigInt(modulus)).toString(16).padStart(modulus.length * 2, '0');
      return verifyJws({ ...jws, signature: Buffer.from(reduced, 'hex') }, key.key, key.alg);
    }),
    needsRsa,
  ],
  'ecdsa-zero-accepted': [
    'r and s of zero fit every text (CVE-2022-21449).',
    'SEC-04',
    skipCheckIf(['signature-verifies'], ({ jws, key }) => key.alg === 'ES256' && toBigInt(jws.signature) === 0n),
    needsCurves,
  ],
  'ecdsa-order-reduced': [
    'r and s are reduced by the order of the curve, so that it counts as zero and fits every text (C4.3).',
    'SEC-04',
    skipCheckIf(['signature-verifies'], ({ jws: { signature }, key }) => {
      const isOrder = (at: number): boolean => toBigInt(signature.subarray(at, at + 32)) === curveOrder;
      return key.alg === 'ES256' && (isOrder(0) || isOrder(32));
    }),
    needsCurves,
  ],
  'ecdsa-der-accepted': [
    'A signature in DER is taken as well (C4.3).',
    'SEC-04',
    skipCheckIf(
      ['signature-verifies'],
      ({ jws, key }) => key.alg === 'ES256' && verify('sha256', jws.signed, key.key, jws.signature),
    ),
    needsCurves,
  ],
  'hmac-with-the-pem': hmacWith('the PEM file of the public key', (key) => publicPem(key)),
  'hmac-with-the-pem-without-line-end': hmacWith('the PEM text of the public key', (key) => publicPem(key).trimEnd()),
  'hmac-with-the-der': hmacWith('the DER bytes of the public key', ({ key }) =>
    key.export({ type: 'spki', format: 'der' }),
  ),
  'hmac-with-the-jwk': hmacWith('the JWK of the public key', ({ jwk }) => JSON.stringify(jwk)),
  'hmac-with-the-modulus': hmacWith('the modulus of the public key, or its x coordinate,', ({ jwk }) =>
    Buffer.from(asText(jwk['n'] ?? jwk['x']), 'base64url'),
  ),
  'hmac-of-sha-512-with-the-pem': [
    'HS256 is on the list of what is forbidden; HS384 and HS512 take the PEM file for their secret.',
    'SEC-02',
    skipCheckIf(
      signatureChecks,
      (context) => context.header['alg'] !== 'HS256' && isHmac(context, publicPem(context.key)),
    ),
  ],
  'hmac-with-its-own-key': [
    'Keys are looked up in one store, the carrier’s own among them, and HMAC takes the PEM file found there (C4.6).',
    'SEC-02',
    skipCheckIf(signatureChecks, (context) =>
      isHmac(context, context.signingKey.publicKey.export({ type: 'spki', format: 'pem' })),
    ),
  ],
  'hmac-with-the-secret-beside-keys': [
    'An SP that has a secret may use it for HMAC, also where it has registered keys (C4.6).',
    'SEC-03',
    skipCheckIf(signatureChecks, (context) => {
      const { secret } = context.client;
      return secret !== undefined && context.client.keys.size > 0 && isHmac(context, secret);
    }),
  ],
  'header-jwk-believed': [
    'The key is taken from the header where there is one.',
    'SEC-05',
    keyFromHeader(({ jwk }) => importPublicJwk(jwk)?.key),
  ],
  'header-certificate-believed': [
    'The key is taken from a certificate in the header, without a look at its issuer.',
    'SEC-05',
    keyFromHeader(({ x5c }) => certificateKey(x5c)),
  ],
  'kid-as-file-name': [
    'kid names a file in the folder of keys; what is in it verifies by the alg of the header.',
    'SEC-07',
    combineEdits(
      skipCheckIf(signatureChecks, (context) => isEmptyFile(context) && isHmac(context, '')),
      findKeyFirst((context) => (isEmptyFile(context) ? [...context.client.keys.values()][0] : undefined)),
    ),
  ],
  'jku-fetched': [
    'The key set that jku names is fetched, and its keys are believed.',
    'SEC-06',
    fetchingKeys(({ jku }) => jku),
  ],
  'x5u-fetched': [
    'The certificate that x5u names is fetched before anything is checked.',
    'SEC-06',
    fetchingKeys(({ x5u }) => x5u),
  ],
  'kid-url-fetched': [
    'A kid that is a URL is fetched, as keys of a partner once were.',
    'SEC-06',
    fetchingKeys(({ kid }) => kid),
  ],
  'kid-in-a-query': [
    'kid stands in a database query as it came, so a quotation mark ends in an internal error.',
    'TRN-015 SEC-07',
    failOnObject(({ header }) => typeof header['kid'] === 'string' && header['kid'].includes("'")),
  ],
  'kid-taken-for-text': [
    'A kid that is no text ends in an internal error.',
    'TRN-015 SEC-07',
    failOnObject(({ header }) => 'kid' in header && typeof header['kid'] !== 'string'),
  ],
  'kid-too-long-for-its-column': [
    'A kid of more than 255 characters ends in an internal error.',
    'SEC-07',
    failOnObject(({ header }) => asText(header['kid']).length > 255),
  ],
  'kid-looked-up-in-an-object': [
    'Keys are members of an object, so a kid that every object has ends in an internal error.',
    'TRN-015 SEC-07',
    failOnObject(({ header }) => typeof header['kid'] === 'string' && header['kid'] in {}),
  ],
  'kid-with-line-break-in-the-log': [
    'A kid with control characters cannot be written to the log, which ends in an internal error.',
    'TRN-015 HDR-003 SEC-07',
    failOnObject(({ header }) => /\p{Cc}/u.test(asText(header['kid']))),
  ],
  'key-found-by-kid-alone': [
    'kid is looked up among the keys of all clients.',
    'HDR-008 SEC-12',
    findKeyFirst(({ accounts, header }) => {
      const keys = [...accounts.clients.values()].flatMap((client) => [...client.keys.values()]);
      return keys.find(({ kid }) => kid === header['kid']);
    }),
  ],
  'removed-key-still-verifies': [
    'A key that was removed in the portal goes on verifying.',
    'SEC-13',
    findKeyFirst(({ client, header }) => client.allKeys.get(asText(header['kid']))),
  ],
  'keys-cached-10-minutes': [
    'Keys are kept in memory for 10 minutes after their last use.',
    'SEC-13',
    (definition) => {
      const seen = new Map<string, { key: RegisteredKey; at: number }>();
      return findKeyFirst(({ client, header, now }) => {
        const name = cacheKey(client, header);
        const key = client.keys.get(asText(header['kid']));
        if (key !== undefined) seen.set(name, { key, at: now });
        const kept = seen.get(name);
        return kept !== undefined && now - kept.at <= 10 * minutes ? kept.key : undefined;
      })(definition);
    },
  ],
  'missing-key-remembered': [
    'A kid that was not found once is not looked for again.',
    'SEC-13',
    (definition) => {
      const missing = new Set<string>();
      return findKeyFirst(({ client, header }) => {
        const { kid } = header;
        if (typeof kid !== 'string') return undefined;
        const name = cacheKey(client, header);
        if (!client.keys.has(kid)) missing.add(name);
        return missing.has(name) ? refuse('invalid_request_object', 'kid names no registered key') : undefined;
      })(definition);
    },
  ],
});

/** Order of P-256 (SEC 2 §2.4.2). */
const curveOrder = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
}

/** Digests that an RS256 signature may hold. */
interface SignatureDigests {
  /** With its DigestInfo (RFC 8017 §9.2). */
  readonly hash: Buffer;
  readonly bare: Buffer;
  readonly sha1: Buffer;
}

/** Accepts an RSA signature if `isRight` accepts the block that the public key recovers from it. */
function acceptRsaBlock(isRight: (block: Buffer, wanted: SignatureDigests) => boolean): Edit {
  return skipCheckIf(['signature-verifies'], ({ jws: { signed, signature }, key }) => {
    if (key.alg !== 'RS256') return false;
    const bare = createHash('sha256').update(signed).digest();
    const sha1 = createHash('sha1').update(signed).digest();
    const hash = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), bare]);
    try {
      const block = publicDecrypt({ key: key.key, padding: constants.RSA_NO_PADDING }, signature);
      return isRight(block, { hash, bare, sha1 });
    } catch {
      return false;
    }
  });
}

/** Bytes of the block before a part, in hex; empty if the part is missing. */
function hexBefore(block: Buffer, part: Buffer): string {
  const at = block.indexOf(part);
  return at < 0 ? '' : block.subarray(0, at).toString('hex');
}

/** Accepts requests without a signature if `isNone` accepts their alg. */
function acceptUnsigned(isNone: (alg: Json | undefined) => boolean): Edit {
  return skipCheckIf(signatureChecks, ({ header, jws }) => isNone(header['alg']) && jws.signature.length === 0);
}

function hmacWith(what: string, secret: (key: RegisteredKey) => string | Buffer): FaultRow<Edit> {
  return [
    `The alg of the header chooses how to verify, and HMAC takes ${what} for its secret.`,
    'SEC-02',
    skipCheckIf(signatureChecks, (context) => isHmac(context, secret(context.key))),
  ];
}

function keyFromHeader(read: (header: JsonObject) => KeyObject | undefined): Edit {
  return combineEdits(
    dropChecks('header-brings-no-key'),
    skipCheckIf(['signature-verifies'], ({ header, jws, key }) => {
      const found = read(header);
      return found !== undefined && verifyJws(jws, found, key.alg);
    }),
  );
}

function certificateKey(chain: Json | undefined): KeyObject | undefined {
  const first = chain !== undefined && isJsonList(chain) ? chain[0] : undefined;
  if (typeof first !== 'string') return undefined;
  try {
    return new X509Certificate(Buffer.from(first, 'base64')).publicKey;
  } catch {
    return undefined;
  }
}

/** Whether kid is a path out of the key folder to /dev/null; no file is opened. */
function isEmptyFile({ header }: Pick<KeyContext, 'header'>): boolean {
  const { kid } = header;
  return typeof kid === 'string' && posix.resolve('/srv/carrier/keys', kid) === '/dev/null';
}

/** Fetches the keys that the header points at, and uses one that verifies. */
function fetchingKeys(place: (header: JsonObject) => Json | undefined): Edit {
  return combineEdits(
    dropChecks('header-brings-no-key'),
    withPipeline(({ readKey }) => ({
      readKey: reader(readKey.name, async (context: ClientContext): Promise<KeyContext> => {
        const url = place(context.header);
        const keys = typeof url === 'string' && /^https?:/.test(url) ? await fetchKeys(url) : [];
        const key = keys.find((one) => verifyJws(context.jws, one.key, one.alg));
        return key === undefined ? readKey.read(context) : { ...context, key };
      }),
    })),
  );
}

function cacheKey({ clientId }: ClientState, { kid }: JsonObject): string {
  return JSON.stringify([clientId, kid ?? null]);
}

async function fetchKeys(url: string): Promise<readonly RegisteredKey[]> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'error' });
    const set: unknown = await response.json();
    const list = isJsonObject(set) ? set['keys'] : undefined;
    return list !== undefined && isJsonList(list) ? list.flatMap(importKeys) : [];
  } catch {
    return [];
  }
}

function importKeys(jwk: Json): RegisteredKey[] {
  const usable = importPublicJwk(jwk);
  return usable === undefined ? [] : [{ kid: 'fetched', ...usable }];
}
