import { dirname, join } from 'node:path';
import type { Refusal } from '../../certificate/certifiable.ts';
import { signManifest } from '../../certificate/compact.ts';
import { makeManifest } from '../../certificate/make-manifest.ts';
import { contradictionIn } from '../../certificate/verify.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { hashProgram, toolVersion } from '../../setup/paths.ts';
import { readSuites } from '../../setup/read.ts';
import type { certifyDefinition } from '../definitions/results.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { requireApart, writeWhole } from '../shared/files.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { measureFile, readSigningKey, renderCertificate } from './certificate.ts';
import { readCertifiable } from './why-not.ts';

/** Throws where the file is no more the one that was read: the digest would be of another. */
function requireUnchanged(file: string, digest: string): void {
  if (measureFile(file).digest === digest) return;
  throw new CarrierspecError(`${file} was changed while it was read`, { code: 'result-unreadable' });
}

const notCertified = (file: string, { code, message }: Refusal): CarrierspecError =>
  new CarrierspecError(`${file} is not certified: ${message}`, { code });

/** `carrierspec certify RESULT --key K`: signs what a run has found. Gives 0 once the certificate is written, whatever outcome it certifies. */
export async function certifyCommand(flags: Given<typeof certifyDefinition>, invocation: Invocation): Promise<number> {
  const { file } = flags;
  const out = flags.out ?? join(dirname(file), 'certificate.jws');
  requireApart([{ flag: '--out', path: out }], [file, flags.key]);
  const key = await readSigningKey(flags.key);
  const { digest, bytes } = measureFile(file);
  const suites = await readSuites(flags.suites);
  const checked = readCertifiable(file, {
    version: toolVersion(),
    digest: hashProgram(),
    additions: flags.suites,
    interface: serverInitiated,
    suites,
  });
  if ('refused' in checked) throw notCertified(file, checked.refused);
  const knownRules = suites.rules.map(({ id }) => id);
  const source = { digest, bytes, additions: flags.suites, knownRules, now: Date.now() };
  const manifest = makeManifest({ ...source, result: checked.result }, checked.outcome);
  const unsound = contradictionIn(manifest);
  if (unsound !== undefined)
    throw notCertified(file, { code: 'contradiction', message: `the certificate would contradict itself: ${unsound}` });
  requireUnchanged(file, digest);
  writeWhole(out, [await signManifest(manifest, key)], '--out');
  invocation.stdout.write(`${renderCertificate(pageOf(invocation), manifest).join('\n')}\n`);
  invocation.stderr.write(`signed with the key ${forTerminal(key.kid)} (${key.alg}): ${forTerminal(out)}\n`);
  return exitCodes.conformant;
}
