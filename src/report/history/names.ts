import type { CarrierHistory, HistoryRun } from '../../compare/history/lines.ts';
import { momentOf } from '../html/parts.ts';

/** Where a page leads for a run's report: a path from the folder of the site; undefined where there is none. */
export type ReportOf = (run: HistoryRun) => string | undefined;

/** Names of files have nothing of a result in them but hex digits of a digest. */
export const carrierPage = (id: string): string => `carrier-${id}.html`;
export const reportPage = (id: string): string => `reports/${id}.html`;

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
