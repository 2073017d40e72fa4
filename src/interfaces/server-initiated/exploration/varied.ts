import { type Link, settingOf, withPrefix } from '../../../explore/chains/link.ts';
import { dealt, seedOfRound, type Wanted, type Kept, type Probe } from '../../../explore/exploration.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { joined, touchedIn } from './points.ts';
import { type Combination, dealtCombinations, fittingOf, named } from './combinations.ts';
import type { Part, Value } from './parts.ts';

/** Words of a case that is about a part of the request: there the part stays as the case has it. */
const about: Readonly<Record<string, RegExp>> = {
  acr_values: /\bacr|authentication|auth_time/i,
  prompt: /prompt|authentication|auth_time|consent/i,
  scope: /scope|consent|"userinfo"|refresh|unticked/i,
  expires_in: /granted|expires_in|"(?:at|until|by)":/,
  options: /options|colourMode|openedUri|opened-uri/,
  client_notification_token: /client_notification_token|authorization|bearer/i,
  login_hint: /login_hint|\bsubs?\b/,
  referred_binding: /binding|bound|\bcnf\b|jwk/i,
};

/** What is judged of a moment is not told apart from how old an object is. */
const moments: ReadonlySet<string> = new Set(['claims.iat', 'claims.exp', 'claims.nbf']);

/** Without it, two requests whose other values are fixed are one object, sent twice. */
const jti = 'claims.jti';

const nameOf = (id: string): string => id.split('.').at(-1) ?? id;

const requestOf = (step: JsonObject): JsonObject | undefined =>
  isJsonObject(step['authorize']) && step['authorize']['again'] === undefined ? step['authorize'] : undefined;

const queryOf = ({ usertrait }: JsonObject): JsonObject | undefined =>
  isJsonObject(usertrait) ? usertrait : undefined;

/** Of such a request no id token comes (§2.6). */
const isWithoutOpenid = ({ difference: { claims } }: Value): boolean =>
  isJsonObject(claims) && typeof claims['scope'] === 'string' && !claims['scope'].split(' ').includes('openid');

/** What is accepted without a click: whether it is may hang on the authentication that is asked for (§2.3 prompt, acr_values). */
const staysSilent = (step: JsonObject): boolean =>
  /"prompt":"none/.test(JSON.stringify(requestOf(step) ?? null)) &&
  /"accepted"/.test(JSON.stringify(step['expect'] ?? null));

/** What is varied: a listed case, or steps like those of one. */
type Varied = Pick<Link, 'steps' | 'instant' | 'client'>;

/** The parts that none of the requests of a case is about, with the values that stand beside all of them. */
export function freeParts({ steps, instant, client }: Varied, parts: readonly Part[]): readonly Part[] {
  const text = JSON.stringify(steps);
  const isOfMain = client === 'main' && !steps.some((step) => requestOf(step)?.['client'] !== undefined);
  const isSilent = steps.some(staysSilent);
  // What is handed out before a request may be good for one only.
  const sendsOnce = steps.filter((step) => step['authorize'] !== undefined && step['control'] !== true).length === 1;
  const needsOpenid = /id_?token/i.test(text);
  const touched = new Set(steps.flatMap((step) => [...touchedIn(requestOf(step) ?? {})]));
  const isFree = (difference: JsonObject): boolean => [...touchedIn(difference)].every((one) => !touched.has(one));
  return parts
    .filter(({ id }) => id !== jti && (instant || !moments.has(id)) && (id !== 'claims.acr_values' || !isSilent))
    .filter(({ id }) => about[nameOf(id)]?.test(text) !== true && !text.includes(nameOf(id)))
    .map(({ id, values }) => ({
      id,
      values: values.filter(
        (value) =>
          value.client === undefined &&
          value.besideOnly !== true &&
          (value.before === undefined || sendsOnce) &&
          isFree(value.difference) &&
          (isOfMain || value.ofClient !== true) &&
          (!needsOpenid || !isWithoutOpenid(value)),
      ),
    }))
    .filter(({ values }) => values.length > 1);
}

/** The members of two differences of a SIM query; where both change the same one, the first counts. */
function queryWith(one: JsonObject, other: JsonObject): JsonObject {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const own = result[key];
    result[key] = isJsonObject(own) && isJsonObject(value) ? { ...value, ...own } : (own ?? value);
  }
  return result;
}

/** What is refused stays refused with whatever may be refused for itself. */
const isRefused = ({ expect }: JsonObject): boolean => /"denied"/.test(JSON.stringify(expect ?? null));

function withValues(step: JsonObject, combination: Combination, kept: Kept): JsonObject {
  const request = requestOf(step);
  const query = queryOf(step);
  if (request !== undefined && step['control'] === true && combination.some(({ value }) => value.before !== undefined))
    return step;
  if (request !== undefined) return { ...step, authorize: joined(request, fittingOf(combination, kept)) ?? request };
  if (query === undefined) return step;
  const fits = kept.map((one, at) => one && (isRefused(step) || combination[at]?.value.besideOnly !== true));
  return { ...step, usertrait: queryWith(query, fittingOf(combination, fits)) };
}

export function stepsWith(steps: readonly JsonObject[], combination: Combination, kept: Kept): readonly JsonObject[] {
  const before = combination.flatMap(({ value }, at) => (kept[at] === true ? (value.before ?? []) : []));
  const made = steps.map((step) => withValues(step, combination, kept));
  if (before.length === 0) return made;
  // What stands before them does not change their names.
  return [...before, ...made.map((step, at) => ({ as: `step${at + 1}`, ...step }))].map((step) => named(step, ''));
}

/** A listed case of which each request also has other conforming values: what holds in it holds with them. */
function variedProbe(link: Link, combination: Combination): Probe {
  const names = combination.map(({ value }) => value.name);
  return {
    kind: 'members',
    base: link.id,
    rules: link.rules,
    title: (kept) => {
      const left = names.filter((_, at) => kept[at] === true);
      return left.length === 0
        ? `What holds in ${link.id}`
        : `What holds in ${link.id} also holds with ${left.join(', ')}`;
    },
    setting: () => settingOf([link]),
    parts: names,
    varies: combination.map(({ part }) => part),
    steps: (kept, prefix) => withPrefix(stepsWith(link.steps, combination, kept), prefix),
    alone: true,
    requests: link.requests,
  };
}

interface VariedGround {
  readonly links: readonly Link[];
  readonly parts: readonly Part[];
  /** Parts of a SIM query (§2.8). */
  readonly queries: readonly Part[];
}

/** How many values of a part are dealt at once. */
const perPart = 5;

/** SIM queries are short, and have few parts: each listed case of them is tried with several combinations. */
const perQuery = 4;

function variedOf(link: Link, seed: string, { parts, queries }: VariedGround): readonly Probe[] {
  const isQuery = link.steps.some((step) => queryOf(step) !== undefined);
  const isRequest = link.steps.some((step) => requestOf(step) !== undefined);
  if (isQuery === isRequest) return [];
  const text = JSON.stringify(link.steps);
  // What may be refused for itself stands beside what is refused anyway only.
  const free = isQuery ? queries.filter(({ id }) => !text.includes(nameOf(id))) : freeParts(link, parts);
  const wanted = { seed: `${seed} ${link.id}`, strength: 2 as const, count: isQuery ? perQuery : 1, perPart };
  return dealtCombinations(free, wanted)
    .filter(({ length }) => length > 0)
    .map((combination) => variedProbe(link, combination));
}

/** Listed cases with other conforming values (§2.3, §2.8): single requests are tried so as members. */
export function variedProbes(
  { seed, round }: Pick<Wanted, 'seed' | 'round'>,
  requests: number,
  ground: VariedGround,
): readonly Probe[] {
  const able = ground.links.filter(({ lasts, receiver }) => lasts && receiver === undefined);
  const each = able.reduce((sum, link) => sum + link.requests, 0) / Math.max(1, able.length);
  return dealt(able, { seed: `${seed} varied`, round }, requests / Math.max(1, each)).flatMap((link) =>
    variedOf(link, seedOfRound({ seed, round }), ground),
  );
}
