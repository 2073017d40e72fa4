import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import { countOf, groupBy } from '../../../lib/lists.ts';
import { levels, type Rule } from '../../../model/rule.ts';
import { clauseOf } from '../../../report/shared/prose.ts';
import { rulesOf, type Case } from '../../../suite/suites.ts';
import { familiesOf, joinJudges } from '../../shared/choose.ts';
import { fact } from '../blocks.ts';
import { renderCase, renderInvariant } from '../describe-case.ts';
import { type Measured, renderRule } from '../describe-rule.ts';
import { defineKind, type Entry, headOf, idsFact, listFact, type World } from './kind.ts';
import { knownFaults } from './known-faults.ts';

const countLevels = (rules: readonly Rule[]): string => {
  const counts = levels.map((level) => `${rules.filter((rule) => rule.level === level).length} ${level}`);
  return `${countOf(rules.length, 'rule')}: ${counts.join(', ')}`;
};

/** What `measure` finds of a rule: names of limits, and of entries of the profile, each by their kind. */
function measuredOf(id: string, { limits, suites: { cases } }: World): Measured {
  const own = new Set(cases.filter((one) => rulesOf(one).has(id)).map((one) => one.id.split('/')[0] ?? one.id));
  const { limits: all, profile } = limits();
  return [
    ['limit', all.filter(({ rules }) => rules.some(({ rule }) => rule === id)).map(({ name }) => name)],
    ['profile', profile.filter(({ case: of }) => own.has(of.split('/')[0] ?? of)).map(({ name }) => name)],
  ];
}

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
      blocks: () =>
        renderRule(rule, {
          judges: judgesOf(rule.id),
          faults: knownFaults(world.positions()),
          measured: measuredOf(rule.id, world),
          flags: world.flags,
        }),
    }));
  },
});

const caseEntry = (rows: readonly [Case, ...Case[]], name: string, rules: ReadonlyMap<string, Rule>): Entry => ({
  name,
  description: rows[0].title,
  facts: { rules: [...new Set(rows.flatMap((row) => [...rulesOf(row)]))].join(', ') },
  more: `${rows[0].area} ${rows[0].suite}`,
  blocks: () => renderCase(rows, rules),
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
      blocks: () => renderInvariant(invariant, rules),
    }));
  },
});

export const areaKind = defineKind({
  name: 'area',
  many: 'areas',
  entries: ({ flags, suites: { rules, cases, invariants } }) =>
    [...new Set(rules.map(({ area }) => area))].map((area) => {
      const own = rules.filter((rule) => rule.area === area);
      const families = familiesOf(own).map(({ name }) => name);
      const [tests, always] = [cases, invariants].map((all) => all.filter((one) => one.area === area).length);
      return {
        name: area,
        description: `rules ${families.join(', ')}`,
        facts: { rules: String(own.length), cases: String(tests) },
        blocks: () => [
          ...headOf(area, 'an area of the interface'),
          ...fact('rules', countLevels(own)),
          ...listFact('families', families),
          ...fact('judged by', `${countOf(tests ?? 0, 'case')}, ${countOf(always ?? 0, 'invariant')}`),
          ...fact('list', `carrierspec list ${area}${flags}`, { whole: true }),
          ...fact('run it', `carrierspec run ${area}${flags}`, { whole: true }),
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
        blocks: () => [
          ...headOf(`§${number}`, title),
          ...idsFact(
            'rules',
            'rule',
            own.map(({ id }) => id),
          ),
        ],
      };
    }),
});
