import { dirname, join } from 'node:path';
import {
  type Certifiable,
  checkCertifiable,
  type CertifyingProgram,
  type CertifyRefusal,
  type EndedResult,
  makeManifest,
} from '../../certificate/make-manifest.ts';
import { signManifest } from '../../certificate/compact.ts';
import { findManifestContradiction } from '../../certificate/verify.ts';
import { selectSuites } from '../../engine/plan/select.ts';
import { recheckRun } from '../../engine/recheck/recheck.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { locateDuplicateMember } from '../../journal/duplicate-member.ts';
import { readResult } from '../../journal/read-result.ts';
import { findSealFlaw } from '../../journal/seal.ts';
import { judgedSuites } from '../../verdict/profiles.ts';
import { equalsJson } from '../../lib/json.ts';
import type { Interface } from '../../model/interface.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { InterfaceRef } from '../../model/result.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { hashProgram, toolVersion } from '../../setup/paths.ts';
import { readSuites } from '../../setup/read-files.ts';
import type { Suites } from '../../suite/suites.ts';
import type { certifyDefinition } from '../definitions/results.ts';
import { exitCodes } from '../exit-codes.ts';
import { suggestNames, withoutParts } from '../shared/choose.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';
import { requireApart, writeBelow, writeWhole } from '../shared/files.ts';
import { parseFlags, renderFlags } from '../shared/flags.ts';
import { measureFile, readSigningKey, renderCertificate } from './certificate.ts';

/** The signing program and its suites, including additions named by the user. */
export interface SigningProgram extends Pick<CertifyingProgram, 'version' | 'digest' | 'additions'> {
  readonly interface: InterfaceRef & Pick<Interface, 'eventSubject' | 'messages' | 'responseRule' | 'unknownEvents'>;
  readonly suites: Suites;
}

/** Returns the first reason why the result does not follow from its cases under these suites, or undefined. */
function findContradiction(result: EndedResult, { suites: all, ...signer }: SigningProgram): string | undefined {
  const { header } = result;
  const { id, version } = signer.interface;
  if (header.interface.id !== id || header.interface.version !== version)
    return `it is of the interface ${header.interface.id} ${header.interface.version}, and its suites are of ${id} ${version}`;
  if (!equalsJson(renderFlags(parseFlags(header.flags)), header.flags))
    return `its flags are ${header.flags.join(' ')}, and a run writes them in another form`;
  if (header.profile !== (parseFlags(header.flags).profile ?? 'interface'))
    return `its profile is ${header.profile}, and its flags are ${header.flags.join(' ') || 'none'}`;
  try {
    const suites = withoutParts(all, parseFlags(header.flags).without);
    const selected = selectSuites(suites, { what: header.selection }, suggestNames);
    const judging = { suites: judgedSuites(suites, header), nameable: judgedSuites(all, header) };
    return recheckRun(result, { ...judging, selected, interface: signer.interface });
  } catch (cause) {
    if (!(cause instanceof CarrierspecError)) throw cause;
    return `the suites lack a part of its selection: ${cause.message}`;
  }
}

/** Reads a result and judges its rules again; returns the first reason to refuse certification, if any. */
export function readCertifiable(
  file: string,
  signer: SigningProgram,
): Certifiable | { readonly refused: CertifyRefusal } {
  const { suites, ...known } = signer;
  const { result, notes } = readResult(file);
  const checked = checkCertifiable(result, { ...known, digests: suites.digests });
  if ('refused' in checked) return checked;
  const [note] = notes;
  if (note !== undefined)
    return {
      refused: { code: 'other-version', message: `it differs from the results that this carrierspec writes: ${note}` },
    };
  const twice = locateDuplicateMember(file);
  if (twice !== undefined) {
    const message = `an object of the result has a member twice, and programs may read either: ${twice}`;
    return { refused: { code: 'contradiction', message } };
  }
  const wrong = findContradiction(checked.result, signer) ?? findSealFlaw(checked.result);
  if (wrong === undefined) return checked;
  return { refused: { code: 'contradiction', message: `the result contradicts itself: ${wrong}` } };
}

/** Throws if the file has changed since it was read: the digest would not match the result. */
function requireUnchanged(file: string, digest: string): void {
  if (measureFile(file).digest === digest) return;
  throw new CarrierspecError(`${file} was changed while it was read`, { code: 'result-unreadable' });
}

const refuseCertification = (file: string, { code, message }: CertifyRefusal): CarrierspecError =>
  new CarrierspecError(`${file} is not certified: ${message}`, { code });

/** Name of the certificate beside a result, without --out. */
const certificateName = 'certificate.jws';

/** `carrierspec certify RESULT --key K`: signs a result. Returns 0 once the certificate is written, whatever its outcome. */
export async function certifyCommand(
  flags: CommandInputs<typeof certifyDefinition>,
  invocation: Invocation,
): Promise<number> {
  const { file } = flags;
  const out = flags.out ?? join(dirname(file), certificateName);
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
  if ('refused' in checked) throw refuseCertification(file, checked.refused);
  const knownRules = suites.rules.map(({ id }) => id);
  const source = { digest, bytes, additions: flags.suites, knownRules, now: Date.now() };
  const manifest = makeManifest({ ...source, result: checked.result }, checked.outcome);
  const unsound = findManifestContradiction(manifest);
  if (unsound !== undefined)
    throw refuseCertification(file, {
      code: 'contradiction',
      message: `the certificate would contradict itself: ${unsound}`,
    });
  requireUnchanged(file, digest);
  const signed = [await signManifest(manifest, key)];
  if (flags.out === undefined) writeBelow({ folder: dirname(file), flag: '--out' }, certificateName, signed);
  else writeWhole(out, signed, '--out');
  invocation.stdout.write(
    `${renderCertificate(createTerminalPage(invocation), manifest, { first: 'Certified' }).join('\n')}\n`,
  );
  invocation.stderr.write(`signed with the key ${forTerminal(key.kid)} (${key.alg}): ${forTerminal(out)}\n`);
  return exitCodes.conformant;
}
