import { createHmac, type KeyObject, X509Certificate } from 'node:crypto';
import { posix } from 'node:path';
import { importPublicJwk, type RegisteredKey } from '../state/accounts.ts';
import type { KeyContext } from '../pipeline/context.ts';
import { asText, isJsonList, type Json, type JsonObject } from '../json.ts';
import { verifyJws } from '../jose/jws.ts';
import { all, defineFault, type Edit, without } from './edit/define.ts';
import { findingKeys, letThrough, rewritten } from './edit/looser.ts';

const signatureChecks = ['alg-fits-the-key', 'signature-verifies'];

/** On what makes a signature (SEC-01 to SEC-05). */
export const signatureFaults = [
  defineFault({
    name: 'alg-none-accepted',
    says: 'The JWT library takes alg none with an empty signature, as it did until 2015.',
    breaks: ['SEC-01'],
    apply: unsecured((alg) => alg === 'none'),
  }),
  defineFault({
    name: 'alg-none-in-another-case',
    says: 'alg none is on a list of what is forbidden, and the library behind it does not look at case.',
    breaks: ['SEC-01'],
    apply: unsecured((alg) => typeof alg === 'string' && alg !== 'none' && alg.toLowerCase() === 'none'),
  }),
  defineFault({
    name: 'alg-none-with-a-blank',
    says: 'alg is trimmed after it was compared with none.',
    breaks: ['SEC-01'],
    apply: unsecured((alg) => typeof alg === 'string' && alg !== 'none' && alg.trim() === 'none'),
  }),
  defineFault({
    name: 'alg-empty-unsigned',
    says: 'Where alg is empty or null there is nothing to verify.',
    breaks: ['SEC-01'],
    apply: unsecured((alg) => alg === '' || alg === null),
  }),
  defineFault({
    name: 'alg-absent-unsigned',
    says: 'A header without alg stands for an unsecured JWT.',
    breaks: ['SEC-01'],
    apply: unsecured((alg) => alg === undefined),
  }),
  defineFault({
    name: 'alg-list-searched',
    says: 'none is looked for in alg by a function that also searches lists.',
    breaks: ['SEC-01'],
    apply: unsecured((alg) => alg !== undefined && isJsonList(alg) && alg.includes('none')),
  }),
  defineFault({
    name: 'alg-none-signature-skipped',
    says: 'For alg none whatever stands behind the second dot is skipped.',
    breaks: ['SEC-01'],
    apply: letThrough(signatureChecks, ({ header }) => header['alg'] === 'none'),
  }),
  defineFault({
    name: 'two-segments-read',
    says: 'A request object without its second dot is read as one with an empty signature, and alg none is allowed.',
    breaks: ['SEC-01'],
    apply: all(
      rewritten((request) =>
        typeof request === 'string' && request.split('.').length === 2 ? `${request}.` : request,
      ),
      unsecured((alg) => alg === 'none'),
    ),
  }),
  defineFault({
    name: 'signature-missing-unnoticed',
    says: 'The signature is verified where there is one.',
    breaks: ['SEC-04'],
    apply: letThrough(['signature-verifies'], ({ jws }) => jws.signature.length === 0),
  }),
  hmacFault('pem', 'the PEM file of the public key', (key) => pemOf(key)),
  hmacFault('pem-without-line-end', 'the PEM text of the public key', (key) => pemOf(key).trimEnd()),
  hmacFault('der', 'the DER bytes of the public key', ({ key }) => key.export({ type: 'spki', format: 'der' })),
  hmacFault('jwk', 'the JWK of the public key', ({ jwk }) => JSON.stringify(jwk)),
  hmacFault('modulus', 'the modulus of the public key', ({ jwk }) => Buffer.from(asText(jwk['n']), 'base64url')),
  defineFault({
    name: 'hmac-of-sha-512-with-the-pem',
    says: 'HS256 is on the list of what is forbidden; HS384 and HS512 take the PEM file for their secret.',
    breaks: ['SEC-02'],
    apply: letThrough(
      signatureChecks,
      (context) => context.header['alg'] !== 'HS256' && isHmac(context, pemOf(context.key)),
    ),
  }),
  defineFault({
    name: 'header-jwk-believed',
    says: 'The key is taken from the header where there is one.',
    breaks: ['SEC-05'],
    apply: keyFromHeader(({ jwk }) => importPublicJwk(jwk)?.key),
  }),
  defineFault({
    name: 'header-certificate-believed',
    says: 'The key is taken from a certificate in the header, whoever issued it.',
    breaks: ['SEC-05'],
    apply: keyFromHeader(({ x5c }) => keyOfCertificate(x5c)),
  }),
  defineFault({
    name: 'kid-as-file-name',
    says: 'kid names a file in the folder of keys; what is in it verifies by the alg of the header.',
    breaks: ['SEC-07'],
    apply: all(
      letThrough(signatureChecks, (context) => isEmptyFile(context) && isHmac(context, '')),
      findingKeys((context) => (isEmptyFile(context) ? [...context.client.keys.values()][0] : undefined)),
    ),
  }),
] as const;

/** Requests without any signature that name an alg of this kind are taken. */
function unsecured(isNone: (alg: Json | undefined) => boolean): Edit {
  return letThrough(signatureChecks, ({ header, jws }) => isNone(header['alg']) && jws.signature.length === 0);
}

function hmacFault(name: string, what: string, secret: (key: RegisteredKey) => string | Buffer) {
  return defineFault({
    name: `hmac-with-the-${name}`,
    says: `The alg of the header chooses how to verify, and HMAC takes ${what} for its secret.`,
    breaks: ['SEC-02'],
    apply: letThrough(signatureChecks, (context) => isHmac(context, secret(context.key))),
  });
}

const digests: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** Whether the signature is an HMAC with this secret, by the alg of the header. */
export function isHmac({ header, jws }: Pick<KeyContext, 'header' | 'jws'>, secret: string | Buffer): boolean {
  const digest = digests[asText(header['alg'])];
  return digest !== undefined && createHmac(digest, secret).update(jws.signed).digest().equals(jws.signature);
}

/** What the SP uploaded in the portal. */
export function pemOf({ key }: RegisteredKey): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

function keyFromHeader(read: (header: JsonObject) => KeyObject | undefined): Edit {
  return all(
    without('header-brings-no-key'),
    letThrough(['signature-verifies'], ({ header, jws, key }) => {
      const found = read(header);
      return found !== undefined && verifyJws(jws, found, key.alg);
    }),
  );
}

function keyOfCertificate(chain: Json | undefined): KeyObject | undefined {
  const first = chain !== undefined && isJsonList(chain) ? chain[0] : undefined;
  if (typeof first !== 'string') return undefined;
  try {
    return new X509Certificate(Buffer.from(first, 'base64')).publicKey;
  } catch {
    return undefined;
  }
}

/** A path out of the folder of keys to where there is nothing; no file is opened for it. */
function isEmptyFile({ header }: Pick<KeyContext, 'header'>): boolean {
  const { kid } = header;
  return typeof kid === 'string' && posix.resolve('/srv/carrier/keys', kid) === '/dev/null';
}
