import { CarrierspecError } from '../../model/problem.ts';
import type { Suites } from '../../model/suite.ts';
import type { Page } from '../../report/layout.ts';
import { renderCase, renderInvariant } from './describe-case.ts';
import { type KnownFault, renderRule } from './describe-rule.ts';
import { joinJudges } from '../shared/judges.ts';
import { pageOf } from '../shared/page.ts';
import { readSuites } from '../../setup/read.ts';
import { suggestNames } from '../shared/suggest-names.ts';
import type { Invocation } from '../shared/invocation.ts';

const alike =
  (name: string) =>
  (id: string): boolean =>
    id.toLowerCase() === name.toLowerCase();

/** What the name means: a rule (an aspect means its rule), a case, a matrix, or an invariant. */
function renderNamed(
  name: string,
  suites: Suites,
  { page, faults }: { page: Page; faults: readonly KnownFault[] },
): readonly string[] | undefined {
  const is = alike(name);
  const isRule = alike(name.split('#')[0] ?? name);
  const rule = suites.rules.find(({ id }) => isRule(id));
  if (rule !== undefined) return renderRule(page, rule, { judges: joinJudges(suites)(rule.id), faults });
  const rules = new Map(suites.rules.map((one) => [one.id, one]));
  const exact = suites.cases.filter(({ id }) => is(id));
  const [first, ...rows] = exact.length > 0 ? exact : suites.cases.filter(({ id }) => is(id.split('/')[0] ?? id));
  if (first !== undefined) return renderCase(page, [first, ...rows], rules);
  const invariant = suites.invariants.find(({ id }) => is(id));
  return invariant === undefined ? undefined : renderInvariant(page, invariant, rules);
}

function knownNames({ rules, cases, invariants }: Suites): string[] {
  const ids = [...rules, ...cases, ...invariants].map(({ id }) => id);
  return [...new Set([...ids, ...cases.map(({ id }) => id.split('/')[0] ?? id)])];
}

/** `carrierspec explain NAME`: a rule, a case or an invariant on one page, on stdout. */
export async function explainCommand(
  name: string,
  flags: { readonly suites: readonly string[] },
  invocation: Invocation,
): Promise<number> {
  const [suites, { faults }] = await Promise.all([readSuites(flags.suites), import('../../carrier/faults.ts')]);
  const lines = renderNamed(name, suites, {
    page: pageOf(invocation),
    faults: faults.map(({ says: description, ...fault }) => ({ ...fault, description })),
  });
  if (lines === undefined) {
    const [near] = suggestNames(name, knownNames(suites));
    const hint = near === undefined ? 'see carrierspec list' : `did you mean ${near}?`;
    const message = `no rule, case or invariant is called ${name}; ${hint}`;
    throw new CarrierspecError(message, { code: 'unknown-name' });
  }
  invocation.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
