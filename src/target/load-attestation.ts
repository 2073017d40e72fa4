import { at, type Cursor, text } from '../suite/yaml/document.ts';
import { resolve } from 'node:path';
import { digestFile } from '../lib/digest.ts';
import type { Attestation } from '../model/attestation.ts';
import type { Place } from '../model/target.ts';
import type { GivenAttestation } from './grammar/target.ts';
import type { Reader } from './reader.ts';

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Whether a calendar has this day. */
export function isDay(day: string): boolean {
  const parsed = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed) && dayOf(parsed) === day;
}

/** It is tomorrow already in the first of the time zones. */
const firstZone = 14 * 3_600_000;

function requirePast(day: string, cursor: Cursor, { reader, now }: Attesting): void {
  if (!isDay(day)) reader.complain(cursor, 'bad-value', `there is no day ${day}`);
  else if (day > dayOf(now + firstZone)) {
    reader.complain(cursor, 'bad-value', `${day} is still to come: what is attested has been seen`);
  }
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
  /** Where the attestation stands. */
  readonly place: Place;
}

/** What the operator attests of one rule; whether the rule is one to attest is known where the rules are. */
export function loadAttestation(rule: string, given: GivenAttestation, attesting: Attesting): Attestation {
  const { by = '', on = '', description = '', cursor } = given;
  requirePast(on, at(cursor, 'on'), attesting);
  const evidence = loadEvidence(at(cursor, 'evidence'), attesting.reader);
  return { rule, by, on, description, ...evidence, place: attesting.place };
}
