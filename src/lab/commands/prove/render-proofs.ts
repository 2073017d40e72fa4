import { countNoun, groupBy } from '../../../lib/lists.ts';
import { isRedVerdict, type Proof, proofStatuses } from '../../prove/catalogue.ts';
import type { RowDifference } from '../../prove/matrix.ts';
import { renderUnproved, type UnprovedItem } from '../../prove/proof-gaps.ts';
import { profilesBrokenBy } from '../../../verdict/profiles.ts';
import { profiles } from '../../../model/profile.ts';
import type { Rule } from '../../../model/rule.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';

export interface ProofSummary {
  readonly proofs: readonly Proof[];
  readonly rules: readonly Rule[];
  readonly unproved: readonly UnprovedItem[];
  readonly differing: readonly RowDifference[];
  /** Number of cases of the suites. */
  readonly cases: number;
  readonly matrix: string;
  readonly seconds: number;
}

const maxTurnedRules = 12;

/** `REQ-015 warn, ERR-006 warn, 12 others inconclusive`. */
function describeTurned({ turned }: Proof): string {
  const red = Object.entries(turned).filter(([, verdict]) => isRedVerdict(verdict));
  const rest = Object.entries(turned).filter(([, verdict]) => !isRedVerdict(verdict));
  const words = red.slice(0, maxTurnedRules).map(([id, verdict]) => `${id} ${verdict}`);
  if (red.length > maxTurnedRules) words.push(`and ${red.length - maxTurnedRules} more`);
  const counts = groupBy(rest, ([, verdict]) => verdict);
  for (const [verdict, rules] of counts) words.push(`${rules.length} others ${verdict}`);
  return words.length === 0 ? 'no rule turns' : words.join(', ');
}

/** Profiles in which the fault makes a carrier nonconformant: `not conformant in strict`; undefined if none. */
function describeProfiles({ turned, critical = [] }: Proof, rules: readonly Rule[]): string | undefined {
  const broken = new Set(profilesBrokenBy(turned, rules));
  if (critical.length > 0) broken.add('interface');
  const named = profiles.filter((one) => broken.has(one));
  return named.length === 0 ? undefined : `not conformant in ${named.join(', ')}`;
}

function renderProof(page: Page, proof: Proof, { rules, cases: all }: ProofSummary): readonly string[] {
  const { paint } = page;
  const good = proof.status === 'killed' || proof.status === 'allowed';
  const status = good ? paint.green(proof.status) : paint.red(proof.status);
  const head = `  ${status.padEnd(status.length + 13 - proof.status.length)} ${paint.bold(forTerminal(proof.name))}`;
  const cases = paint.dim(`${proof.ran} of ${all} cases`);
  return [
    `${head}  ${cases}`,
    ...page.paragraph(describeTurned(proof), { indent: 16 }),
    ...page.paragraph(describeProfiles(proof, rules), { indent: 16, tone: paint.dim }),
    ...proof.wrong.flatMap((why) => page.paragraph(why, { indent: 16, tone: paint.red })),
  ];
}

function countStatuses(proofs: readonly Proof[]): string {
  const counts = proofStatuses.map((status) => [status, proofs.filter((one) => one.status === status).length] as const);
  return counts.flatMap(([status, count]) => (count > 0 ? [`${count} ${status}`] : [])).join(', ');
}

export function renderProofs(page: Page, proving: ProofSummary): readonly string[] {
  const { proofs, unproved, differing, seconds, matrix } = proving;
  const wrong = proofs.filter(({ wrong: why }) => why.length > 0).length + unproved.length + differing.length;
  const end =
    wrong === 0
      ? page.paint.green('Proved: every fault turned exactly the rules it is declared to break, and no variant any.')
      : page.paint.red(`Not proved: ${countNoun(wrong, 'thing')} not as declared.`);
  return [
    ...proofs.flatMap((proof) => renderProof(page, proof, proving)),
    '',
    ...(unproved.length === 0 ? [] : page.heading('Unproved', String(unproved.length))),
    ...unproved.flatMap((one) => page.paragraph(renderUnproved(one))),
    ...(differing.length === 0 ? [] : page.heading('Otherwise than the matrix', String(differing.length))),
    ...differing.flatMap(({ name, words }) => page.paragraph(`${name}: ${words.join('; ')}`)),
    `${countStatuses(proofs)}, in ${seconds.toFixed(1)} s; matrix: ${forTerminal(matrix)}`,
    end,
  ];
}
