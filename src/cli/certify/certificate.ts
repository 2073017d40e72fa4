import { type CertificateKey, parsePublicKeys, parseSigningKey } from '../../certificate/keys.ts';
import type { Manifest } from '../../certificate/manifest.ts';
import { certificateWords, certifiedHeadline } from '../../certificate/certificate-words.ts';
import { digestFile, readText } from '../../files/read.ts';
import { type Json, parseJson } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { toneStyle, type Page } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { withFlag } from '../shared/files.ts';

/** Digest and size of a result file. Throws if it cannot be read. */
export function measureFile(file: string): { readonly digest: string; readonly bytes: number } {
  const digested = digestFile(file);
  if ('wrong' in digested) {
    throw new CarrierspecError(`${file} cannot be read: ${digested.wrong}`, { code: 'result-unreadable' });
  }
  return { digest: digested.sha256, bytes: digested.bytes };
}

const unusableKey = (message: string): CarrierspecError =>
  new CarrierspecError(`--key: ${message}`, { code: 'key-unusable' });

function readKeyJson(file: string): Json {
  const value = parseJson(withFlag('--key', () => readText(file, 'key')));
  if (value === undefined) throw unusableKey(`${file} is no JWK: it is not JSON`);
  return value;
}

/** Reads the private JWK of `certify --key`. Error messages never quote the key. */
export async function readSigningKey(file: string): Promise<CertificateKey> {
  const key = await parseSigningKey(readKeyJson(file));
  if ('wrong' in key) throw unusableKey(`${file} ${key.wrong}`);
  return key;
}

/** Reads the public JWK or JWK Set of `verify --key`. */
export async function readPublicKeys(file: string): Promise<readonly CertificateKey[]> {
  const keys = await parsePublicKeys(readKeyJson(file));
  if ('wrong' in keys) throw unusableKey(`${file} ${keys.wrong}`);
  return keys;
}

function renderList(page: Page, heading: string, sentences: readonly string[]): readonly string[] {
  const lines = sentences.flatMap((sentence) => {
    const [first = '', ...rest] = page.paragraph(sentence, { indent: 4 });
    return [`  - ${first.slice(4)}`, ...rest];
  });
  return ['', page.paint.bold(heading), ...lines];
}

/** Renders what is certified, the sentence first and the digests last; `first` is the word before the sentence. */
export function renderCertificate(
  page: Page,
  manifest: Manifest,
  { first, beside = [] }: { readonly first: 'Certified' | 'Valid'; readonly beside?: readonly string[] },
): readonly string[] {
  const { sentence, certified, notCertified, digests } = certificateWords(manifest);
  const tone = toneStyle(page, certifiedHeadline(manifest).tone);
  return [
    ...page.paragraph(`${first}: ${sentence}`, { indent: 0, tone }),
    ...beside.map((line) => forTerminal(line)),
    ...renderList(page, 'What is certified', certified),
    ...renderList(page, 'What is not', notCertified),
    ...renderList(page, 'Digests', digests),
  ];
}
