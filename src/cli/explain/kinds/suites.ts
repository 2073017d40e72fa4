import { countOf, groupBy } from '../../../lib/lists.ts';
import { levels, type Rule } from '../../../model/rule.ts';
import { rulesOf } from '../../../suite/rules-of.ts';
import { clauseOf } from '../../../report/shared/prose.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import type { Case } from '../../../suite/suites.ts';
import { type Family, familiesOf, joinJudges } from '../../shared/choose.ts';
import { renderCase, renderInvariant } from '../describe-case.ts';
import { renderRule } from '../describe-rule.ts';
import { knownFaults } from './known-faults.ts';
import { defineKind, type Entry, headOf, idsFact } from './kind.ts';

const countLevels = (rules: readonly Rule[]): string => {
  const counts = levels.map((level) => `${rules.filter((rule) => rule.level === level).length} ${level}`);
  return `${countOf(rules.length, 'rule')}: ${counts.join(', ')}`;
};

export const ruleKind = defineKind({
  name: 'rule',
  many: 'rules',
  entries: (world) => {
    const judgesOf = joinJudges(world.suites);
    return world.suites.rules.map((rule) => ({
      name: rule.id,
      aliases: rule.aspects.map(({ id }) => `${rule.id}#${id}`),
      description: rule.description,
      facts: { level: rule.level, clause: clauseOf(rule.clause), 'judged by': rule.judged },
      more: [rule.area, rule.interpretation, ...rule.aspects.map((aspect) => aspect.description)].join(' '),
      render: (page) => renderRule(page, rule, { judges: judgesOf(rule.id), faults: knownFaults(world.positions()) }),
    }));
  },
});

const caseEntry = (rows: readonly [Case, ...Case[]], name: string, rules: ReadonlyMap<string, Rule>): Entry => ({
  name,
  description: rows[0].title,
  facts: { rules: [...new Set(rows.flatMap((row) => [...rulesOf(row)]))].join(', ') },
  more: `${rows[0].area} ${rows[0].suite}`,
  render: (page) => renderCase(page, rows, rules),
});

export const caseKind = defineKind({
  name: 'case',
  many: 'cases',
  entries: ({ suites }) => {
    const rules = new Map(suites.rules.map((one) => [one.id, one]));
    const matrices = groupBy(suites.cases, ({ id }) => id.split('/')[0] ?? id);
    return [...matrices].flatMap(([matrix, [first, ...rest]]) => {
      if (first === undefined) return [];
      const rows = [first, ...rest];
      const own = first.id === matrix && rest.length === 0 ? [] : rows;
      return [caseEntry([first, ...rest], matrix, rules), ...own.map((row) => caseEntry([row], row.id, rules))];
    });
  },
});

export const invariantKind = defineKind({
  name: 'invariant',
  many: 'invariants',
  entries: ({ suites }) => {
    const rules = new Map(suites.rules.map((one) => [one.id, one]));
    return suites.invariants.map((invariant) => ({
      name: invariant.id,
      description: invariant.title,
      facts: { on: invariant.on },
      more: `${invariant.area} ${invariant.suite}`,
      render: (page) => renderInvariant(page, invariant, rules),
    }));
  },
});

/** The letters that rule ids begin with: the areas they are in, and how many rules there are at each level. */
const renderFamily = (page: Page, { name, areas, rules }: Family): readonly string[] => [
  ...headOf(page)(name, areas.join(', ')),
  ...page.fact('rules', countLevels(rules)),
  ...page.fact('list', `carrierspec list "${name}-*"`, { whole: true }),
];

export const familyKind = defineKind({
  name: 'family',
  many: 'families',
  entries: ({ suites }) =>
    familiesOf(suites.rules).map((family) => ({
      name: family.name,
      description: `ids of ${family.areas.join(', ')}`,
      facts: { rules: String(family.rules.length) },
      render: (page) => renderFamily(page, family),
    })),
});

export const areaKind = defineKind({
  name: 'area',
  many: 'areas',
  entries: ({ suites: { rules, cases, invariants } }) =>
    [...new Set(rules.map(({ area }) => area))].map((area) => {
      const own = rules.filter((rule) => rule.area === area);
      const families = familiesOf(own).map(({ name }) => name);
      const [tests, always] = [cases, invariants].map((all) => all.filter((one) => one.area === area).length);
      return {
        name: area,
        description: `rules ${families.join(', ')}`,
        facts: { rules: String(own.length), cases: String(tests) },
        render: (page) => [
          ...headOf(page)(area, 'an area of the interface'),
          ...page.fact('rules', countLevels(own)),
          ...idsFact(page, 'families', families),
          ...page.fact('judged by', `${countOf(tests ?? 0, 'case')}, ${countOf(always ?? 0, 'invariant')}`),
          ...page.fact('list', `carrierspec list ${area}`, { whole: true }),
          ...page.fact('run it', `carrierspec run ${area}`, { whole: true }),
        ],
      };
    }),
});

export const clauseKind = defineKind({
  name: 'clause',
  many: 'clauses',
  entries: ({ suites }) =>
    serverInitiated.clauses.map(([number, title]) => {
      const own = suites.rules.filter(({ clause }) => clause.split(/[ ,]+/).includes(number));
      return {
        name: `§${number}`,
        aliases: [number],
        description: title,
        facts: { rules: String(own.length) },
        render: (page) => [
          ...headOf(page)(`§${number}`, title),
          ...idsFact(
            page,
            'rules',
            own.map(({ id }) => id),
          ),
        ],
      };
    }),
});
