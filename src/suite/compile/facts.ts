import { isList } from '../yaml/document.ts';
import { isJsonObject, type Json } from '../../lib/json.ts';
import type { CaseFacts, Facts } from './context.ts';
import { rulesOf, type Suites } from '../suites.ts';

type Digests = Suites['digests'];

/** The facts of suites without a mistake, as a build keeps them. */
export const packFacts = ({ cases, digests }: Suites): Json => ({
  digests: { ...digests },
  cases: Object.fromEntries(cases.map((one) => [one.id, [one.exclusive, [...one.requires], [...rulesOf(one)]]])),
});

/** The facts that a build kept; undefined where it kept none, or of other files than those with these digests. */
export function unpackFacts(packed: Json | undefined, digests: Digests): Facts | undefined {
  if (!isJsonObject(packed)) return undefined;
  const { digests: built, cases } = packed;
  if (!isJsonObject(built) || !isJsonObject(cases)) return undefined;
  if (built['rules'] !== digests.rules || built['suites'] !== digests.suites) return undefined;
  return new Map(Object.entries(cases).flatMap(([id, written]) => (isList(written) ? [[id, factsOf(written)]] : [])));
}

const factsOf = ([exclusive, requires, judges]: readonly Json[]): CaseFacts => ({
  exclusive: exclusive === true,
  requires: textsOf(requires),
  judges: textsOf(judges),
});

const textsOf = (given: Json | undefined): readonly string[] =>
  isList(given) ? given.filter((one) => typeof one === 'string') : [];
