import { type Link, settingOf, withPrefix } from '../../../explore/chains/link.ts';
import { dealt, seedOfRound, type Wanted, type Kept, type Probe } from '../../../explore/exploration.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { joined, touchedIn } from './points.ts';
import { type Combination, dealtCombinations, fittingOf, named } from './combinations.ts';
import type { Part, Value } from './parts.ts';

/** Words of a case that is about a part of the request, which then stays as the case has it. */
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

/** Members about time: a case with moments could not tell them from the age of the object. */
const moments: ReadonlySet<string> = new Set(['claims.iat', 'claims.exp', 'claims.nbf']);

/** Never varied, because two requests with fixed values would otherwise be one object, sent twice. */
const jti = 'claims.jti';

const nameOf = (id: string): string => id.split('.').at(-1) ?? id;

const requestOf = (step: JsonObject): JsonObject | undefined =>
  isJsonObject(step['authorize']) && step['authorize']['again'] === undefined ? step['authorize'] : undefined;

const queryOf = ({ usertrait }: JsonObject): JsonObject | undefined =>
  isJsonObject(usertrait) ? usertrait : undefined;

/** Whether the scope has no openid, so that no id token comes (§2.6). */
const isWithoutOpenid = ({ difference: { claims } }: Value): boolean =>
  isJsonObject(claims) && typeof claims['scope'] === 'string' && !claims['scope'].split(' ').includes('openid');

/** Whether it is accepted silently, which may depend on the requested authentication (§2.3 prompt, acr_values). */
const staysSilent = (step: JsonObject): boolean =>
  /"prompt":"none/.test(JSON.stringify(requestOf(step) ?? null)) &&
  /"accepted"/.test(JSON.stringify(step['expect'] ?? null));

/** Listed case, or steps like those of one. */
type Varied = Pick<Link, 'steps' | 'instant' | 'client'>;

/** Parts that no request of a case is about, with the values that fit beside all of them. */
export function freeParts({ steps, instant, client }: Varied, parts: readonly Part[]): readonly Part[] {
  const text = JSON.stringify(steps);
  const isOfMain = client === 'main' && !steps.some((step) => requestOf(step)?.['client'] !== undefined);
  const isSilent = steps.some(staysSilent);
  // A token handed out before a request may be good for one only.
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

/** Joins two differences of a SIM query; if both change a member, the first counts. */
function queryWith(one: JsonObject, other: JsonObject): JsonObject {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const own = result[key];
    result[key] = isJsonObject(own) && isJsonObject(value) ? { ...value, ...own } : (own ?? value);
  }
  return result;
}

/** Whether it is refused, and so stays refused beside values that may be refused themselves. */
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
  // Steps in front must not change their default names.
  return [...before, ...made.map((step, at) => ({ as: `step${at + 1}`, ...step }))].map((step) => named(step, ''));
}

/** Probe of a listed case with other conforming values in each request: its rules still hold. */
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

/** Most values of a part that are dealt at once. */
const perPart = 5;

/** Combinations for a listed SIM query, which is short and has few parts. */
const perQuery = 4;

function variedOf(link: Link, seed: string, { parts, queries }: VariedGround): readonly Probe[] {
  const isQuery = link.steps.some((step) => queryOf(step) !== undefined);
  const isRequest = link.steps.some((step) => requestOf(step) !== undefined);
  if (isQuery === isRequest) return [];
  const text = JSON.stringify(link.steps);
  // A value that may be refused itself only stands beside refused ones.
  const free = isQuery ? queries.filter(({ id }) => !text.includes(nameOf(id))) : freeParts(link, parts);
  const wanted = { seed: `${seed} ${link.id}`, strength: 2 as const, count: isQuery ? perQuery : 1, perPart };
  return dealtCombinations(free, wanted)
    .filter(({ length }) => length > 0)
    .map((combination) => variedProbe(link, combination));
}

/** Listed cases with other conforming values (§2.3, §2.8); memberProbes varies single requests. */
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
