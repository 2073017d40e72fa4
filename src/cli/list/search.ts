import { glob, type Selection, select, selectableNames } from '../../engine/plan/select.ts';
import { hintOf } from '../../lib/suggest.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Rule } from '../../model/rule.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import { suggestAll } from '../explain/find.ts';
import type { World } from '../explain/kinds/kind.ts';

/** Whether each word is in one of the texts, in any case; a glob has to be the whole of the first, the name. */
export function hasAllWords(texts: readonly string[], words: readonly string[]): boolean {
  const [name = ''] = texts;
  const all = texts.join('\n').toLowerCase();
  return words.every((word) => (/[*?]/.test(word) ? glob(word).test(name) : all.includes(word.toLowerCase())));
}

const ruleTexts = ({ id, description, interpretation = '', clause, area, aspects }: Rule): readonly string[] => [
  id,
  description,
  interpretation,
  clause,
  area,
  ...aspects.map((aspect) => aspect.description),
];
const caseTexts = ({ id, title, area }: Case): readonly string[] => [id, title, area];

/** Rules and cases of the selection; a word that selects nothing is searched, and then a row needs every word. */
export function searchSelected(
  suites: Suites,
  { what, level = 'informational' }: Selection,
): Pick<Suites, 'rules' | 'cases'> {
  const known = selectableNames(suites);
  const isName = (word: string): boolean => known.some((name) => glob(word).test(name));
  const chosenBy = (names: readonly string[]) => {
    const { rules, cases } = select(suites, { what: names, level }, () => []);
    return { rules, cases: new Set(cases) };
  };
  if (what.every(isName)) {
    const { rules, cases } = chosenBy(what);
    return {
      rules: suites.rules.filter(({ id }) => rules.has(id)),
      cases: suites.cases.filter((one) => cases.has(one)),
    };
  }
  const all = chosenBy([]);
  const tests = what.map((word) => ({ word, chosen: isName(word) ? chosenBy([word]) : undefined }));
  return {
    rules: suites.rules
      .filter(({ id }) => all.rules.has(id))
      .filter((rule) =>
        tests.every(({ word, chosen }) => chosen?.rules.has(rule.id) === true || hasAllWords(ruleTexts(rule), [word])),
      ),
    cases: suites.cases
      .filter((one) => all.cases.has(one))
      .filter((one) =>
        tests.every(({ word, chosen }) => chosen?.cases.has(one) === true || hasAllWords(caseTexts(one), [word])),
      ),
  };
}

/** Throws where nothing was found, with names that are near. */
export function requireFound(rows: readonly unknown[], what: readonly string[], world: World): void {
  if (rows.length > 0) return;
  const near = what.flatMap((word) => suggestAll(word, world)).slice(0, 3);
  const words = what.length > 1 ? `nothing has all of ${what.join(', ')}` : `nothing is called ${what.join('')}`;
  throw new CarrierspecError(`${words}; ${hintOf(near) ?? 'see carrierspec list'}`, { code: 'nothing-selected' });
}
