import { groupBy } from '../../lib/lists.ts';
import { type Position, renderPosition } from '../../model/position.ts';
import type { Judged, Rule } from '../../model/rule.ts';
import { clauseOf, messageKindWords } from '../../report/shared/prose.ts';
import { citesStandard } from '../../suite/compile/statements.ts';
import type { Case, Invariant } from '../../suite/suites.ts';
import type { Judges } from '../shared/choose.ts';
import { type Block, fact, gap, head, heading, nameOf, namesOf, paragraph } from './blocks.ts';
import { fixBlocks, type KnownFault, renderFaults } from './describe-faults.ts';

const howJudged: Readonly<Record<Judged, string>> = {
  cases: 'by cases',
  invariant: 'by an invariant, on every message of the run',
  attested: 'by an attestation of the operator, with evidence',
  untestable: 'not at all',
};

/** The words of the interface in quotes, and those of a standard as they are. */
const statedBy = (states: readonly string[]): string =>
  states.map((one) => (citesStandard(one) ? one : `"${one}"`)).join('; ');

const because = (states: readonly string[] | undefined): readonly Block[] =>
  states === undefined ? [] : fact('because', statedBy(states));

function renderFacts({ description, states, interpretation, aspects, judged, rationale }: Rule): readonly Block[] {
  const why = rationale === undefined ? '' : `, because: ${rationale}`;
  return [
    ...paragraph(description),
    gap,
    ...because(states),
    ...fact('interpretation', interpretation),
    ...aspects.flatMap(({ id, level, description: part, states: own }) => [
      ...fact('aspect', `#${id} (${level}): ${part}`),
      ...because(own),
    ]),
    ...fact('judged', `${howJudged[judged]}${why}`),
  ];
}

const placeOf = (position: Position): readonly Block[] =>
  paragraph(renderPosition(position), { indent: 4, tone: 'faint', whole: true });

/** `iat-young/4m-old` and `iat-young/4m55s-old` as one entry: rows share their title. */
function renderCases(cases: readonly Case[]): readonly Block[] {
  if (cases.length === 0) return [];
  const groups = groupBy(cases, ({ id }) => id.split('/')[0] ?? id);
  const rendered = [...groups].flatMap(([matrix, rows]) => {
    const [first] = rows;
    if (first === undefined) return [];
    const names = rows.map(({ id }) => id.slice(matrix.length + 1)).filter((name) => name !== '');
    return [
      ...paragraph([nameOf('case', matrix)], { tone: 'strong' }),
      ...paragraph(first.title, { indent: 4 }),
      ...(names.length === 0 ? [] : paragraph(`rows: ${names.join(', ')}`, { indent: 4 })),
      ...placeOf(first.position),
    ];
  });
  return [heading('Cases', String(cases.length)), ...rendered];
}

function renderInvariants(invariants: readonly Invariant[]): readonly Block[] {
  if (invariants.length === 0) return [];
  const rendered = invariants.flatMap(({ id, title, on, position }) => [
    ...paragraph([nameOf('invariant', id), `, on every ${messageKindWords[on][0]}`], { tone: 'strong' }),
    ...paragraph(title, { indent: 4 }),
    ...placeOf(position),
  ]);
  return [heading('Invariants', String(invariants.length)), ...rendered];
}

/** Names of what `measure` finds of a rule, by their kinds. */
export type Measured = readonly (readonly [kind: 'limit' | 'profile', names: readonly string[]])[];

/** A rule on one page: description, interpretation, what judges it, and the faults that prove it. */
export function renderRule(
  rule: Rule,
  context: {
    readonly judges: Judges;
    readonly faults: readonly KnownFault[];
    readonly measured: Measured;
    readonly flags: string;
  },
): readonly Block[] {
  const { id, level, clause, area, position } = rule;
  return [
    head(id, level, clauseOf(clause), area),
    ...renderFacts(rule),
    ...context.measured.flatMap(([kind, names]) =>
      names.length === 0 ? [] : fact('measured', [namesOf(kind, names)]),
    ),
    ...fact('where', renderPosition(position), { whole: true }),
    ...renderCases(context.judges.cases),
    ...renderInvariants(context.judges.invariants),
    ...fixBlocks(rule, context),
    ...renderFaults(rule, context),
  ];
}
