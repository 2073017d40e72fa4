import type { ResultHeader } from '../../model/result.ts';
import { type Page, renderFact } from '../shared/layout.ts';
import { clockLegend, levelLegend } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';

/** `sha256:3f2a91c0d4e5...` as its first twelve digits. */
const short = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);

/** What was run, against whom, on which clock. */
export function renderHead(page: Page, header: ResultHeader): readonly string[] {
  const { tool, run, target, clock, suites, selection, level, startedAt, shard } = header;
  const clockTone = clock.kind === 'virtual' ? page.paint.yellow : page.paint.reset;
  const facts = [
    { label: 'target', text: `${target.name} (${target.file})` },
    { label: 'issuer', text: target.issuer },
    {
      label: 'clock',
      text: `${clockLegend[clock.kind]}${clock.note === '' ? '' : `. ${clock.note}`}`,
      tone: clockTone,
    },
    { label: 'suites', text: `rules ${short(suites.rules)}, suites ${short(suites.suites)}` },
    {
      label: 'selection',
      text: `${selection.length === 0 ? 'everything' : selection.join(', ')}; ${levelLegend[level]}`,
    },
    ...(shard === undefined ? [] : [{ label: 'shard', text: `${shard.index} of ${shard.of}` }]),
    { label: 'started', text: startedAt },
  ];
  return [
    `${page.paint.bold(`${tool.name} ${forTerminal(tool.version, 40)}`)}  ${page.paint.dim(`run ${forTerminal(run, 60)}`)}`,
    '',
    ...facts.flatMap((fact) => renderFact(page, fact, { indent: 2, ...('tone' in fact ? { tone: fact.tone } : {}) })),
  ];
}
