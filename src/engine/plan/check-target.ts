import type { Attestation, Target } from '../../model/target.ts';
import type { CarrierFacts, Interface } from '../../model/interface.ts';
import { CarrierspecError, type Problem } from '../../model/problem.ts';
import type { JudgingMethod, Rule } from '../../model/rule.ts';
import type { Case } from '../../suite/suites.ts';
import { misspelling, nearestName, suggestKnown } from '../../lib/suggestion.ts';

type Features = Pick<Interface, 'targetRequirements' | 'featureSigns'>;

/** Features that `supports` may name: those that cases require of a carrier. */
export function requiredFeatures(cases: readonly Case[], { targetRequirements }: Features): ReadonlySet<string> {
  const required = cases
    .flatMap((one) => one.requires)
    .filter((one) => !one.includes(':') && !targetRequirements.has(one));
  return new Set(required.toSorted());
}

export function requireNoProblems({ file }: Target, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const count = `${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}`;
  throw new CarrierspecError(`the target file ${file} has ${count}`, { code: 'target-broken', problems });
}

function problemAt(target: Target, word: string, problem: Pick<Problem, 'code' | 'message' | 'hint'>): Problem {
  const place = target.supportsPlaces?.get(word) ?? { position: { file: target.file, line: 1, column: 1 } };
  return { ...problem, ...place };
}

/** Reports words of `supports` that no case requires: they have no effect. */
export function supportsProblems(cases: readonly Case[], target: Target, features: Features): readonly Problem[] {
  const known = requiredFeatures(cases, features);
  return Object.keys(target.supports)
    .filter((word) => !known.has(word))
    .map((word) => {
      const hint = suggestKnown(word, known);
      const message = `no case needs "${word}", so it says nothing`;
      return problemAt(target, word, { code: 'unknown-name', message, ...(hint === undefined ? {} : { hint }) });
    });
}

/** Reports unused clients with a name close to a role's; other unused clients are harmless. */
export function clientProblems(
  cases: readonly Case[],
  target: Target,
  { roles }: Pick<Interface, 'roles'>,
): readonly Problem[] {
  const used = cases.flatMap(({ client, requires }) => [
    ...(typeof client === 'string' ? [client] : []),
    ...requires.flatMap((one) => (one.startsWith('client:') ? [one.slice('client:'.length)] : [])),
  ]);
  const known = new Set([...Object.keys(roles), ...used]);
  return target.clients.flatMap(({ name }) => {
    const near = known.has(name) ? undefined : nearestName(name, known);
    if (near === undefined) return [];
    const place = target.clientPlaces?.get(name) ?? { position: { file: target.file, line: 1, column: 1 } };
    const message = `no case uses a client "${name}"`;
    return [{ ...place, code: 'unknown-name', message, hint: `did you mean "${near}"?` } as const];
  });
}

/** Warns of scopes that are almost those of the interface; a carrier may have others of its own. */
export function misspeltScopes(
  { scopePlaces = [] }: Target,
  { scopes }: Pick<Interface, 'scopes'>,
): readonly Problem[] {
  return scopePlaces.flatMap(([scope, place]) => {
    const wrong = misspelling('scope', scope, scopes);
    return wrong === undefined ? [] : [{ ...place, code: 'unknown-name', ...wrong } as const];
  });
}

/** Reports contradictions between target file and carrier. An omission in the file contradicts nothing. */
export function contradictions(
  target: Target,
  found: Omit<CarrierFacts, 'discovery'>,
  { featureSigns }: Pick<Features, 'featureSigns'>,
): readonly Problem[] {
  return Object.entries(target.supports).flatMap(([word, declared]) => {
    const sign = Object.hasOwn(featureSigns, word) ? featureSigns[word] : undefined;
    const isThere = sign?.isThere({ ...found, discovery: target.discovery });
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

/** Reasons why a rule that is judged otherwise cannot be attested. */
const unattestableReasons: Readonly<Record<Exclude<JudgingMethod, 'attested'>, string>> = {
  cases: 'is judged by cases, so it cannot be attested',
  invariant: 'is judged on every message, so it cannot be attested',
  untestable: 'cannot be attested: whether it holds cannot be seen',
};

function attestationProblem({ rule, place }: Attestation, rules: ReadonlyMap<string, Rule>): Problem | undefined {
  const judged = rules.get(rule)?.judged;
  if (judged === 'attested') return undefined;
  if (judged !== undefined)
    return { ...place, code: 'rule-not-judged-so', message: `${rule} ${unattestableReasons[judged]}` };
  const attestable = [...rules.values()].filter((one) => one.judged === 'attested').map(({ id }) => id);
  const hint = suggestKnown(rule, attestable);
  const problem: Problem = { ...place, code: 'unknown-rule', message: `there is no rule ${rule}` };
  return hint === undefined ? problem : { ...problem, hint };
}

/** Reports attestations of rules that can be seen from outside, or are unknown. */
export function attestationProblems(rules: readonly Rule[], target: Target): readonly Problem[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return (target.attestations ?? []).flatMap((attestation) => attestationProblem(attestation, byId) ?? []);
}
