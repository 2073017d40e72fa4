import { at, type Cursor, items, cursorText } from '../suite/yaml/document.ts';
import { parseDuration } from '../lib/duration.ts';
import { omitUndefined } from '../lib/json.ts';
import { suggestKnown } from '../lib/suggestion.ts';
import type { Interface } from '../model/interface.ts';
import type { Target, TargetPosition, Attestation } from '../model/target.ts';
import { hasAttribute } from '../model/declaration.ts';
import { execKind } from './drivers/kinds.ts';
import type { GivenAttestation, GivenTarget } from './grammar/target.ts';
import type { TargetReader } from './reader.ts';
import { resolve } from 'node:path';
import { digestFile } from '../files/read.ts';

const isoDay = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

export function isDay(day: string): boolean {
  const parsed = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed) && isoDay(parsed) === day;
}

/** Offset of the first time zone, in milliseconds: its date may be a day ahead of UTC. */
const maxZoneOffset = 14 * 3_600_000;

function requirePastDay(day: string, cursor: Cursor, { reader, now }: AttestationContext): void {
  if (!isDay(day)) reader.complain(cursor, 'bad-value', `there is no day ${day}`);
  else if (day > isoDay(now + maxZoneOffset)) {
    reader.complain(cursor, 'bad-value', `${day} is still to come: what is attested has been seen`);
  }
}

function loadEvidence(cursor: Cursor, reader: TargetReader): Pick<Attestation, 'evidence' | 'sha256'> {
  const file = cursorText(cursor);
  if (file === undefined) return { evidence: cursorText(at(cursor, 'text')) ?? '' };
  const digested = digestFile(resolve(reader.folder, file));
  if ('sha256' in digested) return { evidence: file, sha256: digested.sha256 };
  reader.complain(cursor, 'file-unreadable', `${file} cannot be read: ${digested.wrong}`);
  return { evidence: file };
}

interface AttestationContext {
  readonly reader: TargetReader;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Position of the attestation. */
  readonly place: TargetPosition;
}

/** Loads the attestation of one rule. Whether that rule can be attested is checked later, with the rules. */
export function loadAttestation(rule: string, given: GivenAttestation, attesting: AttestationContext): Attestation {
  const { by = '', on = '', description = '', cursor } = given;
  requirePastDay(on, at(cursor, 'on'), attesting);
  const evidence = loadEvidence(at(cursor, 'evidence'), attesting.reader);
  return { rule, by, on, description, ...evidence, place: attesting.place };
}

/** The operator's declarations on points that the interface leaves open. */
type DeclaredFields = Pick<
  Target,
  'latency' | 'attributes' | 'carrierCodes' | 'assertionAudience' | 'userinfoProof' | 'proof'
>;

function loadLatency(given: GivenTarget['latency']): Target['latency'] {
  if (given === undefined) return undefined;
  const { cursor: _, ...written } = given;
  const seconds = Object.entries(written).flatMap(([name, duration]) => {
    const value = parseDuration(duration);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(seconds);
}

/** Loads the attributes and reports unknown ones, which would have no effect. */
function loadAttributes(given: Cursor | undefined, { attributes }: AttributeNames, reader: TargetReader) {
  if (given === undefined) return undefined;
  const { known } = attributes;
  return items(given).flatMap((item) => {
    const name = cursorText(item) ?? '';
    if (hasAttribute(known, name)) return [name];
    const hint = suggestKnown(name, known);
    const message = `there is no attribute "${name}"${hint === undefined ? '' : `; ${hint}`}`;
    return reader.complain(item, 'unknown-name', message) ?? [];
  });
}

/** Loads the carrier's own codes, including `mccmnc`, and foreign codes. */
function loadCodes({ mccmnc = '', carrier_codes: given }: GivenTarget, reader: TargetReader): Target['carrierCodes'] {
  if (given === undefined) return undefined;
  const own = [...new Set([mccmnc, ...(given.own ?? [])])];
  const { foreign = [], cursor } = given;
  for (const [index, code] of foreign.entries()) {
    if (!own.includes(code)) continue;
    const place = items(at(cursor, 'foreign'))[index] ?? cursor;
    reader.complain(place, 'bad-value', `${code} is a code of this carrier, so it is not foreign`);
  }
  return { own, foreign };
}

const audienceKeywords = ['token_endpoint', 'issuer'];

function loadAudience(given: GivenTarget['token'], reader: TargetReader): string | undefined {
  const written = given?.assertion_audience;
  if (given === undefined || written === undefined || audienceKeywords.includes(written)) return written;
  if (URL.canParse(written)) return written;
  const message = `the audience of client assertions is token_endpoint, issuer or a URL, not "${written}"`;
  return reader.complain(at(given.cursor, 'assertion_audience'), 'bad-value', message);
}

function loadProof(given: GivenTarget['proof'], reader: TargetReader): Target['proof'] {
  return given === undefined || typeof given === 'string' ? given : execKind.load(given, reader);
}

type AttributeNames = Pick<Interface, 'attributes'>;

export function loadDeclarations(given: GivenTarget, reader: TargetReader, certified: AttributeNames): DeclaredFields {
  return omitUndefined({
    latency: loadLatency(given.latency),
    attributes: loadAttributes(given.attributes, certified, reader),
    carrierCodes: loadCodes(given, reader),
    assertionAudience: loadAudience(given.token, reader),
    userinfoProof: given.userinfo?.proof,
    proof: loadProof(given.proof, reader),
  });
}
