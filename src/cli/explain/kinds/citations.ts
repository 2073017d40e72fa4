import { faults } from '../../../carrier/catalogue.ts';
import type { Rule } from '../../../model/rule.ts';
import { fact, gap } from '../blocks.ts';
import { defineKind, hasWord, headOf, idsFact, type World } from './kind.ts';

const interpretationId = /(?<![\w.-])A\d{1,2}(?![\w.-]*\d)(?!\w)/g;

const namesIn = ({ interpretation = '' }: Pick<Rule, 'interpretation'>): readonly string[] =>
  interpretation.match(interpretationId) ?? [];

/** How we understand the interface where it is unclear: the rules that cite it say it. */
export const interpretationKind = defineKind({
  name: 'interpretation',
  many: 'interpretations',
  entries: ({ suites: { rules } }) => {
    const ids = [...new Set(rules.flatMap(namesIn))];
    const sorted = ids.toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1)));
    return sorted.map((id) => {
      const citing = rules.filter((rule) => namesIn(rule).includes(id));
      return {
        name: id,
        description: citing[0]?.interpretation ?? '',
        facts: { rules: citing.map((rule) => rule.id).join(', ') },
        blocks: () => [
          ...headOf(id, 'an interpretation: how the interface is understood where it is unclear'),
          ...citing.flatMap((rule) => [...fact(rule.id, rule.description), ...fact('', rule.interpretation)]),
        ],
      };
    });
  },
});

/** What cites a decision, beside the rules: cases do it in comments, which are not read. */
function citedBy(id: string, { suites, freedoms }: World) {
  return {
    rules: suites.rules.filter(({ interpretation = '' }) => hasWord(interpretation, id)).map((rule) => rule.id),
    faults: faults.filter(({ description }) => hasWord(description, id)).map(({ name }) => name),
    freedoms: freedoms()
      .filter(({ cites }) => cites.includes(id))
      .map((freedom) => freedom.id),
  };
}

/** The principles and decisions of docs/corrections.md. */
export const decisionKind = defineKind({
  name: 'decision',
  many: 'decisions',
  entries: (world) =>
    [...world.decisions()].map(([id, sentence]) => ({
      name: id,
      description: sentence,
      blocks: () => {
        const by = citedBy(id, world);
        return [
          ...headOf(id, id.startsWith('P') ? 'a principle' : 'a decision', sentence),
          gap,
          ...idsFact('rules', 'rule', by.rules),
          ...idsFact('freedoms', 'freedom', by.freedoms),
          ...idsFact('faults', 'fault', by.faults),
          ...fact('where', 'docs/corrections.md', { whole: true }),
        ];
      },
    })),
});
