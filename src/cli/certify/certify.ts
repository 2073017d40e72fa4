import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { requireApart, writeWhole } from '../shared/files.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { measureFile, readSigningKey, renderCertificate } from './certificate.ts';
import type { certifyDefinition } from '../definitions.ts';
import { dirname, join } from 'node:path';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readResult } from '../../journal/read-result.ts';
import { signManifest } from '../../certificate/compact.ts';
import { renderBadge } from '../../certificate/badge.ts';
import { contradictionIn } from '../../certificate/verify.ts';
import { checkCertifiable, type Refusal } from '../../certificate/certifiable.ts';
import { type EndedResult, makeManifest } from '../../certificate/make-manifest.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { toolVersion } from '../../setup/paths.ts';
import { hashProgram } from '../../setup/program.ts';
import { readLimits, readSuites } from '../../setup/read.ts';
import { select } from '../../engine/plan/select.ts';
import { recheck } from '../../engine/recheck/recheck.ts';
import { doubledNameIn } from '../../journal/doubled-name.ts';
import type { Suites } from '../../suite/suites.ts';
import { suggestNames, withoutAreas } from '../shared/choose.ts';
import { valuesOf } from '../shared/flags.ts';

/** Throws where the file is no more the one that was read: the digest would be of another. */
function requireUnchanged(file: string, digest: string): void {
  if (measureFile(file).digest === digest) return;
  throw new CarrierspecError(`${file} was changed while it was read`, { code: 'result-unreadable' });
}

const notCertified = (file: string, { code, message }: Refusal): CarrierspecError =>
  new CarrierspecError(`${file} is not certified: ${message}`, { code });

/** Why the result that stands in a file does not follow from its cases, or can be read in two ways. */
function flawIn(file: string, result: EndedResult, shipped: Suites): string | undefined {
  const twice = doubledNameIn(file);
  if (twice !== undefined) return `a member stands twice in it, and readers may take either: ${twice}`;
  const { header } = result;
  const records = new Map(readLimits().profile.map(({ name, record }) => [name, record]));
  try {
    const suites = withoutAreas(shipped, valuesOf(header.flags, '--without'));
    const selected = select(suites, { what: header.selection, level: header.level }, suggestNames);
    const wrong = recheck(result, { suites, nameable: shipped, selected, records });
    return wrong === undefined ? undefined : `the result contradicts itself: ${wrong}`;
  } catch (cause) {
    if (!(cause instanceof CarrierspecError)) throw cause;
    return `the suites have not what its run selected: ${cause.message}`;
  }
}

/** `carrierspec certify RESULT --key K`: signs what a run has found. Gives 0 once the certificate is written, whatever outcome it certifies. */
export async function certifyCommand(flags: Given<typeof certifyDefinition>, invocation: Invocation): Promise<number> {
  const { file } = flags;
  const out = flags.out ?? join(dirname(file), 'certificate.jws');
  const written = [
    { flag: '--out', path: out },
    ...(flags.badge === undefined ? [] : [{ flag: '--badge', path: flags.badge }]),
  ];
  requireApart(written, [file, flags.key]);
  const key = await readSigningKey(flags.key);
  const { digest, bytes } = measureFile(file);
  const { result } = readResult(file);
  const suites = await readSuites(flags.suites);
  const knownRules = suites.rules.map(({ id }) => id);
  const toolDigest = hashProgram();
  const known = {
    version: toolVersion(),
    digest: toolDigest,
    digests: suites.digests,
    additions: flags.suites,
    rules: knownRules,
  };
  const checked = checkCertifiable(result, known);
  if ('refused' in checked) throw notCertified(file, checked.refused);
  const wrong = flawIn(file, checked.result, suites);
  if (wrong !== undefined) throw notCertified(file, { code: 'contradiction', message: wrong });
  const source = { digest, bytes, toolDigest, additions: flags.suites, knownRules, now: Date.now() };
  const manifest = makeManifest({ ...source, result: checked.result }, checked.outcome);
  const unsound = contradictionIn(manifest);
  if (unsound !== undefined)
    throw notCertified(file, { code: 'contradiction', message: `the certificate would contradict itself: ${unsound}` });
  requireUnchanged(file, digest);
  writeWhole(out, [await signManifest(manifest, key)], '--out');
  if (flags.badge !== undefined) writeWhole(flags.badge, [renderBadge(manifest)], '--badge');
  invocation.stdout.write(`${renderCertificate(pageOf(invocation), manifest).join('\n')}\n`);
  const files = written.map(({ path }) => path).join(', ');
  invocation.stderr.write(`signed with the key ${forTerminal(key.kid)} (${key.alg}): ${forTerminal(files)}\n`);
  return exitCodes.conformant;
}
