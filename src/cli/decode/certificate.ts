import { certificateType } from '../../certificate/compact.ts';
import { type Flaw, isFlaw } from '../../certificate/flaw.ts';
import { readUnverified, type Unverified } from '../../certificate/verify.ts';
import { certificateWords } from '../../certificate/words.ts';
import { decodeSegment } from '../../judge/compact-jws.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Page } from '../../report/shared/layout.ts';

/** A certificate of carrierspec, as far as it can be read without the key of who signed it. */
export type ReadCertificate = Unverified | Flaw;

/** What a text says that names itself a certificate; undefined of any other. `now` in milliseconds since the epoch. */
export function readAsCertificate(text: string, now: number): ReadCertificate | undefined {
  const [header = ''] = text.trimStart().split('.', 1);
  if (header.length > 1000 || decodeSegment(header)?.['typ'] !== certificateType) return undefined;
  return readUnverified(text.trim(), now);
}

const checkedBy = 'carrierspec verify FILE --key PUBLIC checks its form and its signature; decode has verified neither';

export function renderReadCertificate(page: Page, read: ReadCertificate): readonly string[] {
  const { bold, red, yellow } = page.paint;
  const title = bold('certificate of carrierspec (docs/certification.md)');
  if (isFlaw(read)) {
    return [
      title,
      ...page.fact('not valid', `${read.message} [${read.code}]`, { tone: red }),
      ...page.paragraph(checkedBy),
    ];
  }
  const { manifest, kid, alg } = read;
  const { carrier, run, tool, certificationProfile } = manifest;
  return [
    title,
    ...page.fact(
      'carrier',
      `${JSON.stringify(carrier.name)} (${carrier.issuer})${carrier.testCarrier ? ', a test carrier' : ''}`,
    ),
    ...page.fact('interface', `${manifest.interface.id}, edition ${manifest.interface.version}`),
    ...page.fact('verdict', certificateWords(manifest).title),
    ...page.fact('profile', certificationProfile),
    ...page.fact('run', `${run.id}, from ${run.startedAt} to ${run.endedAt}, on the ${manifest.clock.kind} clock`),
    ...page.fact('certified', manifest.certifiedAt),
    ...page.fact('program', `${tool.name} ${tool.version}`),
    ...page.fact('signed', `with the key ${JSON.stringify(kid)} (alg ${alg}), as it says`),
    ...page.paragraph(checkedBy, { indent: 0, tone: yellow }),
  ];
}

/** The same as data. */
export function readCertificateJson(read: ReadCertificate): JsonObject {
  const type = 'certificate';
  if (isFlaw(read)) return { type, verified: false, flaw: { code: read.code, message: read.message } };
  const { manifest, kid, alg } = read;
  const { carrier, run, certifiedAt, outcome, tool } = manifest;
  return {
    type,
    verified: false,
    kid,
    alg,
    carrier: { ...carrier },
    interface: { ...manifest.interface },
    outcome,
    title: certificateWords(manifest).title,
    ...(manifest.certificationProfile === undefined ? {} : { certificationProfile: manifest.certificationProfile }),
    certifiedAt,
    run: { id: run.id, startedAt: run.startedAt, endedAt: run.endedAt },
    clock: manifest.clock.kind,
    tool: { ...tool },
  };
}
