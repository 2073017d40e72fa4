import type { Expectation } from '../../../suite/expectations/expectations.ts';
import type { Case, Step } from '../../../suite/suites.ts';
import { isHttp } from '../../../suite/verbs/http.ts';
import { isJsonObject, type Json, textMemberOf } from '../../../lib/json.ts';
import type { CarrierFacts } from '../../../model/interface.ts';
import { endpoints, featureSigns } from '../endpoints.ts';

/** The endpoint of a step that asks for a document and nothing else; undefined of any other step. */
function plainEndpoint({ act, times = 1 }: Step): string | undefined {
  if (!isHttp(act) || times !== 1) return undefined;
  const { to, method, ...rest } = act.request;
  const isPlain = method === 'GET' && Object.values(rest).every((part) => part === undefined);
  return isPlain ? to : undefined;
}

/** The steps of a case that judge a document of this endpoint before anything happened that could change it. */
function stepsOn(endpoint: string, { steps }: Case): readonly Step[] {
  const other = steps.findIndex((step) => plainEndpoint(step) === undefined);
  const plain = other < 0 ? steps : steps.slice(0, other);
  return plain.filter((step) => !step.control && plainEndpoint(step) === endpoint);
}

function factsOf(configuration: Json | undefined): CarrierFacts {
  if (!isJsonObject(configuration)) return { urls: {} };
  const urls: Record<string, string> = {};
  for (const [name, { members }] of Object.entries(endpoints)) {
    const url = members.map((member) => textMemberOf(configuration, member)).find((found) => found !== undefined);
    if (url !== undefined) urls[name] = url;
  }
  return { discovery: '', urls, configuration };
}

/** Whether a case is about such a carrier; of a role or an action of its own (`client:second`) the document shows nothing, and needs none. */
const isAbout = ({ area, requires }: Case, facts: CarrierFacts): boolean =>
  featureSigns[area]?.isThere(facts) !== false &&
  requires.every((word) => word.includes(':') || featureSigns[word]?.isThere(facts) === true);

export function plainExpectations(
  cases: readonly Case[],
  { endpoint, body }: { readonly endpoint: string; readonly body: Json | undefined },
): readonly Expectation[] {
  const facts = endpoint === 'discovery' ? factsOf(body) : { discovery: '', urls: {} };
  return cases
    .filter((one) => isAbout(one, facts))
    .flatMap((one) => stepsOn(endpoint, one))
    .flatMap(({ expectations }) => expectations);
}
