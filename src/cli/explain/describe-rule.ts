import { renderPosition } from '../../model/position.ts';
import type { Judged, Rule } from '../../model/rule.ts';
import type { Case, Invariant } from '../../suite/suites.ts';
import { countOf, groupBy, listIds } from '../../lib/lists.ts';
import type { Page } from '../../report/shared/layout.ts';
import { clauseOf, messageKindWords } from '../../report/shared/prose.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { Judges } from '../shared/choose.ts';

/** A part of the reference carrier, and where it is defined where that is known. */
export interface FaultPart {
  /** `check`, `reader`, `builder`, `policy` ... */
  readonly kind: string;
  readonly name: string;
  readonly position?: string;
}

/** What a rule's page needs of a fault of the reference carrier. */
export interface KnownFault {
  readonly name: string;
  readonly description: string;
  readonly breaks: readonly string[];
  /** `src/carrier/faults/x.ts:12` */
  readonly position?: string;
  /** What of the reference carrier it changes: what the rule is about. */
  readonly parts: () => readonly FaultPart[];
}

/** Ids of the tests that name a fault, shown before "and 7 more". */
const detectorLimit = 5;
/** Faults that are shown where no test of the rule names one. */
const shownWithoutDetector = 3;
const foldedLimit = 12;
const partLimit = 3;
const otherLimit = 8;

interface Proving {
  readonly fault: KnownFault;
  /** Tests of this rule that must detect it. */
  readonly detectedBy: readonly string[];
}

/** The faults that prove a rule: those that its own tests detect first, then those that break the fewest rules. */
function provingFaults({ id }: Rule, judges: Judges, faults: readonly KnownFault[]): readonly Proving[] {
  const tests = [...judges.cases, ...judges.invariants];
  const proving = faults.map((fault) => ({
    fault,
    detectedBy: tests.filter(({ detects }) => detects.includes(fault.name)).map((test) => test.id),
  }));
  return proving
    .filter(({ fault, detectedBy }) => fault.breaks.includes(id) || detectedBy.length > 0)
    .toSorted(
      (left, right) =>
        Number(right.detectedBy.length > 0) - Number(left.detectedBy.length > 0) ||
        left.fault.breaks.length - right.fault.breaks.length,
    );
}

export function describeParts(parts: readonly FaultPart[]): readonly string[] {
  const more = parts.length - partLimit;
  return [
    ...parts
      .slice(0, partLimit)
      .map(({ kind, name, position }) => `changes the ${kind} ${name}${position === undefined ? '' : `, ${position}`}`),
    ...(more > 0 ? [`and ${countOf(more, 'more part')}`] : []),
  ];
}

function renderFault(page: Page, { fault, detectedBy }: Proving, rule: string): readonly string[] {
  const { name, description, breaks, position } = fault;
  const others = breaks.filter((id) => id !== rule);
  const facts = [
    ...(breaks.includes(rule)
      ? [others.length === 0 ? 'breaks this rule' : `breaks this rule, and ${listIds(others, otherLimit)}`]
      : []),
    ...(detectedBy.length === 0 ? [] : [`detected by ${listIds(detectedBy, detectorLimit)}`]),
  ];
  return [
    ...page.paragraph(name, { tone: page.paint.bold }),
    ...page.paragraph(description, { indent: 4 }),
    ...page.paragraph(facts.join('; '), { indent: 4 }),
    ...describeParts(fault.parts()).flatMap((line) => page.paragraph(line, { indent: 4 })),
    ...page.paragraph(position, { indent: 4, tone: page.paint.dim }),
  ];
}

/** What shows that a rule can fail: the faults its tests detect in full, the others that break it on one line. */
function renderFaults(
  page: Page,
  rule: Rule,
  { judges, faults }: { readonly judges: Judges; readonly faults: readonly KnownFault[] },
): readonly string[] {
  const proving = provingFaults(rule, judges, faults);
  if (proving.length === 0) return page.heading('Faults', 'none of the reference carrier proves this rule');
  const detected = proving.filter(({ detectedBy }) => detectedBy.length > 0).length;
  const shown = detected > 0 ? detected : shownWithoutDetector;
  const folded = proving.slice(shown).map(({ fault }) => fault.name);
  return [
    ...page.heading('Faults', `${countOf(proving.length, 'fault')} of the reference carrier`),
    ...proving.slice(0, shown).flatMap((one) => renderFault(page, one, rule.id)),
    ...(folded.length === 0 ? [] : page.paragraph(`broken as well by ${listIds(folded, foldedLimit)}`)),
  ];
}

const howJudged: Readonly<Record<Judged, string>> = {
  cases: 'by cases',
  invariant: 'by an invariant, on every message of the run',
  attested: 'by an attestation of the operator, with evidence',
  untestable: 'not at all',
};

function renderFacts(page: Page, { description, interpretation, aspects, judged, rationale }: Rule): readonly string[] {
  const why = rationale === undefined ? '' : `, because: ${rationale}`;
  return [
    ...page.paragraph(description),
    '',
    ...page.fact('interpretation', interpretation),
    ...aspects.flatMap(({ id, level, description: part }) => page.fact('aspect', `#${id} (${level}): ${part}`)),
    ...page.fact('judged', `${howJudged[judged]}${why}`),
  ];
}

/** `iat-young/4m-old` and `iat-young/4m55s-old` as one entry: rows share their title. */
function renderCases(page: Page, cases: readonly Case[]): readonly string[] {
  if (cases.length === 0) return [];
  const groups = groupBy(cases, ({ id }) => id.split('/')[0] ?? id);
  const rendered = [...groups].flatMap(([matrix, rows]) => {
    const [first] = rows;
    if (first === undefined) return [];
    const names = rows.map(({ id }) => id.slice(matrix.length + 1)).filter((name) => name !== '');
    return [
      ...page.paragraph(matrix, { tone: page.paint.bold }),
      ...page.paragraph(first.title, { indent: 4 }),
      ...(names.length === 0 ? [] : page.paragraph(`rows: ${names.join(', ')}`, { indent: 4 })),
      `    ${page.paint.dim(forTerminal(renderPosition(first.position)))}`,
    ];
  });
  return [...page.heading('Cases', String(cases.length)), ...rendered];
}

function renderInvariants(page: Page, invariants: readonly Invariant[]): readonly string[] {
  if (invariants.length === 0) return [];
  const rendered = invariants.flatMap(({ id, title, on, position }) => [
    ...page.paragraph(`${id}, on every ${messageKindWords[on][0]}`, { tone: page.paint.bold }),
    ...page.paragraph(title, { indent: 4 }),
    `    ${page.paint.dim(forTerminal(renderPosition(position)))}`,
  ]);
  return [...page.heading('Invariants', String(invariants.length)), ...rendered];
}

/** A rule on one page: description, interpretation, what judges it, and the faults that prove it. */
export function renderRule(
  page: Page,
  rule: Rule,
  context: { readonly judges: Judges; readonly faults: readonly KnownFault[] },
): readonly string[] {
  const { id, level, clause, area, position } = rule;
  const head = `${page.paint.bold(forTerminal(id))}  ${level}  ${forTerminal(clauseOf(clause))}  ${forTerminal(area)}`;
  return [
    head,
    ...renderFacts(page, rule),
    ...page.fact('where', renderPosition(position), { whole: true }),
    ...renderCases(page, context.judges.cases),
    ...renderInvariants(page, context.judges.invariants),
    ...renderFaults(page, rule, context),
  ];
}
