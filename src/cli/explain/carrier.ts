import { countNoun, listIds } from '../../lib/lists.ts';
import { omitUndefined } from '../../lib/json.ts';
import { findPosition, findPartPosition } from '../../setup/carrier-positions.ts';
import type { LabFault, LabFreedom } from '../shared/laboratory.ts';
import { type EntryFact, type EntryKind, rulesFacts, type NameCatalogue } from './catalogue.ts';

/** A check, reader, builder or policy value of the reference carrier, and its source position if known. */
interface ChangedPart {
  readonly kind: string;
  readonly name: string;
  readonly position?: string;
}

export function findChangedParts(fault: LabFault, { lab, positions }: NameCatalogue): readonly ChangedPart[] {
  const known = positions();
  return lab.changedParts(fault).map(({ kind, name }) => {
    const isNamed = kind === 'check' || kind === 'reader';
    const position = isNamed ? findPosition(known.steps, name) : findPartPosition(known, kind, name);
    return { kind, name, ...omitUndefined({ position }) };
  });
}

/** `the check jti-not-repeated, src/carrier/checks/subscriber.ts:105` */
export const describeChangedPart = ({ kind, name, position }: ChangedPart): string =>
  `the ${kind} ${name}${position === undefined ? '' : `, ${position}`}`;

const maxShownParts = 3;

export function describeParts(fault: LabFault, catalogue: NameCatalogue): readonly string[] {
  const parts = findChangedParts(fault, catalogue);
  const more = parts.length - maxShownParts;
  return [
    ...parts.slice(0, maxShownParts).map((part) => `changes ${describeChangedPart(part)}`),
    ...(more > 0 ? [`and ${countNoun(more, 'more part')}`] : []),
  ];
}

/** Most rows and invariants named before "and 7 more". */
const maxShownBy = 24;

function faultEntryFacts(fault: LabFault, catalogue: NameCatalogue): readonly EntryFact[] {
  const { name, breaks, stateful, except = {} } = fault;
  const row = catalogue.matrix().get(name);
  const shownBy = row === undefined ? [] : catalogue.lab.redIds(row);
  const first = shownBy.find((one) => catalogue.suites.cases.some(({ id }) => id === one)) ?? shownBy[0];
  return [
    ...rulesFacts('breaks', breaks, catalogue.suites),
    ['shown by', listIds(shownBy, maxShownBy)],
    ['stateful', stateful === true ? 'it shows over several cases, by the order they run in' : undefined],
    ...Object.entries(except).map(([freedom, reason]): EntryFact => ['except', `${freedom}: ${reason}`]),
    ...describeParts(fault, catalogue).map((line): EntryFact => ['', line]),
    ['where', findPosition(catalogue.positions().faults, name)],
    ['run it', `carrierspec run ${first === undefined ? name : `${first} --fault ${name}`}${catalogue.flags}`],
    ['prove it', `carrierspec prove ${name}`],
  ];
}

export const faultKind: EntryKind = (catalogue) =>
  catalogue.lab.faults.map((fault) => ({
    name: fault.name,
    description: fault.description,
    columns: { breaks: fault.breaks.join(', ') },
    is: 'a fault of the reference carrier',
    facts: () => faultEntryFacts(fault, catalogue),
  }));

export const variantKind: EntryKind = ({ freedoms, lab, positions }) =>
  lab.variants.map(({ name, description }) => ({
    name,
    description,
    is: 'a variant of the reference carrier: it conforms',
    facts: () => [
      [
        'choice of',
        freedoms().flatMap(({ id, choices }) =>
          choices.flatMap((choice) => (choice.variants?.includes(name) === true ? [`${id}/${choice.name}`] : [])),
        ),
      ],
      ['where', findPosition(positions().faults, name)],
      ['prove it', `carrierspec prove ${name}`],
    ],
  }));

function describeChoice({
  policy,
  variants: named = [],
  target,
  warns,
  excludes,
}: LabFreedom['choices'][number]): string {
  const parts = [
    ...(policy === undefined ? [] : [`policy ${JSON.stringify(policy)}`]),
    ...(named.length === 0 ? [] : [`variants ${named.join(', ')}`]),
    ...(target === undefined ? [] : [`target file ${JSON.stringify(target)}`]),
    ...Object.entries(warns).map(([rule, reason]) => `warns ${rule}: ${reason}`),
    ...Object.entries(excludes).map(([other, reason]) => `not with ${other}: ${reason}`),
  ];
  return parts.length === 0 ? 'as the reference carrier is' : parts.join('; ');
}

const excludedFaults = (id: string, { lab }: NameCatalogue): readonly string[] =>
  lab.faults
    .filter(({ except = {} }) => Object.keys(except).some((one) => one.split('/')[0] === id))
    .map(({ name }) => name);

export const freedomKind: EntryKind = (catalogue) =>
  catalogue.freedoms().map(({ id, clause, cites, description, choices }) => ({
    name: id,
    aliases: choices.map(({ name }) => `${id}/${name}`),
    description,
    columns: { clause: `§${clause}`, choices: choices.map(({ name }) => name).join(', ') },
    is: `§${clause}  a freedom: the interface leaves it open`,
    facts: () => [
      ...choices.map((choice): EntryFact => [choice.name, describeChoice(choice)]),
      ['cites', cites],
      ['no fault', excludedFaults(id, catalogue)],
      ['prove it', `carrierspec prove --space ${id}`],
    ],
  }));
