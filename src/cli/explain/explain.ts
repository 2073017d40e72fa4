import { faults } from '../../carrier/catalogue.ts';
import { changedParts } from '../../carrier/trace/changes.ts';
import { defined } from '../../lib/optional.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Suites } from '../../suite/suites.ts';
import { levels } from '../../model/rule.ts';
import { countOf } from '../../lib/lists.ts';
import type { Page } from '../../report/shared/layout.ts';
import { type CarrierPositions, positionOf, readPositions } from '../../setup/carrier-positions.ts';
import { carrierPositions } from '../../setup/paths.ts';
import { readSuites } from '../../setup/read.ts';
import { exitCodes } from '../exit-codes.ts';
import { familiesOf, type Family, joinJudges, hintFor } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import type { explainDefinition } from '../definitions.ts';
import { renderCase, renderInvariant } from './describe-case.ts';
import { type FaultPart, type KnownFault, renderRule } from './describe-rule.ts';

/** What a fault changes in the reference carrier, by the names of its checks, readers, builders and policy values. */
const partsOf = (fault: (typeof faults)[number], { steps }: CarrierPositions): readonly FaultPart[] =>
  changedParts(fault).map(({ kind, name }) => {
    const isNamed = kind === 'check' || kind === 'reader';
    return { kind, name, ...defined({ position: isNamed ? positionOf(steps, name) : undefined }) };
  });

const knownFaults = (positions: CarrierPositions): readonly KnownFault[] =>
  faults.map((fault) => ({
    name: fault.name,
    description: fault.description,
    breaks: fault.breaks,
    parts: () => partsOf(fault, positions),
    ...defined({ position: positionOf(positions.faults, fault.name) }),
  }));

const alike =
  (name: string) =>
  (id: string): boolean =>
    id.toLowerCase() === name.toLowerCase();

/** The letters that rule ids begin with: the areas they are in, and how many rules there are at each level. */
function renderFamily(page: Page, { name, areas, rules }: Family): readonly string[] {
  const counts = levels.map((level) => `${rules.filter((rule) => rule.level === level).length} ${level}`);
  return [
    `${page.paint.bold(name)}  ${areas.join(', ')}`,
    ...page.fact('rules', `${countOf(rules.length, 'rule')}: ${counts.join(', ')}`),
    ...page.fact('list', `carrierspec list "${name}-*"`, { whole: true }),
  ];
}

/** What the name means: a rule (an aspect means its rule), a case, a matrix, an invariant, or a family of rules. */
function renderNamed(name: string, suites: Suites, page: Page): readonly string[] | undefined {
  const is = alike(name);
  const isRule = alike(name.split('#')[0] ?? name);
  const rule = suites.rules.find(({ id }) => isRule(id));
  if (rule !== undefined) {
    const known = knownFaults(readPositions(carrierPositions));
    return renderRule(page, rule, { judges: joinJudges(suites)(rule.id), faults: known });
  }
  const rules = new Map(suites.rules.map((one) => [one.id, one]));
  const exact = suites.cases.filter(({ id }) => is(id));
  const [first, ...rows] = exact.length > 0 ? exact : suites.cases.filter(({ id }) => is(id.split('/')[0] ?? id));
  if (first !== undefined) return renderCase(page, [first, ...rows], rules);
  const invariant = suites.invariants.find(({ id }) => is(id));
  if (invariant !== undefined) return renderInvariant(page, invariant, rules);
  const family = familiesOf(suites.rules).find((one) => is(one.name));
  return family === undefined ? undefined : renderFamily(page, family);
}

function knownNames({ rules, cases, invariants }: Suites): string[] {
  const ids = [...rules, ...cases, ...invariants].map(({ id }) => id);
  return [...new Set([...ids, ...cases.map(({ id }) => id.split('/')[0] ?? id)])];
}

/** `carrierspec explain NAME`: a rule, a case, an invariant or a family of rules on one page, on stdout. */
export async function explainCommand(
  { name, suites: dirs }: Given<typeof explainDefinition>,
  invocation: Invocation,
): Promise<number> {
  const suites = await readSuites(dirs);
  const lines = renderNamed(name, suites, pageOf(invocation));
  if (lines === undefined) {
    const hint = hintFor(name, knownNames(suites), 'see carrierspec list');
    throw new CarrierspecError(`no rule, case or invariant is called ${name}; ${hint}`, { code: 'unknown-name' });
  }
  invocation.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes.conformant;
}
