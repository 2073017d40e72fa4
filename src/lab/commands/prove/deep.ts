import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { compileGlob } from '../../../engine/plan/select.ts';
import { countNoun, groupBy } from '../../../lib/lists.ts';
import { CarrierspecError } from '../../../model/problem.ts';
import { chooseDeepFaults, deepNames, type DeepProof, proveDeep } from '../../prove/deep/prove-deep.ts';
import { openThreads } from '../../prove/pool.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { hintFor } from '../../../cli/shared/choose.ts';
import type { CommandInputs, Invocation } from '../../../cli/shared/command.ts';
import { createTerminalPage } from '../../../cli/shared/page.ts';
import { makeFolder, writeBelow } from '../../../cli/shared/files.ts';
import type { deepDefinition } from './definitions.ts';

interface RenderedDeep {
  readonly proofs: readonly DeepProof[];
  readonly requests: number;
  readonly seconds: number;
  readonly report: string;
}

const countFound = ({ tries }: DeepProof): number => tries.filter(({ shown }) => shown !== undefined).length;

/** Share of explorations that found their fault. */
function foundShare(proofs: readonly DeepProof[]): number {
  const all = proofs.reduce((sum, { tries }) => sum + tries.length, 0);
  return proofs.reduce((sum, proof) => sum + countFound(proof), 0) / Math.max(1, all);
}

const minFoundShare = 0.9;

const isGood = (proofs: readonly DeepProof[]): boolean =>
  foundShare(proofs) >= minFoundShare && proofs.every((proof) => countFound(proof) > 0);

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function renderFaultKind(page: Page, kind: string, proofs: readonly DeepProof[]): readonly string[] {
  const never = proofs.filter((proof) => countFound(proof) === 0).length;
  const requests = median(proofs.flatMap(({ tries }) => tries.flatMap(({ shown }) => shown?.requests ?? [])));
  const words = [
    `${countNoun(proofs.length, 'fault')}, ${percent(foundShare(proofs))} found by one exploration`,
    ...(requests === undefined ? [] : [`median of ${requests.toLocaleString('en')} requests`]),
    ...(never === 0 ? [] : [`${never} by none`]),
  ];
  return page.fact(kind, words.join(', '));
}

/** Renders the share of deep faults found, by kind, and those never found. */
function renderDeep(page: Page, { proofs, requests, seconds, report }: RenderedDeep): readonly string[] {
  const kinds = groupBy(proofs, ({ fault }) => fault.kind);
  const never = proofs.filter((proof) => countFound(proof) === 0);
  const seeds = proofs[0]?.tries.length ?? 0;
  const median_ = median(proofs.flatMap(({ tries }) => tries.flatMap(({ shown }) => shown?.requests ?? [])));
  const found = proofs.length - never.length;
  const end = `${percent(foundShare(proofs))} found by one exploration of ${requests.toLocaleString('en')} requests, ${found} of ${proofs.length} by ${countNoun(seeds, 'exploration')}; median of ${(median_ ?? 0).toLocaleString('en')} requests.`;
  return [
    ...[...kinds].flatMap(([kind, some]) => renderFaultKind(page, kind, some)),
    ...(never.length === 0 ? [] : page.heading('Found by none', String(never.length))),
    ...never.flatMap(({ fault: { name, breaks, description } }) =>
      page.paragraph(`${name} (${breaks.join(', ')}): ${description}`),
    ),
    '',
    `in ${seconds.toFixed(1)} s; report: ${forTerminal(report)}`,
    isGood(proofs) ? page.paint.green(end) : page.paint.red(end),
  ];
}

/** Far from the edges of a day, month and year, as in other proofs. */
export const explorationStart = Date.UTC(2026, 0, 15, 12, 34, 56);

function selectDeepFaults(names: readonly string[]) {
  const known = deepNames();
  for (const pattern of names) {
    if (known.some((name) => compileGlob(pattern).test(name))) continue;
    const hint = hintFor(pattern, known, 'carrierspec list --kind fault has them');
    throw new CarrierspecError(`there is no deep fault and no kind ${pattern}; ${hint}`, { code: 'unknown-name' });
  }
  return chooseDeepFaults(names, (pattern, name) => compileGlob(pattern).test(name));
}

/** `npm run prove:deep`: measures how well exploration finds defects that no listed case covers. */
export async function proveDeepCommand(
  flags: CommandInputs<typeof deepDefinition>,
  invocation: Invocation,
): Promise<number> {
  const { names, seeds: count, requests, out } = flags;
  const faults = selectDeepFaults(names);
  makeFolder(out, '--out', ['deep.json']);
  const begun = performance.now();
  const threads = openThreads('explore', availableParallelism(), {
    suites: [],
    startAt: explorationStart,
  });
  const total = faults.length * count;
  let done = 0;
  try {
    const seeds = Array.from({ length: count }, (_, at) => String(at + 1));
    const onTry = (): void => {
      done += 1;
      if (done % Math.max(1, Math.ceil(total / 20)) === 0) invocation.stderr.write(`${done}/${total} explorations\n`);
    };
    const proofs = await proveDeep({ faults, seeds, requests, threads, onTry });
    const report = join(out, 'deep.json');
    const tries = proofs.map(({ fault: { name, kind, breaks }, tries: all }) => ({ name, kind, breaks, tries: all }));
    const written = { format: 'carrierspec-deep', version: 1, requests, faults: tries };
    writeBelow({ folder: out, flag: '--out' }, 'deep.json', [`${JSON.stringify(written, null, 1)}\n`]);
    const seconds = (performance.now() - begun) / 1000;
    invocation.stdout.write(
      `${renderDeep(createTerminalPage(invocation), { proofs, requests, seconds, report }).join('\n')}\n`,
    );
    return isGood(proofs) ? exitCodes.conformant : exitCodes['not conformant'];
  } finally {
    await threads.close();
  }
}
