import { createHash, KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecDriver } from '../../model/target.ts';
import { MissingValue } from '../../model/template.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { SigningKey } from '../../wire/build/keys.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { outputOf, type Program } from './exec-driver.ts';

/** A request that a proof of possession is made over, and the key that makes it. */
export interface ToProve {
  readonly http: HttpRequest;
  readonly key: SigningKey;
}

/** More than a carrier takes in one header line. */
const longest = 16 * 1024;

const what = 'the program for proofs of possession';

/** The private key as a JWK; a secret as one of kty oct. */
function keyText({ raw, kid, alg }: SigningKey): string {
  const jwk =
    raw instanceof KeyObject
      ? raw.export({ format: 'jwk' })
      : { kty: 'oct', k: Buffer.from(raw).toString('base64url') };
  return JSON.stringify({ ...jwk, ...(kid === undefined ? {} : { kid }), alg, use: 'sig' });
}

const contentType = ({ headers }: HttpRequest): string =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

/** What the templates of the program read as `with`. */
function valuesOf({ http, key }: ToProve, { client }: CaseContext): Readonly<Record<string, string>> {
  const { method, url, body = '' } = http;
  return {
    method,
    url,
    body,
    body_digest: createHash('sha256').update(body).digest('base64url'),
    content_type: contentType(http),
    client_id: client.clientId,
    kid: key.kid ?? '',
    alg: key.alg,
  };
}

/** One header value: what the program printed, without the line break at its end. */
function headerValue(printed: string): string {
  const value = printed.trim();
  if (value === '') throw new Unmet(`${what} printed nothing`);
  if (value.length > longest) throw new Unmet(`${what} printed ${value.length} characters: more than a header holds`);
  if (/[^ -~]/.test(value)) throw new Unmet(`${what} printed what no header holds: one line of ASCII is wanted`);
  return value;
}

/** The proof that a program of the operator's makes. Its key is in a file of its own for so long as it runs. Throws Unmet. */
export async function proveByProgram(driver: ExecDriver, proving: ToProve, ctx: CaseContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'carrierspec-proof-'));
  try {
    const keyFile = join(folder, 'key.json');
    await writeFile(keyFile, keyText(proving.key), { mode: 0o600 });
    const scope = ctx.scope({ with: { ...valuesOf(proving, ctx), key_file: keyFile }, env: driver.env });
    const wants: Program['wants'] = [{ lock: 'programs', exclusive: false }];
    return headerValue(await outputOf({ driver, scope, what, wants }, ctx));
  } catch (error) {
    if (error instanceof MissingValue) throw new Unmet(`${what} was not run: ${error.message}`);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
