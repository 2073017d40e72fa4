import { type KeyObject, X509Certificate } from 'node:crypto';
import { posix } from 'node:path';
import { importPublicJwk, verifyJws } from '../../carrier/jose/jws.ts';
import { asText, isJsonList, isJsonObject, type Json, type JsonObject } from '../../carrier/json.ts';
import { type ClientContext, type KeyContext, reader } from '../../carrier/context.ts';
import type { ClientState, RegisteredKey } from '../../carrier/state/accounts.ts';
import { combineEdits, defineFaults, type Edit, type FaultRow } from '../edit/fault-table.ts';
import { isHmac, publicPem } from '../edit/keys.ts';
import { dropChecks, withPipeline } from '../../carrier/seams/definition-parts.ts';
import { failOnObject, findKeyFirst, rewriteRequest, skipCheckIf } from '../edit/requests.ts';

const signatureChecks = ['alg-fits-the-key', 'signature-verifies'];

const minutes = 60_000;

/** Faults of signatures, and of the source and life of keys (SEC-01 to SEC-07, SEC-12, SEC-13). */
export const baselineSignaturesFaults = defineFaults({
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
    'A signature is not verified if alg is empty or null.',
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
    { keeps: 'another fault shows the same, and carriers have either' },
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
  'hmac-with-the-modulus-as-text': hmacWith('the text of the modulus, or of the x coordinate, in the JWK', ({ jwk }) =>
    asText(jwk['n'] ?? jwk['x']),
  ),
  'signature-plus-modulus-accepted': [
    'The signature is a number that is reduced by the modulus before it is verified (C10.10).',
    'SEC-04',
    skipCheckIf(['signature-verifies'], ({ jws, key, header }) => {
      const { n } = key.jwk;
      if (typeof n !== 'string') return false;
      const modulus = BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`);
      const reduced = BigInt(`0x${Buffer.from(jws.signature).toString('hex') || '0'}`) % modulus;
      const signature = Buffer.from(reduced.toString(16).padStart(jws.signature.length * 2, '0'), 'hex');
      return verifyJws({ ...jws, signature }, key.key, asText(header['alg']));
    }),
    { keeps: 'another fault shows the same, and carriers have either' },
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
});

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
