import { renderPosition } from '../../model/position.ts';
import { headlineLineOf } from '../../model/headline.ts';
import type { Result } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { interfaceText, replacedTexts } from '../shared/run-prose.ts';
import { notesOf } from '../shared/notes.ts';
import { forJson, forTerminal } from '../shared/sanitize.ts';
import { type Testcase, testsOf } from '../shared/testcases.ts';

/** A description ends at an unescaped `#`, where a directive such as `# SKIP` would begin. */
const escapeText = (text: string): string => forTerminal(text).replace(/[\\#]/g, (character) => `\\${character}`);

/** YAML takes a JSON string as it is, so nothing in one can end the block or begin another key. */
function diagnosticsOf({ verdict, rules, position, trouble, output }: Testcase): readonly string[] {
  const pairs: Readonly<Record<string, string | undefined>> = {
    verdict,
    rules: rules.map(renderRuleRef).join(', '),
    at: position === undefined ? undefined : renderPosition(position),
    message: trouble === undefined || trouble.message === '' ? undefined : trouble.message,
  };
  const lists: Readonly<Record<string, readonly string[]>> = {
    evidence:
      trouble?.element === 'failure' || trouble?.type === 'expected'
        ? trouble.text.split('\n').filter((line) => line !== '')
        : [],
    warnings: output.split('\n').filter((line) => line.startsWith('warning=')),
  };
  return [
    ...Object.entries(pairs).flatMap(([name, text]) =>
      text === undefined || text === '' ? [] : [`${name}: ${forJson(text)}`],
    ),
    ...Object.entries(lists).flatMap(([name, lines]) =>
      lines.length === 0 ? [] : [`${name}:`, ...lines.map((line) => `  - ${forJson(line)}`)],
    ),
  ];
}

/** Inconclusive is never `ok`: a reader of TAP knows nothing between the two. */
function renderTest(test: Testcase, number: number): string {
  const { trouble } = test;
  const isExpected = trouble?.type === 'expected';
  const isOk = trouble === undefined || (trouble.element === 'skipped' && !isExpected);
  const directive =
    isOk && trouble !== undefined
      ? ` # SKIP ${escapeText(trouble.text)}`
      : isExpected
        ? ` # TODO ${escapeText(trouble.message)}`
        : '';
  const block = ['---', ...diagnosticsOf(test), '...'].map((line) => `  ${line}\n`).join('');
  return `${isOk ? 'ok' : 'not ok'} ${number} - ${escapeText(test.name)}${directive}\n${block}`;
}

function renderHead(result: Result): string {
  const { header, footer } = result;
  const { tool, target, clock, run } = header;
  const lines = [
    `${tool.name} ${tool.version}, run ${run}`,
    `interface ${interfaceText(header)}`,
    `target ${target.name}, issuer ${target.issuer}, clock ${clock.kind}`,
    footer === undefined ? 'the run was cut off, so it has no outcome' : `outcome ${headlineLineOf(result)}`,
    ...replacedTexts(header),
    ...notesOf(result).map(({ about, name, words }) => `${about} ${name}: ${words}`),
  ];
  return `TAP version 14\n${lines.map((line) => `# ${forTerminal(line)}\n`).join('')}`;
}

/** The result as TAP 14 (https://testanything.org/tap-version-14-specification.html), the plan at its end. */
export function* renderTap(result: Result): Iterable<string> {
  yield renderHead(result);
  let number = 0;
  for (const test of testsOf(result)) {
    number += 1;
    yield renderTest(test, number);
  }
  yield `1..${number}\n`;
}
