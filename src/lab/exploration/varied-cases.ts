import { type ChainLink, linkSetting, prefixSteps } from '../explore/chains/link.ts';
import { dealItems, roundSeed, type RoundSettings, type KeptParts, type Probe } from '../explore/exploration.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { joinDifferences, touchedParts } from './request-points.ts';
import { type Combination, dealCombinations, joinFittingValues, replaceHintPrefix } from './combinations.ts';
import type { RequestPart, PartValue } from './request-parts.ts';

/** Words of a case that is about a part of the request, which then stays as the case has it. */
const topicPatterns: Readonly<Record<string, RegExp>> = {
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
const timeParts: ReadonlySet<string> = new Set(['claims.iat', 'claims.exp', 'claims.nbf']);

/** Never varied, because two requests with fixed values would otherwise be one object, sent twice. */
const jtiPart = 'claims.jti';

const partMemberName = (id: string): string => id.split('.').at(-1) ?? id;

const stepRequest = (step: JsonObject): JsonObject | undefined =>
  isJsonObject(step['authorize']) && step['authorize']['again'] === undefined ? step['authorize'] : undefined;

const stepQuery = ({ usertrait }: JsonObject): JsonObject | undefined =>
  isJsonObject(usertrait) ? usertrait : undefined;

/** Whether the scope has no openid, so that no id token comes (§2.6). */
const lacksOpenid = ({ difference: { claims } }: PartValue): boolean =>
  isJsonObject(claims) && typeof claims['scope'] === 'string' && !claims['scope'].split(' ').includes('openid');

/** Whether the request of a step is accepted silently, which may depend on the requested authentication (§2.3 prompt, acr_values). */
const acceptsSilently = (step: JsonObject): boolean =>
  /"prompt":"none/.test(JSON.stringify(stepRequest(step) ?? null)) &&
  /"accepted"/.test(JSON.stringify(step['expect'] ?? null));

/** Listed case, or steps like those of one. */
type VariedCase = Pick<ChainLink, 'steps' | 'instant' | 'client'>;

/** Parts that no request of a case is about, with the values that fit beside all of them. */
export function freeParts(
  { steps, instant, client }: VariedCase,
  parts: readonly RequestPart[],
): readonly RequestPart[] {
  const text = JSON.stringify(steps);
  const isOfMain = client === 'main' && !steps.some((step) => stepRequest(step)?.['client'] !== undefined);
  const isSilent = steps.some(acceptsSilently);
  // A token handed out before a request may be good for one only.
  const sendsOnce = steps.filter((step) => step['authorize'] !== undefined && step['control'] !== true).length === 1;
  const needsOpenid = /id_?token/i.test(text);
  const touched = new Set(steps.flatMap((step) => [...touchedParts(stepRequest(step) ?? {})]));
  const isFree = (difference: JsonObject): boolean => [...touchedParts(difference)].every((one) => !touched.has(one));
  return parts
    .filter(({ id }) => id !== jtiPart && (instant || !timeParts.has(id)) && (id !== 'claims.acr_values' || !isSilent))
    .filter(({ id }) => topicPatterns[partMemberName(id)]?.test(text) !== true && !text.includes(partMemberName(id)))
    .map(({ id, values }) => ({
      id,
      values: values.filter(
        (value) =>
          value.client === undefined &&
          value.besideOnly !== true &&
          (value.before === undefined || sendsOnce) &&
          isFree(value.difference) &&
          (isOfMain || value.ofClient !== true) &&
          (!needsOpenid || !lacksOpenid(value)),
      ),
    }))
    .filter(({ values }) => values.length > 1);
}

/** Joins two differences of a SIM query; if both change a member, the first counts. */
function joinQueries(one: JsonObject, other: JsonObject): JsonObject {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const own = result[key];
    result[key] = isJsonObject(own) && isJsonObject(value) ? { ...value, ...own } : (own ?? value);
  }
  return result;
}

/** Whether the request of a step is refused, also beside values that may be refused themselves. */
const isRefusedStep = ({ expect }: JsonObject): boolean => /"denied"/.test(JSON.stringify(expect ?? null));

function applyValues(step: JsonObject, combination: Combination, kept: KeptParts): JsonObject {
  const request = stepRequest(step);
  const query = stepQuery(step);
  if (request !== undefined && step['control'] === true && combination.some(({ value }) => value.before !== undefined))
    return step;
  if (request !== undefined)
    return { ...step, authorize: joinDifferences(request, joinFittingValues(combination, kept)) ?? request };
  if (query === undefined) return step;
  const fits = kept.map((one, at) => one && (isRefusedStep(step) || combination[at]?.value.besideOnly !== true));
  return { ...step, usertrait: joinQueries(query, joinFittingValues(combination, fits)) };
}

export function applyCombination(
  steps: readonly JsonObject[],
  combination: Combination,
  kept: KeptParts,
): readonly JsonObject[] {
  const before = combination.flatMap(({ value }, at) => (kept[at] === true ? (value.before ?? []) : []));
  const made = steps.map((step) => applyValues(step, combination, kept));
  if (before.length === 0) return made;
  // Steps in front must not change their default names.
  return [...before, ...made.map((step, at) => ({ as: `step${at + 1}`, ...step }))].map((step) =>
    replaceHintPrefix(step, ''),
  );
}

/** Probe of a listed case with other conforming values in each request: its rules still hold. */
function variedProbe(link: ChainLink, combination: Combination): Probe {
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
    setting: () => linkSetting([link]),
    parts: names,
    varies: combination.map(({ part }) => part),
    steps: (kept, prefix) => prefixSteps(applyCombination(link.steps, combination, kept), prefix),
    alone: true,
    requests: link.requests,
  };
}

interface VariedGround {
  readonly links: readonly ChainLink[];
  readonly parts: readonly RequestPart[];
  /** Parts of a SIM query (§2.8). */
  readonly queries: readonly RequestPart[];
}

/** Most values of a part that are dealt at once. */
const maxDealtValues = 5;

/** Combinations for a listed SIM query, which is short and has few parts. */
const combinationsPerQuery = 4;

function varyLink(link: ChainLink, seed: string, { parts, queries }: VariedGround): readonly Probe[] {
  const isQuery = link.steps.some((step) => stepQuery(step) !== undefined);
  const isRequest = link.steps.some((step) => stepRequest(step) !== undefined);
  if (isQuery === isRequest) return [];
  const text = JSON.stringify(link.steps);
  // A value that may be refused itself only stands beside refused ones.
  const free = isQuery ? queries.filter(({ id }) => !text.includes(partMemberName(id))) : freeParts(link, parts);
  const wanted = {
    seed: `${seed} ${link.id}`,
    strength: 2 as const,
    count: isQuery ? combinationsPerQuery : 1,
    perPart: maxDealtValues,
  };
  return dealCombinations(free, wanted)
    .filter(({ length }) => length > 0)
    .map((combination) => variedProbe(link, combination));
}

/** Listed cases with other conforming values (§2.3, §2.8); memberProbes varies single requests. */
export function variedProbes(
  { seed, round }: Pick<RoundSettings, 'seed' | 'round'>,
  requests: number,
  ground: VariedGround,
): readonly Probe[] {
  const able = ground.links.filter(({ lasts, receiver }) => lasts && receiver === undefined);
  const each = able.reduce((sum, link) => sum + link.requests, 0) / Math.max(1, able.length);
  return dealItems(able, { seed: `${seed} varied`, round }, requests / Math.max(1, each)).flatMap((link) =>
    varyLink(link, roundSeed({ seed, round }), ground),
  );
}
