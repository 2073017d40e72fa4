import { countOf, groupBy } from '../../lib/lists.ts';
import type { DeepProof } from '../../prove/deep/prove-deep.ts';
import type { Page } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';

export interface RenderedDeep {
  readonly proofs: readonly DeepProof[];
  readonly requests: number;
  readonly seconds: number;
  /** Path of the written report. */
  readonly report: string;
}

const foundIn = ({ tries }: DeepProof): number => tries.filter(({ shown }) => shown !== undefined).length;

/** Of all explorations, how many found the fault that was there. */
function shareOf(proofs: readonly DeepProof[]): number {
  const all = proofs.reduce((sum, { tries }) => sum + tries.length, 0);
  return proofs.reduce((sum, proof) => sum + foundIn(proof), 0) / Math.max(1, all);
}

/** The share that one exploration should find. */
const goodShare = 0.9;

export const isGood = (proofs: readonly DeepProof[]): boolean =>
  shareOf(proofs) >= goodShare && proofs.every((proof) => foundIn(proof) > 0);

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function renderKind(page: Page, kind: string, proofs: readonly DeepProof[]): readonly string[] {
  const never = proofs.filter((proof) => foundIn(proof) === 0).length;
  const requests = median(proofs.flatMap(({ tries }) => tries.flatMap(({ shown }) => shown?.requests ?? [])));
  const words = [
    `${countOf(proofs.length, 'fault')}, ${percent(shareOf(proofs))} found by one exploration`,
    ...(requests === undefined ? [] : [`median of ${requests.toLocaleString('en')} requests`]),
    ...(never === 0 ? [] : [`${never} by none`]),
  ];
  return page.fact(kind, words.join(', '));
}

/** The share of deep faults that is found, by kind, and those that no seed has found. */
export function renderDeep(page: Page, { proofs, requests, seconds, report }: RenderedDeep): readonly string[] {
  const kinds = groupBy(proofs, ({ fault }) => fault.kind);
  const never = proofs.filter((proof) => foundIn(proof) === 0);
  const seeds = proofs[0]?.tries.length ?? 0;
  const median_ = median(proofs.flatMap(({ tries }) => tries.flatMap(({ shown }) => shown?.requests ?? [])));
  const found = proofs.length - never.length;
  const end = `${percent(shareOf(proofs))} found by one exploration of ${requests.toLocaleString('en')} requests, ${found} of ${proofs.length} by ${countOf(seeds, 'exploration')}; median of ${(median_ ?? 0).toLocaleString('en')} requests.`;
  return [
    ...[...kinds].flatMap(([kind, some]) => renderKind(page, kind, some)),
    ...(never.length === 0 ? [] : page.heading('Found by none', String(never.length))),
    ...never.flatMap(({ fault: { name, breaks, description } }) =>
      page.paragraph(`${name} (${breaks.join(', ')}): ${description}`),
    ),
    '',
    `in ${seconds.toFixed(1)} s; report: ${forTerminal(report)}`,
    isGood(proofs) ? page.paint.green(end) : page.paint.red(end),
  ];
}
