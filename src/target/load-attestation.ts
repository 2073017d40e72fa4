import { resolve } from 'node:path';
import type { Attestation } from '../model/attestation.ts';
import type { Problem } from '../model/problem.ts';
import { at, type Cursor, keyPlace, text } from '../suite/yaml/cursor.ts';
import { digestFile } from './file-digest.ts';
import type { Reader } from './reader.ts';

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** It is tomorrow already in the first of the time zones. */
const firstZone = 14 * 3_600_000;

function loadDay(cursor: Cursor, now: number, reader: Reader): string {
  const day = text(cursor) ?? '';
  const parsed = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(parsed) || dayOf(parsed) !== day) {
    reader.complain(cursor, 'bad-value', `there is no day ${day}`);
  } else if (day > dayOf(now + firstZone)) {
    reader.complain(cursor, 'bad-value', `${day} is still to come: what is attested has been seen`);
  }
  return day;
}

function loadEvidence(cursor: Cursor, reader: Reader): Pick<Attestation, 'evidence' | 'sha256'> {
  const file = text(cursor);
  if (file === undefined) return { evidence: text(at(cursor, 'text')) ?? '' };
  const digested = digestFile(resolve(reader.folder, file));
  if ('sha256' in digested) return { evidence: file, sha256: digested.sha256 };
  reader.complain(cursor, 'file-unreadable', `${file} cannot be read: ${digested.wrong}`);
  return { evidence: file };
}

interface Attesting {
  readonly reader: Reader;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A problem as it may be shown. */
  readonly mask: (problem: Problem) => Problem;
}

/** What the operator attests of one rule; whether the rule is one to attest is known where the rules are. */
export function loadAttestation(rule: string, cursor: Cursor, { reader, now, mask }: Attesting): Attestation {
  const { document } = cursor;
  const { position, sourceLine } = mask(
    document.problem({ code: 'unknown-rule', message: '', position: keyPlace(cursor) }),
  );
  return {
    rule,
    by: text(at(cursor, 'by')) ?? '',
    on: loadDay(at(cursor, 'on'), now, reader),
    description: text(at(cursor, 'description')) ?? '',
    ...loadEvidence(at(cursor, 'evidence'), reader),
    place: { position, ...(sourceLine === undefined ? {} : { sourceLine }) },
  };
}
