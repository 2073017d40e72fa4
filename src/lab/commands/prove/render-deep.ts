import { countNoun, groupBy } from '../../../lib/lists.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';
import type { DeepProof } from '../../prove/deep/prove-deep.ts';

interface RenderedDeep {
  readonly proofs: readonly DeepProof[];
  /** Request objects of one exploration, and the number of explorations of a fault. */
  readonly requests: number;
  readonly seeds: number;
  readonly seconds: number;
  readonly report: string;
}

/** Finder of a fault: the run comes first, and exploration tries what the run left. */
type Finder = 'run' | 'exploration' | 'neither';

const isShown = ({ tries }: DeepProof): boolean => tries.some(({ shown }) => shown !== undefined);

function finderOf(proof: DeepProof): Finder {
  if (proof.run.red.length > 0) return 'run';
  return isShown(proof) ? 'exploration' : 'neither';
}

const countFound = (proofs: readonly DeepProof[], finder: Finder): number =>
  proofs.filter((proof) => finderOf(proof) === finder).length;

const minFoundShare = 0.9;

/** Whether run and exploration together find most of the faults. */
export const findsMost = (proofs: readonly DeepProof[]): boolean =>
  proofs.length - countFound(proofs, 'neither') >= minFoundShare * proofs.length;

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const columns = ['faults', 'found by the run', 'by exploration', 'by neither'] as const;
const labelWidth = 14;

const renderCells = (label: string, cells: readonly (string | number)[]): string =>
  `  ${label.padEnd(labelWidth)}${cells.map((cell, at) => String(cell).padStart((columns[at] ?? '').length + 2)).join('')}`;

function renderRow(label: string, proofs: readonly DeepProof[]): string {
  const counts = (['run', 'exploration', 'neither'] as const).map((finder) => countFound(proofs, finder));
  return renderCells(label, [proofs.length, ...counts]);
}

/** Share of the explorations that found their fault, and after how many requests. */
function renderEffort(proofs: readonly DeepProof[], { requests, seeds }: RenderedDeep): string | undefined {
  const tries = proofs.flatMap((proof) => proof.tries);
  if (tries.length === 0) return undefined;
  const found = tries.flatMap(({ shown }) => shown?.requests ?? []);
  const middle = median(found)?.toLocaleString('en');
  const tried = `${countNoun(seeds, 'exploration')} of ${requests.toLocaleString('en')} requests for each fault that the run did not find`;
  return `${tried}: ${found.length} of ${tries.length} found it${middle === undefined ? '' : `, the median after ${middle} requests`}.`;
}

/** Renders by kind how many deep faults the run finds and how many more exploration finds, and names the others. */
export function renderDeep(page: Page, rendered: RenderedDeep): readonly string[] {
  const { proofs, seconds, report } = rendered;
  const left = proofs.filter((proof) => finderOf(proof) === 'neither');
  const counts = (['run', 'exploration', 'neither'] as const).map((finder) => countFound(proofs, finder));
  const end = `${proofs.length - left.length} of ${countNoun(proofs.length, 'deep fault')} found: ${counts[0]} by the run, ${counts[1]} more by exploration.`;
  return [
    page.paint.dim(renderCells('', columns)),
    ...[...groupBy(proofs, ({ fault }) => fault.kind)].map(([kind, some]) => renderRow(kind, some)),
    renderRow('all', proofs),
    ...(left.length === 0 ? [] : page.heading('Found by neither', String(left.length))),
    ...left.flatMap(({ fault: { name, breaks, description } }) =>
      page.paragraph(`${name} (${breaks.join(', ')}): ${description}`),
    ),
    '',
    ...page.paragraph(renderEffort(proofs, rendered)),
    `in ${seconds.toFixed(1)} s; report: ${forTerminal(report)}`,
    findsMost(proofs) ? page.paint.green(end) : page.paint.red(end),
  ];
}
