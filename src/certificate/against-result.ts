import { isDeepStrictEqual } from 'node:util';
import { listIds } from '../lib/lists.ts';
import type { Result } from '../model/result.ts';
import type { Flaw, FlawCode } from './flaw.ts';
import { claimsOf } from './make-manifest.ts';
import type { Manifest } from './manifest.ts';

/** A result file as it lies there. */
export interface SeenResult {
  readonly digest: string;
  readonly bytes: number;
  /** What it holds, or why it cannot be read. */
  readonly read: { readonly result: Result } | { readonly unreadable: string };
}

const flaw = (code: FlawCode, message: string): Flaw => ({ code, message });

const list = (ids: readonly string[]): string => listIds(ids, 5);

function verdictFlaw({ verdicts }: Manifest, found: Manifest['verdicts']): Flaw | undefined {
  const missing = Object.keys(verdicts).filter((id) => !Object.hasOwn(found, id));
  if (missing.length > 0) return flaw('result-rules', `the file has no verdict of ${list(missing)}`);
  const added = Object.keys(found).filter((id) => !Object.hasOwn(verdicts, id));
  if (added.length > 0)
    return flaw('result-rules', `the file has a verdict of ${list(added)}, which was not certified`);
  const changed = Object.keys(verdicts).filter((id) => verdicts[id] !== found[id]);
  const sentences = changed.map(
    (id) => `${id} is ${found[id] ?? ''} in the file and ${verdicts[id] ?? ''} in the certificate`,
  );
  return sentences.length === 0 ? undefined : flaw('result-verdict', list(sentences));
}

function headFlaw(manifest: Manifest, claims: ReturnType<typeof claimsOf>): Flaw | undefined {
  const { run, suites, carrier, clock } = manifest;
  if (claims.run.id !== run.id)
    return flaw('result-run', `the file is of run ${claims.run.id}, and the certificate of run ${run.id}`);
  if (!isDeepStrictEqual(claims.interface, manifest.interface))
    return flaw('result-interface', 'the file names another interface than the one certified');
  if (claims.digests.rules !== suites.rules)
    return flaw('result-suites', 'the file names other rules than those certified');
  if (claims.digests.suites !== suites.suites)
    return flaw('result-suites', 'the file names other suites than those certified');
  if (!isDeepStrictEqual(claims.carrier, carrier))
    return flaw('result-target', 'the file names another target than the one certified');
  if (!isDeepStrictEqual(claims.clock, clock))
    return flaw('result-clock', `the clock is ${claims.clock.kind} in the file and ${clock.kind} in the certificate`);
  return undefined;
}

function recordedFlaw(manifest: Manifest, { recorded }: ReturnType<typeof claimsOf>): Flaw | undefined {
  if (!isDeepStrictEqual(recorded, manifest.recorded))
    return flaw('result-recorded', 'what was recorded is not the same in the file and in the certificate');
  return undefined;
}

const held = ['cases', 'invariants', 'unsolicited'] as const;

/** What a result and its certificate both say, whatever it is. */
const compared = [
  'run',
  'tool',
  'certificationProfile',
  'conclusions',
  'whole',
  'apart',
  'declarations',
  'score',
  'counts',
  'attested',
  'expectedFailures',
] as const;

/** The first thing a result says otherwise than the certificate. */
function difference(manifest: Manifest, result: Result): Flaw | undefined {
  const { footer } = result;
  if (footer === undefined)
    return flaw('result-cut', 'the file has no footer: it is of a run that was cut off, or its footer was taken out');
  const claims = claimsOf({ ...result, footer });
  const head = headFlaw(manifest, claims);
  if (head !== undefined) return head;
  if (footer.outcome !== manifest.outcome) {
    return flaw(
      'result-outcome',
      `the outcome is ${footer.outcome} in the file and ${manifest.outcome} in the certificate`,
    );
  }
  const verdict = verdictFlaw(manifest, claims.verdicts);
  if (verdict !== undefined) return verdict;
  for (const name of held) {
    const [there, certified] = [claims.holds[name], manifest.result[name]];
    if (there !== certified)
      return flaw('result-cases', `the file has ${there} ${name}, and ${certified} were certified`);
  }
  const recorded = recordedFlaw(manifest, claims);
  if (recorded !== undefined) return recorded;
  const rest = compared.find((name) => !isDeepStrictEqual(claims[name], manifest[name]));
  return rest === undefined
    ? undefined
    : flaw('result-claims', `${rest} is not the same in the file and in the certificate`);
}

/** Whether a file is, byte for byte, the result that was certified; where not, what was changed as far as that can be found. */
export function checkAgainstResult(manifest: Manifest, { digest, bytes, read }: SeenResult): Flaw | undefined {
  const certified = manifest.result;
  const isFile = digest === certified.digest && bytes === certified.bytes;
  if ('unreadable' in read) {
    if (isFile) return flaw('result-unreadable', `the result that was certified is none: ${read.unreadable}`);
    if (bytes >= certified.bytes)
      return flaw('result-unreadable', `the file is not the result that was certified: ${read.unreadable}`);
    return flaw(
      'result-cut',
      `the file is cut off: it has ${bytes} of the ${certified.bytes} bytes that were certified`,
    );
  }
  const found = difference(manifest, read.result);
  if (isFile)
    return found === undefined
      ? undefined
      : { ...found, message: `the certificate does not say what its result says: ${found.message}` };
  if (found !== undefined)
    return { ...found, message: `the file is not the result that was certified: ${found.message}` };
  const size =
    bytes === certified.bytes ? `${bytes} bytes as certified` : `${bytes} bytes, and ${certified.bytes} were certified`;
  const message = `the file is not the result that was certified: it was changed where the certificate quotes nothing of it, in a message, a finding, a reason or a blank (${size}; digest ${digest})`;
  return flaw('result-bytes', message);
}
