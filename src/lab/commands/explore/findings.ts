import { join } from 'node:path';
import type { ExplorationResult, UnconfirmedFinding } from '../../explore/explore.ts';
import type { ConfirmedFinding } from '../../explore/settle.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { countNoun } from '../../../lib/lists.ts';
import { type Rule, renderRuleRef } from '../../../model/rule.ts';
import { renderCommand } from '../../../report/shared/facts.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { cutText, forLines, forTerminal, showValue } from '../../../report/shared/sanitize.ts';
import { writeYaml } from '../../../suite/yaml/document.ts';
import { writeBelow } from '../../../cli/shared/files.ts';

/** Reason for an early end; `cut-off` is recorded while it still runs. */
type EndReason = 'interrupted' | 'budget' | 'cut-off';

export interface CarrierExploration extends ExplorationResult {
  readonly seed: string;
  readonly seconds: number;
  readonly endedBy?: EndReason;
}

export interface WrittenFinding {
  readonly found: ConfirmedFinding;
  readonly id: string;
  readonly file: string;
  /** Command that reproduces it against the same carrier. */
  readonly again: string;
}

const maxQuotedText = 300;

const toComment = (text: string): string => `# ${forLines(cutText(text, maxQuotedText)).replaceAll('\n', ' ')}`;

const findingRule = ({ finding }: ConfirmedFinding): string => renderRuleRef(finding);

export const describeMismatch = ({ finding: { path, expected, actual } }: Pick<ConfirmedFinding, 'finding'>): string =>
  `${path === undefined ? '' : `${path}: `}${showValue(expected, maxQuotedText)} expected, ${showValue(actual, maxQuotedText)} came`;

function findingSuite(found: ConfirmedFinding, id: string): JsonObject {
  const { title: _title, steps, ...setting } = found.case;
  return {
    suite: 'Found by exploration',
    cases: [
      { id, title: found.title, rule: findingRule(found), ...setting, ...(steps === undefined ? {} : { steps }) },
    ],
  };
}

/** Writes a one-case suite per finding. Throws if the folder is not writable. */
export function writeFindings(
  all: readonly ConfirmedFinding[],
  { folder, seed, flags }: { folder: string; seed: string; flags: readonly string[] },
): readonly WrittenFinding[] {
  return all.map((found, at) => {
    const id = `explored-${findingRule(found)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')}-${at + 1}`;
    const file = join(folder, `${id}.suite.yaml`);
    const again = renderCommand(file, flags);
    const head = [
      toComment(`Found by carrierspec explore --seed ${seed} (${found.kind}): ${describeMismatch(found)}.`),
      toComment(`See it again: ${again}`),
    ];
    writeBelow({ folder, flag: '--out' }, `${id}.suite.yaml`, [
      `${head.join('\n')}\n${writeYaml(findingSuite(found, id))}`,
    ]);
    return { found, id, file, again };
  });
}

interface ExplorationView extends CarrierExploration {
  readonly findings: readonly WrittenFinding[];
  readonly rules: readonly Rule[];
}

function describeCounts({ requests }: ExplorationResult): string {
  const counts = Object.entries(requests).map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

const endDescriptions: Readonly<Record<EndReason, string>> = {
  interrupted: 'Interrupted: what was not sent by then is not tried.',
  budget: 'The budget was over before all requests were sent; --budget sets another.',
  'cut-off': 'It was cut off.',
};

function renderWrittenFinding(page: Page, { found, again }: WrittenFinding, rules: readonly Rule[]): readonly string[] {
  const rule = rules.find(({ id }) => id === found.rule);
  const folded = found.folded === 0 ? '' : `; ${countNoun(found.folded, 'other request')} showed the same`;
  return [
    '',
    `${page.paint.red(found.finding.level === 'required' ? 'broken' : 'warned')} ${page.paint.bold(forTerminal(renderRuleRef(found.finding)))}  ${page.paint.dim(`${found.kind}, after ${found.after.toLocaleString('en')} requests${folded}`)}`,
    ...page.paragraph(rule?.description),
    ...page.fact('tried', found.title),
    ...page.fact('came', describeMismatch(found)),
    ...page.fact('with', found.parts.length === 0 ? undefined : found.parts.join('; ')),
    ...page.fact('again', again, { whole: true }),
  ];
}

const describeOnce = ({ untried }: UnconfirmedFinding): string =>
  untried === true ? 'Seen once, and not tried again before the end' : 'Seen once and not again, so it is no finding';

export function renderExploration(page: Page, all: ExplorationView): readonly string[] {
  const { findings, unconfirmed, unjudged, stopped, seed, seconds, rules, endedBy } = all;
  const sum = Object.values(all.requests).reduce((sent, count) => sent + count, 0);
  const end =
    findings.length === 0
      ? sum === 0
        ? 'Nothing was tried.'
        : page.paint.green('Nothing was found.')
      : page.paint.red(`${countNoun(findings.length, 'finding')}.`);
  return [
    ...findings.flatMap((one) => renderWrittenFinding(page, one, rules)),
    ...unconfirmed
      .slice(0, 10)
      .flatMap((one) => ['', ...page.paragraph(`${describeOnce(one)}: ${one.rule}, ${one.title}`, { indent: 0 })]),
    ...(findings.length + unconfirmed.length === 0 ? [] : ['']),
    ...(stopped === undefined ? [] : page.paragraph(`It had to stop: ${stopped}`, { indent: 0 })),
    ...(unjudged.count === 0
      ? []
      : page.paragraph(`${countNoun(unjudged.count, 'probe')} without a verdict: ${unjudged.reason ?? ''}`, {
          indent: 0,
        })),
    ...page.paragraph(
      `Seed ${seed}: ${sum.toLocaleString('en')} request objects in ${seconds.toFixed(1)} s${describeCounts(all)}.`,
      { indent: 0 },
    ),
    ...(endedBy === undefined ? [] : page.paragraph(endDescriptions[endedBy], { indent: 0 })),
    end,
  ];
}
