import { faults, variants } from '../../../carrier/catalogue.ts';
import type { Fault } from '../../../carrier/faults/edit/define.ts';
import type { Choice, Freedom } from '../../../prove/space/freedoms-grammar.ts';
import { positionOf } from '../../../setup/carrier-positions.ts';
import { type Block, fact, gap, head, type Names, nameOf, namesOf, paragraph, type Words } from '../blocks.ts';
import { describeParts } from '../describe-faults.ts';
import { caseNames, defineKind, headOf, idsFact, rulesFact, type World } from './kind.ts';
import { partsOf } from './known-faults.ts';

/** Cases and invariants that show a fault: those that say so, and those that the last proof saw red. */
function showing(name: string, { suites: { cases, invariants }, shown }: World): readonly string[] {
  const detecting = [...cases, ...invariants].filter(({ detects }) => detects.includes(name));
  const named = detecting.map(({ id }) => id.split('/')[0] ?? id);
  return [...new Set([...named, ...(shown().get(name) ?? [])])];
}

/** The case that a reader runs to see the fault: one that declares it before others. */
const isCase = (name: string, cases: World['suites']['cases']): boolean =>
  cases.some(({ id }) => id === name || id.startsWith(`${name}/`));

const plainest = (name: string, { suites: { cases } }: World, all: readonly string[]): string | undefined =>
  caseNames(cases.filter(({ detects }) => detects.includes(name)))[0] ??
  all.find((one) => isCase(one, cases)) ??
  all[0];

function renderFault(fault: Fault, world: World): readonly Block[] {
  const { name, description, breaks, stateful, except = {} } = fault;
  const shownBy = showing(name, world);
  const first = plainest(name, world, shownBy);
  const run = first === undefined ? name : `${first} --fault ${name}`;
  return [
    ...headOf(name, 'a fault of the reference carrier', description),
    gap,
    ...rulesFact('breaks', breaks, world.suites),
    ...idsFact('shown by', 'case', shownBy),
    ...(stateful === true ? fact('stateful', 'it shows over several cases, by the order they run in') : []),
    ...Object.entries(except).flatMap(([freedom, reason]) =>
      fact('except', [nameOf('freedom', freedom), `: ${reason}`]),
    ),
    ...describeParts(partsOf(fault, world.positions())).flatMap((line) => fact('', line)),
    ...fact('where', positionOf(world.positions().faults, name), { whole: true }),
    ...fact('run it', `carrierspec run ${run}${world.flags}`, { whole: true }),
    ...fact('prove it', `carrierspec prove ${name}`, { whole: true }),
  ];
}

export const faultKind = defineKind({
  name: 'fault',
  many: 'faults',
  entries: (world) =>
    faults.map((fault) => ({
      name: fault.name,
      description: fault.description,
      facts: { breaks: fault.breaks.join(', ') },
      blocks: () => renderFault(fault, world),
    })),
});

const usedIn = (name: string, freedoms: readonly Freedom[]): readonly string[] =>
  freedoms.flatMap(({ id, choices }) =>
    choices.filter((choice) => choice.variants?.includes(name) === true).map((choice) => `${id}/${choice.name}`),
  );

export const variantKind = defineKind({
  name: 'variant',
  many: 'variants',
  entries: ({ freedoms, positions }) =>
    variants.map(({ name, description }) => ({
      name,
      description,
      blocks: () => [
        ...headOf(name, 'a variant of the reference carrier: it conforms', description),
        gap,
        ...idsFact('choice of', 'freedom', usedIn(name, freedoms())),
        ...fact('where', positionOf(positions().faults, name), { whole: true }),
        ...fact('prove it', `carrierspec prove ${name}`, { whole: true }),
      ],
    })),
});

function describeChoice({ policy, variants: named = [], target, warns, excludes }: Choice): Words {
  const parts: readonly (readonly (string | Names)[])[] = [
    policy === undefined ? [] : [`policy ${JSON.stringify(policy)}`],
    named.length === 0 ? [] : ['variants ', namesOf('variant', named)],
    target === undefined ? [] : [`target file ${JSON.stringify(target)}`],
    ...Object.entries(warns).map(([rule, reason]) => ['warns ', nameOf('rule', rule), `: ${reason}`]),
    ...Object.entries(excludes).map(([other, reason]) => ['not with ', nameOf('freedom', other), `: ${reason}`]),
  ];
  const said = parts.filter((part) => part.length > 0);
  if (said.length === 0) return 'as the reference carrier is';
  return said.flatMap((part, at) => (at === 0 ? part : ['; ', ...part]));
}

const exceptions = (id: string): readonly string[] =>
  faults
    .filter(({ except = {} }) => Object.keys(except).some((one) => one.split('/')[0] === id))
    .map(({ name }) => name);

function renderFreedom({ id, clause, cites, description, choices }: Freedom): readonly Block[] {
  return [
    head(id, `§${clause}`, 'a freedom: the interface leaves it open'),
    ...paragraph(description),
    gap,
    ...choices.flatMap((choice) => fact(choice.name, describeChoice(choice))),
    ...idsFact('cites', 'decision', cites),
    ...idsFact('no fault', 'fault', exceptions(id)),
    ...fact('prove it', `carrierspec prove --space ${id}`, { whole: true }),
  ];
}

export const freedomKind = defineKind({
  name: 'freedom',
  many: 'freedoms',
  entries: ({ freedoms }) =>
    freedoms().map((freedom) => ({
      name: freedom.id,
      aliases: freedom.choices.map(({ name }) => `${freedom.id}/${name}`),
      description: freedom.description,
      facts: { clause: `§${freedom.clause}`, choices: freedom.choices.map(({ name }) => name).join(', ') },
      blocks: () => renderFreedom(freedom),
    })),
});
