import { firstDifference, quoteValue } from '../lib/difference.ts';
import { describeSchemaError } from '../lib/schema-words.ts';
import { validatorFor } from '../lib/validator.ts';
import type { Result } from '../model/result.ts';
import { isConclusive } from '../model/rule.ts';
import { type Flaw, type FlawCode, isFlaw, isLowS, parseCompact, parseExact } from './compact.ts';
import type { CertificateAlgorithm, CertificateKey } from './keys.ts';
import { resultClaims, countEveryVerdict } from './make-manifest.ts';
import { type Manifest, manifestSchema, manifestVersion } from './manifest.ts';
import type { ValidateFunction } from 'ajv';
import { compactVerify, errors } from 'jose';

export interface ResultFile {
  readonly digest: string;
  readonly bytes: number;
  /** Contents of the file, or why it cannot be read. */
  readonly read: { readonly result: Result } | { readonly unreadable: string };
}

const makeFlaw = (code: FlawCode, message: string): Flaw => ({ code, message });

/** Codes of differences by member of the certificate; any other member is `result-claims`. */
const differenceCodes: Readonly<Record<string, FlawCode>> = {
  'run.id': 'result-run',
  interface: 'result-interface',
  suites: 'result-suites',
  carrier: 'result-target',
  clock: 'result-clock',
  outcome: 'result-outcome',
  verdicts: 'result-verdict',
  result: 'result-cases',
  recorded: 'result-recorded',
};

/** Members of a certificate; those with a difference code of their own come first. */
function sortManifestMembers(certified: { readonly run: { readonly id: string } }): object {
  const members = new Map<string, unknown>([['run.id', certified.run.id], ...Object.entries(certified)]);
  const names = new Set([...Object.keys(differenceCodes), ...members.keys()]);
  return Object.fromEntries([...names].map((name) => [name, members.get(name)]));
}

/** First difference between a result and the certificate. */
function findDifference(manifest: Manifest, result: Result): Flaw | undefined {
  const { footer } = result;
  if (footer === undefined)
    return makeFlaw(
      'result-cut',
      'the file has no footer: it is of a run that was cut off, or its footer was taken out',
    );
  const { format: _, version: __, certifiedAt: ___, notJudged: ____, ...certified } = manifest;
  const { digest: _____, bytes: ______, ...held } = certified.result;
  const { additions: _______, ...suites } = certified.suites;
  const claims = resultClaims({ ...result, footer });
  const stated = { 'run.id': claims.run.id, ...claims };
  const comparable = { ...certified, result: held, suites };
  const found = firstDifference(stated, sortManifestMembers(comparable));
  if (found === undefined) return undefined;
  const { path } = found;
  const [member = ''] = path;
  const isOneSided = found.stated === undefined || found.follows === undefined;
  const code = member === 'verdicts' && isOneSided ? 'result-rules' : (differenceCodes[member] ?? 'result-claims');
  return makeFlaw(
    code,
    `${path.join('.')} is ${quoteValue(found.stated)} in the file and ${quoteValue(found.follows)} in the certificate`,
  );
}

/** Returns undefined if the file is the certified result byte for byte; otherwise the change, as far as it can be found. */
export function checkAgainstResult(manifest: Manifest, { digest, bytes, read }: ResultFile): Flaw | undefined {
  const certified = manifest.result;
  const isFile = digest === certified.digest && bytes === certified.bytes;
  if ('unreadable' in read) {
    if (isFile) return makeFlaw('result-unreadable', `the result that was certified is none: ${read.unreadable}`);
    if (bytes >= certified.bytes)
      return makeFlaw('result-unreadable', `the file is not the result that was certified: ${read.unreadable}`);
    return makeFlaw(
      'result-cut',
      `the file is cut off: it has ${bytes} of the ${certified.bytes} bytes that were certified`,
    );
  }
  const found = findDifference(manifest, read.result);
  if (isFile)
    return found === undefined
      ? undefined
      : { ...found, message: `the certificate does not say what its result says: ${found.message}` };
  if (found !== undefined)
    return { ...found, message: `the file is not the result that was certified: ${found.message}` };
  const size =
    bytes === certified.bytes ? `${bytes} bytes as certified` : `${bytes} bytes, and ${certified.bytes} were certified`;
  const message = `the file is not the result that was certified: it was changed where the certificate quotes nothing of it, in a message, a finding, a reason or a blank (${size}; digest ${digest})`;
  return makeFlaw('result-bytes', message);
}

let compiledManifest: ValidateFunction<Manifest> | undefined;

export function manifestValidator(): ValidateFunction<Manifest> {
  compiledManifest ??= validatorFor<Manifest>({
    dialect: '2020-12',
    options: { strict: true, validateSchema: false, verbose: true },
    schema: manifestSchema,
  });
  return compiledManifest;
}

function describeFirstMistake({ errors }: ValidateFunction): string {
  const error = errors?.[0];
  return error === undefined ? 'it is not what it should be' : describeSchemaError(error);
}

/** Tolerated difference between the clocks of run, signer and verifier, in milliseconds. */
const maxClockSkew = 10 * 60_000;

/** Finds a contradiction that no genuine manifest has, even if the signature is valid. */
export function findManifestContradiction(manifest: Manifest): string | undefined {
  const { outcome, apart, counts, verdicts, clock, carrier, score, suites, run } = manifest;
  const found = Object.values(verdicts);
  for (const [verdict, count] of Object.entries(countEveryVerdict(found))) {
    const written = Object.entries(counts).find(([name]) => name === verdict)?.[1];
    if (written !== count) return `it counts ${written ?? 0} rules ${verdict}, and lists ${count}`;
  }
  const broken = Object.entries(verdicts).filter(([rule, verdict]) => verdict === 'fail' && !apart.includes(rule));
  if ((outcome === 'not conformant') !== broken.length > 0) {
    return `the outcome is ${outcome}, and ${broken.length} of the rules that count have failed`;
  }
  const judged = found.filter(isConclusive).length;
  if (score.all.judged !== judged)
    return `the score says that ${score.all.judged} rules were judged, and ${judged} are listed`;
  if (outcome === 'conformant' && run.reasons.length > 0)
    return 'the outcome is conformant, and something is missing of the run';
  if (clock.kind === 'virtual' && !carrier.testCarrier) {
    return 'the clock was virtual, and the carrier is not declared a test carrier';
  }
  if (suites.additions.some((name) => name === '')) return 'an addition has no name';
  return findDateContradiction(manifest);
}

/** A run starts before it ends, and ends before it is signed; the signer's clock may be slightly behind. */
function findDateContradiction({ certifiedAt, clock, run }: Manifest): string | undefined {
  const { sealedAt } = run;
  const dates = { certifiedAt, 'run.startedAt': run.startedAt, 'run.endedAt': run.endedAt, 'run.sealedAt': sealedAt };
  const none = Object.entries(dates).find(([, date]) => Number.isNaN(Date.parse(date)));
  if (none !== undefined) return `${none[0]} is ${none[1]}, which is no date`;
  const [began, ended] = [Date.parse(run.startedAt), Date.parse(run.endedAt)];
  const tolerance = clock.kind === 'real' ? maxClockSkew : 0;
  if (ended < began - tolerance) return `the run ended on ${run.endedAt}, before it began on ${run.startedAt}`;
  // A virtual clock runs ahead of real time, because it is advanced over each wait.
  const over = clock.kind === 'real' && ended > Date.parse(sealedAt) ? run.endedAt : sealedAt;
  if (Date.parse(certifiedAt) < Date.parse(over) - maxClockSkew)
    return `it was signed on ${certifiedAt}, before the run ended on ${over}`;
  return undefined;
}

/** Manifest of a payload whose signature is valid, or its first flaw. `now` in milliseconds since the epoch. */
function parsePayload(payload: Uint8Array, now: number): Manifest | Flaw {
  const read = parseExact(payload);
  if ('wrong' in read) return { code: 'payload-form', message: `the signed payload ${read.wrong}` };
  const { value: manifest } = read;
  const { format, version } = manifest;
  if (format === 'carrierspec-certificate' && typeof version === 'number' && version !== manifestVersion) {
    const message = `the certificate has version ${version} of the format, and this carrierspec reads version ${manifestVersion} only: use the carrierspec that signed it`;
    return { code: 'payload-version', message };
  }
  const validate = manifestValidator();
  if (!validate(manifest)) {
    return {
      code: 'payload-shape',
      message: `what was signed is no manifest of carrierspec: ${describeFirstMistake(validate)}`,
    };
  }
  const wrong = findManifestContradiction(manifest);
  if (wrong !== undefined)
    return { code: 'payload-contradiction', message: `the certificate contradicts itself: ${wrong}` };
  if (Date.parse(manifest.certifiedAt) <= now + maxClockSkew) return manifest;
  return {
    code: 'payload-future',
    message: `the certificate says that it was signed on ${manifest.certifiedAt}, which is to come`,
  };
}

/** A valid certificate, and the key that vouches for it. */
interface VerifiedCertificate {
  readonly manifest: Manifest;
  readonly kid: string;
  readonly alg: CertificateAlgorithm;
}

/** The key that a certificate names. No other key is tried, because a certificate says who signed it. */
function chooseKey(
  keys: readonly CertificateKey[],
  { kid, alg }: Pick<VerifiedCertificate, 'kid' | 'alg'>,
): CertificateKey | Flaw {
  const named = keys.filter((key) => key.kid === kid);
  const found = named.find((key) => key.alg === alg);
  if (found !== undefined) return found;
  const [other] = named;
  if (other !== undefined) {
    return { code: 'alg-of-key', message: `alg is ${alg}, and the key ${kid} signs with ${other.alg} only` };
  }
  const given = keys.map((key) => key.kid).join(', ');
  return {
    code: 'kid',
    message: `it names the key ${kid}, and the one given is ${given}: another key signed it, or kid was changed`,
  };
}

const bitsPerByte = 8;

/** Length of a signature in bytes (RFC 7518 §3.3 and §3.4, RFC 8032 §5.1.6). */
function signatureLength({ alg, key }: CertificateKey): number {
  return alg === 'RS256' ? Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / bitsPerByte) : 64;
}

function findSignatureFlaw(signature: Uint8Array, key: CertificateKey): Flaw | undefined {
  const length = signatureLength(key);
  if (signature.length !== length) {
    const message = `the signature has ${signature.length} bytes, and ${key.alg} with this key makes ${length}: a part of it is missing or was added`;
    return { code: 'signature-length', message };
  }
  if (key.alg !== 'ES256' || isLowS(signature)) return undefined;
  return {
    code: 'signature-form',
    message: 'the signature is the second form of the one that was made: it was changed',
  };
}

/** Verifies a certificate with these public keys only, or returns the first reason why it is invalid. */
export async function verifyCertificate(
  text: string,
  keys: readonly CertificateKey[],
  now: number,
): Promise<VerifiedCertificate | Flaw> {
  const compact = parseCompact(text);
  if (isFlaw(compact)) return compact;
  const { alg, kid, payload, signature } = compact;
  const key = chooseKey(keys, compact);
  if (isFlaw(key)) return key;
  const unfit = findSignatureFlaw(signature, key);
  if (unfit !== undefined) return unfit;
  try {
    await compactVerify(text, key.key, { algorithms: [key.alg] });
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    const message = `the signature is not that of the key ${kid} over these bytes: header, payload or signature was changed, or another key of this name signed`;
    return { code: 'signature', message };
  }
  const manifest = parsePayload(payload, now);
  return isFlaw(manifest) ? manifest : { manifest, kid, alg };
}
