import { renderPosition } from '../../model/position.ts';
import type { Judged, Rule } from '../../model/rule.ts';
import type { Case, Invariant } from '../../model/suite.ts';
import { groupBy } from '../../report/fold.ts';
import { type Page, renderFact, renderHeading, renderParagraph } from '../../report/layout.ts';
import { clauseOf, messageKindWords } from '../../report/prose.ts';
import { forTerminal } from '../../report/sanitize.ts';
import type { Judges } from '../shared/choose.ts';
import { type KnownFault, renderFaults } from './describe-faults.ts';

const howJudged: Readonly<Record<Judged, string>> = {
  cases: 'by cases',
  invariant: 'by an invariant, on every message of the run',
  attested: 'by an attestation of the operator, with evidence',
  untestable: 'not at all',
};

function renderFacts(page: Page, { description, interpretation, aspects, judged, rationale }: Rule): readonly string[] {
  const why = rationale === undefined ? '' : `, because: ${rationale}`;
  return [
    ...renderParagraph(page, description, { indent: 2 }),
    '',
    ...(interpretation === undefined
      ? []
      : renderFact(page, { label: 'interpretation', text: interpretation }, { indent: 2 })),
    ...aspects.flatMap(({ id, level, description: part }) =>
      renderFact(page, { label: 'aspect', text: `#${id} (${level}): ${part}` }, { indent: 2 }),
    ),
    ...renderFact(page, { label: 'judged', text: `${howJudged[judged]}${why}` }, { indent: 2 }),
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
      ...renderParagraph(page, matrix, { indent: 2, tone: page.paint.bold }),
      ...renderParagraph(page, first.title, { indent: 4 }),
      ...(names.length === 0 ? [] : renderParagraph(page, `rows: ${names.join(', ')}`, { indent: 4 })),
      `    ${page.paint.dim(forTerminal(renderPosition(first.position)))}`,
    ];
  });
  return [...renderHeading(page, 'Cases', String(cases.length)), ...rendered];
}

function renderInvariants(page: Page, invariants: readonly Invariant[]): readonly string[] {
  if (invariants.length === 0) return [];
  const rendered = invariants.flatMap(({ id, title, on, position }) => [
    ...renderParagraph(page, `${id}, on every ${messageKindWords[on][0]}`, { indent: 2, tone: page.paint.bold }),
    ...renderParagraph(page, title, { indent: 4 }),
    `    ${page.paint.dim(forTerminal(renderPosition(position)))}`,
  ]);
  return [...renderHeading(page, 'Invariants', String(invariants.length)), ...rendered];
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
    ...renderFact(page, { label: 'where', text: renderPosition(position), whole: true }, { indent: 2 }),
    ...renderCases(page, context.judges.cases),
    ...renderInvariants(page, context.judges.invariants),
    ...renderFaults(page, rule, context),
  ];
}
