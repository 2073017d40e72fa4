import { faults, variants } from '../../carrier/catalogue.ts';
import type { Fault } from '../../carrier/faults/edit/define.ts';
import { changedParts } from '../../carrier/trace/changes.ts';
import { countOf, onceEach } from '../../lib/lists.ts';
import { defined } from '../../lib/json.ts';
import type { Choice } from '../../prove/space/freedoms.ts';
import { type CarrierPositions, positionOf, positionOfPart } from '../../setup/carrier-positions.ts';
import { caseNames, type Fact, type Kind, matrixOf, rulesFacts, type World } from './catalogue.ts';

const changesOf = onceEach(changedParts);

/** A check, reader, builder or policy value of the reference carrier, and its source position if known. */
interface Part {
  readonly kind: string;
  readonly name: string;
  readonly position?: string;
}

export const partsOf = (fault: Fault, positions: CarrierPositions): readonly Part[] =>
  changesOf(fault).map(({ kind, name }) => {
    const isNamed = kind === 'check' || kind === 'reader';
    const position = isNamed ? positionOf(positions.steps, name) : positionOfPart(positions, kind, name);
    return { kind, name, ...defined({ position }) };
  });

/** `the check jti-not-repeated, src/carrier/checks/subscriber.ts:105` */
export const partInWords = ({ kind, name, position }: Part): string =>
  `the ${kind} ${name}${position === undefined ? '' : `, ${position}`}`;

const mostParts = 3;

export function describeParts(fault: Fault, positions: CarrierPositions): readonly string[] {
  const parts = partsOf(fault, positions);
  const more = parts.length - mostParts;
  return [
    ...parts.slice(0, mostParts).map((part) => `changes ${partInWords(part)}`),
    ...(more > 0 ? [`and ${countOf(more, 'more part')}`] : []),
  ];
}

/** Cases and invariants that detect a fault, as declared or as seen in the last proof. */
function showing(name: string, { suites: { cases, invariants }, shown }: World): readonly string[] {
  const detecting = [...cases, ...invariants].filter(({ detects }) => detects.includes(name));
  return [...new Set([...detecting.map(({ id }) => matrixOf(id)), ...(shown().get(name) ?? [])])];
}

/** The simplest case to run: preferably one that declares the fault. */
function plainest(name: string, { suites: { cases } }: World, all: readonly string[]): string | undefined {
  const [declaring] = caseNames(cases.filter(({ detects }) => detects.includes(name)));
  return declaring ?? all.find((one) => cases.some(({ id }) => id === one || matrixOf(id) === one)) ?? all[0];
}

function factsOfFault(fault: Fault, world: World): readonly Fact[] {
  const { name, breaks, stateful, except = {} } = fault;
  const shownBy = showing(name, world);
  const first = plainest(name, world, shownBy);
  return [
    ...rulesFacts('breaks', breaks, world.suites),
    ['shown by', shownBy],
    ['stateful', stateful === true ? 'it shows over several cases, by the order they run in' : undefined],
    ...Object.entries(except).map(([freedom, reason]): Fact => ['except', `${freedom}: ${reason}`]),
    ...describeParts(fault, world.positions()).map((line): Fact => ['', line]),
    ['where', positionOf(world.positions().faults, name)],
    ['run it', `carrierspec run ${first === undefined ? name : `${first} --fault ${name}`}${world.flags}`],
    ['prove it', `carrierspec prove ${name}`],
  ];
}

export const faultKind: Kind = (world) =>
  faults.map((fault) => ({
    name: fault.name,
    description: fault.description,
    columns: { breaks: fault.breaks.join(', ') },
    is: 'a fault of the reference carrier',
    facts: () => factsOfFault(fault, world),
  }));

export const variantKind: Kind = ({ freedoms, positions }) =>
  variants.map(({ name, description }) => ({
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
      ['where', positionOf(positions().faults, name)],
      ['prove it', `carrierspec prove ${name}`],
    ],
  }));

function describeChoice({ policy, variants: named = [], target, warns, excludes }: Choice): string {
  const parts = [
    ...(policy === undefined ? [] : [`policy ${JSON.stringify(policy)}`]),
    ...(named.length === 0 ? [] : [`variants ${named.join(', ')}`]),
    ...(target === undefined ? [] : [`target file ${JSON.stringify(target)}`]),
    ...Object.entries(warns).map(([rule, reason]) => `warns ${rule}: ${reason}`),
    ...Object.entries(excludes).map(([other, reason]) => `not with ${other}: ${reason}`),
  ];
  return parts.length === 0 ? 'as the reference carrier is' : parts.join('; ');
}

const exceptions = (id: string): readonly string[] =>
  faults
    .filter(({ except = {} }) => Object.keys(except).some((one) => one.split('/')[0] === id))
    .map(({ name }) => name);

export const freedomKind: Kind = ({ freedoms }) =>
  freedoms().map(({ id, clause, cites, description, choices }) => ({
    name: id,
    aliases: choices.map(({ name }) => `${id}/${name}`),
    description,
    columns: { clause: `§${clause}`, choices: choices.map(({ name }) => name).join(', ') },
    is: `§${clause}  a freedom: the interface leaves it open`,
    facts: () => [
      ...choices.map((choice): Fact => [choice.name, describeChoice(choice)]),
      ['cites', cites],
      ['no fault', exceptions(id)],
      ['prove it', `carrierspec prove --space ${id}`],
    ],
  }));
