import { caseRuleIds, type Suites } from '../../suite/suites.ts';
import { type Position, renderPosition } from '../../model/rule.ts';
import { isRedVerdict, rowCaseName, type Proof } from './catalogue.ts';

/** Rule, case, invariant or fault that a whole proof leaves unproved. */
export interface UnprovedItem {
  readonly what: 'rule' | 'case' | 'invariant' | 'fault';
  readonly name: string;
  readonly why: string;
  readonly position?: Position;
}

/** Rules of the cases that have no verdict because a fault breaks the plain case they build on. */
function followingRules({ cases }: Suites, proofs: readonly Proof[]): readonly string[] {
  const names = new Set(proofs.flatMap(({ follows = [] }) => follows));
  return cases.filter(({ id }) => names.has(rowCaseName(id))).flatMap((one) => [...caseRuleIds(one)]);
}

/** Cases that no fault of the reference carrier can turn, with the test that shows they can fail. */
const casesProvedByTests: ReadonlyMap<string, string> = new Map([
  ['tls-of-today', 'src/wire/send/handshake.test.ts'],
  ['tls-of-before', 'src/wire/send/handshake.test.ts'],
  ['length-beside-chunks', 'src/wire/send/written-request.test.ts'],
  ['certificate-of-another-host', 'src/setup/wrong-certificate.test.ts'],
  ['requests-answered-to-the-end', 'src/interfaces/server-initiated/checks/checks.test.ts'],
]);

function unprovedRules(suites: Suites, proofs: readonly Proof[]): UnprovedItem[] {
  const { rules } = suites;
  const red = proofs.flatMap((proof) => Object.keys(proof.turned).filter((id) => isRedVerdict(proof.turned[id])));
  const tested = suites.cases
    .filter(({ id }) => casesProvedByTests.has(rowCaseName(id)))
    .flatMap((one) => [...caseRuleIds(one)]);
  const turned = new Set([...red, ...followingRules(suites, proofs), ...tested]);
  return rules
    .filter(
      ({ id, level, judged }) =>
        level !== 'informational' && judged !== 'attested' && judged !== 'untestable' && !turned.has(id),
    )
    .map(({ id, position }) => ({ what: 'rule', name: id, why: 'no fault turns it red', position }));
}

/** Cases and invariants that judge more than informational rules or aspects, but that no fault turns red. */
function unprovedJudges({ rules, cases, invariants }: Suites, proofs: readonly Proof[]): UnprovedItem[] {
  const red = new Set(proofs.flatMap((proof) => [...proof.red, ...(proof.follows ?? [])]));
  const levels = new Map(
    rules.flatMap(({ id, level, aspects }) => [
      [id, level] as const,
      ...aspects.map((aspect) => [`${id}#${aspect.id}`, aspect.level] as const),
    ]),
  );
  const canTurn = ({
    expectations,
  }: {
    readonly expectations: Suites['invariants'][number]['expectations'];
  }): boolean =>
    expectations.some((one) =>
      one.rules.some(
        ({ rule, aspect }) => levels.get(aspect === undefined ? rule : `${rule}#${aspect}`) !== 'informational',
      ),
    );
  const judging = cases.filter(({ steps }) => steps.some((step) => !step.control && canTurn(step)));
  const byName = new Map(judging.map((one) => [rowCaseName(one.id), one.position]));
  const idle = [...byName].filter(([name]) => !red.has(name) && !casesProvedByTests.has(name));
  return [
    ...idle.map(([name, position]) => ({ what: 'case', name, why: 'no fault turns it red', position }) as const),
    ...invariants
      .filter((one) => canTurn(one) && !red.has(one.id) && !casesProvedByTests.has(one.id))
      .map(({ id, position }) => ({ what: 'invariant', name: id, why: 'no fault turns it red', position }) as const),
  ];
}

function undetectedFaults({ cases, invariants }: Suites, proofs: readonly Proof[]): UnprovedItem[] {
  const detected = new Set([...cases, ...invariants].flatMap(({ detects }) => detects));
  return proofs
    .filter(({ name, kind }) => kind === 'fault' && !name.includes('@') && !detected.has(name))
    .map(({ name }) => ({ what: 'fault', name, why: 'no case or invariant says that it detects it' }));
}

/** Rules, cases and invariants that no fault turns red, and faults that no case or invariant names. */
export function findUnproved(suites: Suites, proofs: readonly Proof[]): readonly UnprovedItem[] {
  return [...unprovedRules(suites, proofs), ...unprovedJudges(suites, proofs), ...undetectedFaults(suites, proofs)];
}

export const renderUnproved = ({ what, name, why, position }: UnprovedItem): string =>
  `${position === undefined ? '' : `${renderPosition(position)}: `}${what} ${name}: ${why}`;
