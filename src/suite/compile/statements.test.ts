import { describe, expect, test } from 'vitest';
import { loadText } from '../../testing/parts/load-text.ts';
import { loadShipped } from '../../testing/parts/shipped-suites.ts';
import { citesStandard } from './statements.ts';

const oneRule = (level: string, more = ''): string =>
  `area: area\ntitle: An area\nrules:\n  - { id: REQ-001, clause: "2.3", level: ${level}, ${more} description: d, judged: attested, rationale: r }\n`;

const mistakes = async (rules: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const { problems } = await loadText({ 'area/rules.yaml': rules, ...files });
  return problems.map(({ message, hint = '' }) =>
    `${message.replace(/\S*interface\.md/g, 'interface.md')} ${hint}`.trim(),
  );
};

const beside = { 'interface.md': '# An interface\n\nUnrecognized attributes\nare ignored. A jti is optional.\n' };

describe('the sentence of a required rule', () => {
  test('is asked for beside an interface.md alone', async () => {
    const without = oneRule('required');
    expect(await mistakes(without, {})).toEqual([]);
    expect(await mistakes(without, beside)).toEqual([
      'REQ-001 is required: "states" must quote the words of interface.md, or name the standard, that make it so',
    ]);
    expect(await mistakes(oneRule('recommended'), beside)).toEqual([]);
  });

  test('stands in the interface to the letter, whatever its line ends, or has a standard and a section', async () => {
    const quoting = (words: string) => mistakes(oneRule('required', `states: ["${words}"],`), beside);
    expect(await quoting('Unrecognized attributes are ignored.')).toEqual([]);
    expect(await quoting('RFC 7519 §4.1.4: what has expired is not accepted')).toEqual([]);
    expect(await quoting('unrecognized attributes are ignored')).toEqual([
      '"unrecognized attributes are ignored" does not stand in interface.md, nor does it begin with a standard and its section (RFC 7519 §4.1.4: ...) did you mean "Unrecognized attributes are ignored."?',
    ]);
    expect(await quoting('are ignored.')).toEqual([
      '"are ignored." is too short to say anything: a quotation has at least 3 words',
    ]);
  });

  test('stands by each required rule and aspect that ships', async () => {
    const { suites, problems, warnings } = await loadShipped();
    expect([...problems, ...warnings]).toEqual([]);
    const stated = suites.rules.flatMap(({ id, level, states, aspects }) => [
      { id, level, states },
      ...aspects.map((aspect) => ({ id: `${id}#${aspect.id}`, level: aspect.level, states: aspect.states ?? states })),
    ]);
    const required = stated.filter(({ level }) => level === 'required');
    expect(required.filter(({ states = [] }) => states.length === 0)).toEqual([]);
    // Rules that only a standard makes required belong to the baseline, which no clause of the interface states.
    const byStandard = required.filter(({ states = [] }) => states.every(citesStandard));
    expect(byStandard.filter(({ id }) => !id.startsWith('SEC-'))).toEqual([]);
  });
});
