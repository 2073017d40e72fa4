import { selectSuites } from '../../engine/plan/select.ts';
import { countNoun, groupBy, listIds } from '../../lib/lists.ts';
import { type Cover, type JudgingMethod, type Rule, renderPosition, renderRuleRef } from '../../model/rule.ts';
import type { Page } from '../../report/shared/layout.ts';
import { renderClause, messageKindWords } from '../../report/shared/prose.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { findPosition } from '../../setup/carrier-positions.ts';
import { citesStandard } from '../../suite/compile/statements.ts';
import { caseRuleIds, type Case, type Invariant } from '../../suite/suites.ts';
import { joinJudges } from '../shared/choose.ts';
import { describeParts, describeChangedPart, findChangedParts } from './carrier.ts';
import { type EntryFact, type EntryKind, matrixId, renderFacts, type NameCatalogue } from './catalogue.ts';
import type { LabFault } from '../shared/laboratory.ts';

const judgingMethods: Readonly<Record<JudgingMethod, string>> = {
  cases: 'by cases',
  invariant: 'by an invariant, on every message of the run',
  attested: 'by an attestation of the operator, with evidence',
  untestable: 'not at all',
};

/** Quotes the interface; a citation of a standard stays unquoted. */
const becauseFact = (states: readonly string[] | undefined): EntryFact => [
  'because',
  states?.map((one) => (citesStandard(one) ? one : `"${one}"`)).join('; '),
];

/** Limits and profile entries measured for a rule. */
function measuredFacts(id: string, { limits, suites: { cases } }: NameCatalogue): readonly EntryFact[] {
  const own = new Set(cases.filter((one) => caseRuleIds(one).has(id)).map((one) => matrixId(one.id)));
  const { limits: all, profile } = limits();
  return [
    ['measured', all.filter(({ rules }) => rules.some(({ rule }) => rule === id)).map(({ name }) => name)],
    ['measured', profile.filter((entry) => own.has(matrixId(entry.case))).map(({ name }) => name)],
  ];
}

/** Classes of a rule, each with what sends it whole or why a part is enough. */
const coverFacts = (covers: readonly Cover[] = []): readonly EntryFact[] =>
  covers.map(({ class: covered, by, sample = '' }) => [
    'covers',
    by === undefined ? `a sample of ${covered}: ${sample}` : `${covered}, by ${by.join(', ')}`,
  ]);

function ruleDetails(rule: Rule, catalogue: NameCatalogue): readonly EntryFact[] {
  const { id, states, interpretation, aspects, covers, judged, rationale, position } = rule;
  return [
    becauseFact(states),
    ['interpretation', interpretation],
    ...coverFacts(covers),
    ...aspects.flatMap((aspect): readonly EntryFact[] => [
      ['aspect', `#${aspect.id} (${aspect.level}): ${aspect.description}`],
      becauseFact(aspect.states),
      ...coverFacts(aspect.covers),
    ]),
    ['judged', `${judgingMethods[judged]}${rationale === undefined ? '' : `, because: ${rationale}`}`],
    ...measuredFacts(id, catalogue),
    ['where', renderPosition(position)],
  ];
}

/** Renders a test of a rule: name, description and position. */
function renderTest(page: Page, name: string, about: readonly string[], { position }: Case | Invariant) {
  const { bold, dim } = page.paint;
  return [
    ...page.paragraph(name, { tone: bold }),
    ...about.flatMap((line) => page.paragraph(line, { indent: 4 })),
    `    ${dim(forTerminal(renderPosition(position)))}`,
  ];
}

/** Renders cases; the rows of a matrix share one entry and its title. */
function renderCases(page: Page, cases: readonly Case[]): readonly string[] {
  if (cases.length === 0) return [];
  const rendered = [...groupBy(cases, ({ id }) => matrixId(id))].flatMap(([matrix, rows]) => {
    const names = rows.map(({ id }) => id.slice(matrix.length + 1)).filter((name) => name !== '');
    return rows.slice(0, 1).flatMap((first) => {
      const about = [first.title, ...(names.length === 0 ? [] : [`rows: ${names.join(', ')}`])];
      return renderTest(page, matrix, about, first);
    });
  });
  return [...page.heading('Cases', String(cases.length)), ...rendered];
}

function renderInvariants(page: Page, invariants: readonly Invariant[]): readonly string[] {
  if (invariants.length === 0) return [];
  return [
    ...page.heading('Invariants', String(invariants.length)),
    ...invariants.flatMap((one) =>
      renderTest(page, `${one.id}, on every ${messageKindWords[one.on][0]}`, [one.title], one),
    ),
  ];
}

interface ProvingFault {
  readonly fault: LabFault;
  readonly detectedBy: readonly string[];
}

/** Faults that break a rule, with the rows and invariants that show it: first those shown by any, then those that break the fewest rules. */
function provingFaults({ id, aspects }: Rule, { lab, matrix }: NameCatalogue): readonly ProvingFault[] {
  const refs = [id, ...aspects.map((aspect) => renderRuleRef({ rule: id, aspect: aspect.id }))];
  return lab.faults
    .filter(({ breaks }) => breaks.includes(id))
    .map((fault) => {
      const { shown = {} } = matrix().get(fault.name) ?? {};
      return { fault, detectedBy: [...new Set(refs.flatMap((ref) => shown[ref] ?? []))] };
    })
    .toSorted(
      (left, right) =>
        Number(right.detectedBy.length > 0) - Number(left.detectedBy.length > 0) ||
        left.fault.breaks.length - right.fault.breaks.length,
    );
}

/** How a run of the rule alone with a fault ends red: whatever the profile, only with the strict one, or not at all. */
type RedWith = 'any profile' | 'strict' | 'nothing';

/** Profile that a fault needs to end a run of the rule with 1. A recommended rule counts when a run names it; an aspect of a required one does not. */
function redWith({ id, level, aspects }: Rule, { name }: LabFault, { matrix }: NameCatalogue): RedWith {
  const { shown = {} } = matrix().get(name) ?? {};
  const parts = [{ ref: id, level }, ...aspects.map((one) => ({ ref: `${id}#${one.id}`, level: one.level }))];
  const seen = parts.filter(({ ref }) => (shown[ref] ?? []).length > 0).map((part) => part.level);
  if (seen.includes('required')) return 'any profile';
  if (!seen.includes('recommended')) return 'nothing';
  return level === 'recommended' ? 'any profile' : 'strict';
}

/** Whether a run of the rule alone has a case that the fault turns red: an invariant may see it in other cases only. */
function createSeenCheck({ id }: Rule, { suites, matrix, lab }: NameCatalogue): (fault: LabFault) => boolean {
  const { cases } = selectSuites(suites, { what: [id], level: 'informational' }, () => []);
  const own = new Set([...cases].map((one) => one.id));
  return ({ name }) => {
    const row = matrix().get(name);
    return row !== undefined && lab.redIds(row).some((red) => own.has(red));
  };
}

/** Weights of what makes a fault a worse example. */
const drawbacks = { unseen: 8, strict: 4, byInvariant: 2, stateful: 1, byOneRow: 0.5 };

/** Arguments with which a run of the rule ends with 1, by the best example; undefined if no fault turns the rule red. */
function failingArguments(rule: Rule, proving: readonly ProvingFault[], catalogue: NameCatalogue): string | undefined {
  const isCase = (id: string): boolean => catalogue.suites.cases.some((one) => one.id === id);
  const isSeen = createSeenCheck(rule, catalogue);
  const rowsOf = ({ name }: LabFault): number => catalogue.matrix().get(name)?.shown[rule.id]?.length ?? 0;
  const costs = proving.map(({ fault, detectedBy }) => {
    const profile = redWith(rule, fault, catalogue);
    const cost =
      (isSeen(fault) ? 0 : drawbacks.unseen) +
      (profile === 'strict' ? drawbacks.strict : 0) +
      (detectedBy.some(isCase) ? 0 : drawbacks.byInvariant) +
      (fault.stateful === true ? drawbacks.stateful : 0) +
      (rowsOf(fault) === 1 ? drawbacks.byOneRow : 0);
    return { fault, profile, cost };
  });
  const [best] = costs.filter(({ profile }) => profile !== 'nothing').toSorted((one, other) => one.cost - other.cost);
  if (best === undefined) return undefined;
  return `--fault ${best.fault.name}${best.profile === 'strict' ? ' --profile strict' : ''}`;
}

/** Names of each sort shown before "and 7 more". */
const maxNames = { detectors: 5, others: 8, folded: 12, parts: 3, mistakes: 3, faults: 12 };

function renderFault(
  page: Page,
  { fault, detectedBy }: ProvingFault,
  rule: string,
  catalogue: NameCatalogue,
): readonly string[] {
  const { name, description, breaks } = fault;
  const others = breaks.filter((id) => id !== rule);
  const also = others.length === 0 ? '' : `, and ${listIds(others, maxNames.others)}`;
  const words = [
    `breaks this rule${also}`,
    ...(detectedBy.length === 0 ? [] : [`detected by ${listIds(detectedBy, maxNames.detectors)}`]),
  ];
  return [
    ...page.paragraph(name, { tone: page.paint.bold }),
    ...[description, words.join('; '), ...describeParts(fault, catalogue)].flatMap((line) =>
      page.paragraph(line, { indent: 4 }),
    ),
    ...page.paragraph(findPosition(catalogue.positions().faults, name), { indent: 4, tone: page.paint.dim }),
  ];
}

/** Renders the first of the proving faults in full, the others in one line. */
function renderFaults(
  page: Page,
  rule: Rule,
  proving: readonly ProvingFault[],
  catalogue: NameCatalogue,
): readonly string[] {
  if (proving.length === 0) return page.heading('Faults', 'none of the reference carrier proves this rule');
  const others = proving.slice(maxNames.faults).map(({ fault }) => fault.name);
  return [
    ...page.heading('Faults', `${countNoun(proving.length, 'fault')} of the reference carrier`),
    ...proving.slice(0, maxNames.faults).flatMap((one) => renderFault(page, one, rule.id, catalogue)),
    ...(others.length === 0 ? [] : page.paragraph(`broken as well by ${listIds(others, maxNames.folded)}`)),
  ];
}

/** Parts of the reference carrier that implement a rule: most faults that break the rule change them. */
function findImplementation(breaking: readonly LabFault[], catalogue: NameCatalogue): readonly string[] {
  // Parts without a position are no help; positions are known only in a checkout.
  const partsByWords = (some: readonly LabFault[]) =>
    groupBy(
      some.flatMap((fault) => findChangedParts(fault, catalogue)).filter(({ position }) => position !== undefined),
      describeChangedPart,
    );
  const fewest = Math.min(...breaking.map(({ breaks }) => breaks.length));
  const narrow = breaking.filter(({ breaks }) => breaks.length === fewest);
  const kept = [...partsByWords(narrow)].filter(([, parts]) => 2 * parts.length > narrow.length);
  const words = kept.slice(0, maxNames.parts).map(([text]) => text);
  if (kept.length === 0 || kept.some(([, [part]]) => part?.kind !== 'policy')) return words;
  const checks = [...partsByWords(breaking)].filter(([, [part]]) => part?.kind === 'check' || part?.kind === 'reader');
  const [check] = checks.toSorted(([, one], [, other]) => other.length - one.length);
  return check === undefined ? words : [check[0], ...words];
}

/** Explains how to fix a broken rule: likely mistakes, the reference implementation, and commands to try. */
function renderFix(
  page: Page,
  rule: Rule,
  proving: readonly ProvingFault[],
  catalogue: NameCatalogue,
): readonly string[] {
  const breaking = proving.map(({ fault }) => fault);
  const failing = failingArguments(rule, proving, catalogue);
  const run = `carrierspec run ${rule.id}`;
  const { flags } = catalogue;
  return [
    ...page.heading('How to fix', 'where it is broken'),
    ...renderFacts(page, [
      ['change', `the carrier so that this holds: ${rule.description}`],
      ...breaking.slice(0, maxNames.mistakes).map(({ description }): EntryFact => ['look for', description]),
      ...findImplementation(breaking, catalogue).map(
        (words): EntryFact => ['see', `${words}: there the reference carrier keeps it`],
      ),
      ['see it hold', `${run}${flags}`],
      ['see it fail', failing && `${run} ${failing}${flags}`],
      ['try yours', `${run} --target carrier.yaml${flags}`],
    ]),
  ];
}

export const ruleKind: EntryKind = (catalogue) => {
  const judgesOf = joinJudges(catalogue.suites);
  return catalogue.suites.rules.map((rule) => ({
    name: rule.id,
    aliases: rule.aspects.map(({ id }) => `${rule.id}#${id}`),
    description: rule.description,
    columns: { level: rule.level, clause: renderClause(rule.clause), 'judged by': rule.judged },
    more: [rule.area, rule.interpretation, ...rule.aspects.map((aspect) => aspect.description)].join(' '),
    is: [rule.level, renderClause(rule.clause), rule.area].join('  '),
    facts: () => ruleDetails(rule, catalogue),
    below: (page) => {
      const judges = judgesOf(rule.id);
      const proving = provingFaults(rule, catalogue);
      return [
        ...renderCases(page, judges.cases),
        ...renderInvariants(page, judges.invariants),
        ...(judges.cases.length + judges.invariants.length === 0 ? [] : renderFix(page, rule, proving, catalogue)),
        ...renderFaults(page, rule, proving, catalogue),
      ];
    },
  }));
};
