import type { CarrierHistory, HistoryRun } from '../../compare/history/lines.ts';
import { momentOf } from '../html/parts.ts';

/** Where the report of a run is: a path from the folder of the page; undefined where there is none. */
export type ReportOf = (run: HistoryRun) => string | undefined;

/** What the carrier of a history is, in words; empty where it is an operator's as it is. */
export function kindWords({ kind, faults }: Pick<CarrierHistory, 'kind' | 'faults'>): string {
  if (kind === 'carrier') return '';
  if (kind === 'test carrier') return 'a test carrier';
  if (kind === 'reference carrier') return 'the embedded reference carrier';
  return `the embedded reference carrier with faults injected: ${faults.join(', ')}`;
}

/** `Reference carrier, with faults injected: iat-not-checked`. */
export function titleOf(carrier: CarrierHistory): string {
  const words = kindWords(carrier);
  return words === '' ? carrier.name : `${carrier.name}, ${words}`;
}

/** `2026-01-01 00:00:00 UTC`. */
export const whenOf = ({ startedAt }: HistoryRun): string => momentOf(startedAt);

export const dayOf = ({ startedAt }: HistoryRun): string => startedAt.slice(0, 10);
