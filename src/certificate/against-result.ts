import { differenceIn, shownValue } from '../lib/difference.ts';
import type { Result } from '../model/result.ts';
import type { Flaw, FlawCode } from './compact.ts';
import { claimsOf } from './make-manifest.ts';
import type { Manifest } from './manifest.ts';

export interface SeenResult {
  readonly digest: string;
  readonly bytes: number;
  /** What it holds, or why it cannot be read. */
  readonly read: { readonly result: Result } | { readonly unreadable: string };
}

const flaw = (code: FlawCode, message: string): Flaw => ({ code, message });

/** What differs, by the member of the certificate; `result-claims` of the others. */
const codes: Readonly<Record<string, FlawCode>> = {
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

/** The members of a certificate; those whose difference has a code of its own come first. */
function inOrder(certified: { readonly run: { readonly id: string } }): object {
  const members = new Map<string, unknown>([['run.id', certified.run.id], ...Object.entries(certified)]);
  const names = new Set([...Object.keys(codes), ...members.keys()]);
  return Object.fromEntries([...names].map((name) => [name, members.get(name)]));
}

/** The first thing a result says otherwise than the certificate. */
function difference(manifest: Manifest, result: Result): Flaw | undefined {
  const { footer } = result;
  if (footer === undefined)
    return flaw('result-cut', 'the file has no footer: it is of a run that was cut off, or its footer was taken out');
  const { format: _, version: __, certifiedAt: ___, notJudged: ____, ...certified } = manifest;
  const { digest: _____, bytes: ______, ...held } = certified.result;
  const { additions: _______, ...suites } = certified.suites;
  const claims = claimsOf({ ...result, footer });
  const stated = { 'run.id': claims.run.id, ...claims };
  const comparable = { ...certified, result: held, suites };
  const found = differenceIn(stated, inOrder(comparable));
  if (found === undefined) return undefined;
  const { path } = found;
  const [member = ''] = path;
  const isOneSided = found.stated === undefined || found.follows === undefined;
  const code = member === 'verdicts' && isOneSided ? 'result-rules' : (codes[member] ?? 'result-claims');
  return flaw(
    code,
    `${path.join('.')} is ${shownValue(found.stated)} in the file and ${shownValue(found.follows)} in the certificate`,
  );
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
