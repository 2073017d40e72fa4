import { caseRuleIds, type Suites } from '../../suite/suites.ts';
import { type Position, renderPosition, renderRuleRef } from '../../model/rule.ts';
import { isRedVerdict } from './catalogue.ts';
import { type MatrixRows, redIds } from './matrix.ts';

/** Rule, case (each of its rows) or invariant that no fault turns red. */
export interface UnprovedItem {
  readonly what: 'rule' | 'case' | 'invariant';
  readonly name: string;
  readonly position: Position;
}

/** Cases that no fault of the reference carrier can turn, with the test that shows they can fail. */
const casesProvedByTests: ReadonlyMap<string, string> = new Map([
  ['tls-of-today', 'src/wire/send/handshake.test.ts'],
  ['tls-of-before', 'src/wire/send/handshake.test.ts'],
  // A fault would have to hold every plain request for half a minute.
  ['answered-before-the-user-acts', 'src/interfaces/server-initiated/checks/checks.test.ts'],
  ['length-beside-chunks', 'src/wire/send/written-request.test.ts'],
  ['certificate-of-another-host', 'src/setup/wrong-certificate.test.ts'],
  ['requests-answered-to-the-end', 'src/interfaces/server-initiated/checks/checks.test.ts'],
]);

function unprovedRules({ rules, cases }: Suites, rows: MatrixRows): readonly UnprovedItem[] {
  const red = [...rows.values()].flatMap(({ turned }) => Object.keys(turned).filter((id) => isRedVerdict(turned[id])));
  const tested = cases.filter(({ id }) => casesProvedByTests.has(id)).flatMap((one) => [...caseRuleIds(one)]);
  const turned = new Set([...red, ...tested]);
  return rules
    .filter(
      ({ id, level, judged }) =>
        level !== 'informational' && judged !== 'attested' && judged !== 'untestable' && !turned.has(id),
    )
    .map(({ id, position }) => ({ what: 'rule', name: id, position }));
}

/** Cases and invariants that judge more than informational rules or aspects, but that no fault turns red. A generated case need not turn. */
function unprovedJudges({ rules, cases, invariants }: Suites, rows: MatrixRows): readonly UnprovedItem[] {
  const proved = new Set([...[...rows.values()].flatMap(redIds), ...casesProvedByTests.keys()]);
  const levels = new Map(
    rules.flatMap(({ id, level, aspects }) => [
      [id, level] as const,
      ...aspects.map((aspect) => [`${id}#${aspect.id}`, aspect.level] as const),
    ]),
  );
  const canTurn = ({ expectations }: Pick<Suites['invariants'][number], 'expectations'>): boolean =>
    expectations.some((one) => one.rules.some((ref) => levels.get(renderRuleRef(ref)) !== 'informational'));
  const judging = cases.filter(
    ({ generated, steps }) => generated !== true && steps.some((step) => !step.control && canTurn(step)),
  );
  const idle = ({ id }: { readonly id: string }): boolean => !proved.has(id);
  return [
    ...judging.filter(idle).map(({ id, position }) => ({ what: 'case', name: id, position }) as const),
    ...invariants
      .filter((one) => canTurn(one) && idle(one))
      .map(({ id, position }) => ({ what: 'invariant', name: id, position }) as const),
  ];
}

/** Rules, rows of cases and invariants that no fault turns red. */
export const findUnproved = (suites: Suites, rows: MatrixRows): readonly UnprovedItem[] => [
  ...unprovedRules(suites, rows),
  ...unprovedJudges(suites, rows),
];

export const renderUnproved = ({ what, name, position }: UnprovedItem): string =>
  `${renderPosition(position)}: ${what} ${name}: no fault turns it red`;
