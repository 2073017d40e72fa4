import type { Attestation } from '../../model/attestation.ts';
import type { JsonObject } from '../../lib/json.ts';
import { CarrierspecError, type Problem } from '../../model/problem.ts';
import type { Judged, Rule } from '../../model/rule.ts';
import type { Case } from '../../suite/suites.ts';
import type { Target } from '../../model/target.ts';
import type { Endpoints } from '../context/case-context.ts';
import { suggestion } from '../../lib/suggest.ts';

/** Requirements that the target file meets by what it names, not by what it says of the carrier. */
const ofTheTarget: ReadonlySet<string> = new Set(['event-endpoint', 'second-key', 'secret']);

/** The words that `supports` may hold: what cases require of a carrier. */
export function featuresOf(cases: readonly Case[]): ReadonlySet<string> {
  const required = cases.flatMap((one) => one.requires).filter((one) => !one.includes(':') && !ofTheTarget.has(one));
  return new Set(required.toSorted());
}

/** What stops the run, with its places in the target file. */
export function stopFor({ file }: Target, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const count = `${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}`;
  throw new CarrierspecError(`the target file ${file} has ${count}`, {
    code: 'target-broken',
    problems,
  });
}

function problemAt(target: Target, word: string, problem: Pick<Problem, 'code' | 'message' | 'hint'>): Problem {
  const place = target.supportsPlaces?.get(word) ?? { position: { file: target.file, line: 1, column: 1 } };
  return { ...problem, ...place };
}

/** A word that no case requires has no effect. Throws with every one of them. */
export function requireKnownSupports(cases: readonly Case[], target: Target): void {
  const known = featuresOf(cases);
  const problems = Object.keys(target.supports)
    .filter((word) => !known.has(word))
    .map((word) => {
      const hint = suggestion(word, known);
      const message = `no case needs "${word}", so it says nothing`;
      return problemAt(target, word, { code: 'unknown-name', message, ...(hint === undefined ? {} : { hint }) });
    });
  stopFor(target, problems);
}

/** How a feature of the carrier is recognised, and how messages call it. */
interface Sign {
  readonly description: string;
  readonly isThere: (found: Found) => boolean | undefined;
  /** A carrier that does not have what the file claims breaks a rule: that is a finding, and no mistake of the file. */
  readonly claimIsJudged?: true;
}

/** What is known before the first case: undefined where there is no configuration to ask. */
interface Found {
  readonly target: Target;
  readonly urls: Endpoints['urls'];
  readonly configuration: JsonObject | undefined;
}

const named =
  (name: string) =>
  ({ urls, configuration }: Found): boolean | undefined =>
    configuration === undefined && urls[name] === undefined ? undefined : urls[name] !== undefined;

const listed =
  (metadata: string, value: string) =>
  ({ configuration }: Found): boolean | undefined => {
    const list = configuration?.[metadata];
    return Array.isArray(list) ? list.includes(value) : undefined;
  };

/** The words of `supports` that a carrier gives away, in its configuration (§2.9) or by its URLs. */
export const signs: Readonly<Record<string, Sign>> = {
  discovery: { description: 'a discovery issuer', isThere: ({ target }) => target.discovery !== undefined },
  usertrait: { description: 'a SIM tenure endpoint (usertrait_endpoint)', isThere: named('usertrait') },
  cancel: { description: 'a cancel endpoint (server_initiated_cancel_endpoint)', isThere: named('cancel') },
  events: { description: 'the scope events (scopes_supported)', isThere: listed('scopes_supported', 'events') },
  location: { description: 'the claim location (claims_supported)', isThere: listed('claims_supported', 'location') },
  tls: {
    description: 'https URLs only',
    isThere: ({ urls }) => {
      const all = Object.values(urls);
      return all.length === 0 ? undefined : all.every((url) => url.startsWith('https:'));
    },
    claimIsJudged: true,
  },
};

/** Where the target file and the carrier contradict each other. Silence of the file contradicts nothing. */
export function contradictions(found: Found): readonly Problem[] {
  const { target } = found;
  return Object.entries(target.supports).flatMap(([word, declared]) => {
    const sign = Object.hasOwn(signs, word) ? signs[word] : undefined;
    const isThere = sign?.isThere(found);
    if (sign === undefined || isThere === undefined || isThere === declared) return [];
    if (declared && sign.claimIsJudged === true) return [];
    const message = declared
      ? `the file says that the carrier has ${word}, and there is not ${sign.description}`
      : `the file says that the carrier has no ${word}, and there is ${sign.description}`;
    const hint = declared
      ? `write "${word}: false", or let the carrier publish it`
      : `take the line out, so that it is judged, or let the carrier stop publishing it`;
    return [problemAt(target, word, { code: 'bad-value', message, hint })];
  });
}

/** Why a rule that is judged in another way cannot be attested. */
const instead: Readonly<Record<Exclude<Judged, 'attested'>, string>> = {
  cases: 'is judged by cases, so it cannot be attested',
  invariant: 'is judged on every message, so it cannot be attested',
  untestable: 'cannot be attested: whether it holds cannot be seen',
};

function attestationProblem({ rule, place }: Attestation, rules: ReadonlyMap<string, Rule>): Problem | undefined {
  const judged = rules.get(rule)?.judged;
  if (judged === 'attested') return undefined;
  if (judged !== undefined) return { ...place, code: 'rule-not-judged-so', message: `${rule} ${instead[judged]}` };
  const attestable = [...rules.values()].filter((one) => one.judged === 'attested').map(({ id }) => id);
  const hint = suggestion(rule, attestable);
  const problem: Problem = { ...place, code: 'unknown-rule', message: `there is no rule ${rule}` };
  return hint === undefined ? problem : { ...problem, hint };
}

/** The operator attests only what cannot be seen from outside. Throws with every attestation of another rule. */
export function requireAttestable(rules: readonly Rule[], target: Target): void {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  stopFor(
    target,
    (target.attestations ?? []).flatMap((attestation) => attestationProblem(attestation, byId) ?? []),
  );
}
