import { createHash } from 'node:crypto';
import { valuesOf } from '../../model/flags.ts';
import type { ResultHeader } from '../../model/result.ts';
import type { CarrierKind, HistoryEntry } from './lines.ts';

/** 16 hex digits that stand for a text. */
export const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const faultsOf = ({ flags }: ResultHeader): readonly string[] =>
  [...new Set(valuesOf(flags, '--fault'))].toSorted(compareTexts);

/** Who was tested. */
export interface Identity {
  readonly key: string;
  readonly kind: CarrierKind;
  readonly faults: readonly string[];
  readonly interface: string;
}

function kindOf({ target, flags }: ResultHeader, faults: readonly string[]): CarrierKind {
  if (faults.length > 0) return 'faults injected';
  if (!flags.includes('--target')) return 'reference carrier';
  return target.testCarrier === true ? 'test carrier' : 'carrier';
}

/**
 * A carrier is its issuer, as one interface sees it. The reference carrier has another port in each run; with other faults it
 * is another carrier.
 */
export function identityOf({ header }: HistoryEntry): Identity {
  const faults = faultsOf(header);
  const kind = kindOf(header, faults);
  const who = header.flags.includes('--target') ? ['issuer', header.target.issuer] : ['reference'];
  const { id, version } = header.interface;
  return { key: JSON.stringify([who, kind, faults, id, version]), kind, faults, interface: `${id} ${version}` };
}

/** The order in which kinds are shown. */
export const kinds: readonly CarrierKind[] = ['carrier', 'test carrier', 'reference carrier', 'faults injected'];
