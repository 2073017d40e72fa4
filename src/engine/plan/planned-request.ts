import { buildRequestObject } from '../../wire/build/request-object.ts';
import { plainText } from '../../model/json.ts';
import type { BaseRequest, Difference, TemplateMap } from '../../model/suite.ts';
import { MissingValue, type Scope, type Template } from '../../model/template.ts';
import { longestWatch, watchAfter, watchAfterResult, watchedLife } from '../world/watched-life.ts';
import type { Expectation } from '../../suite/expectations/expectation.ts';
import type { Step } from '../../suite/suites.ts';

/** What a carrier that conforms may make of a request; `either` where a step leaves that to it. */
export type Fate = 'accepted' | 'refused' | 'either';

/** What comes of one request object at a carrier that conforms. */
export interface Request {
  readonly step: string;
  readonly at: number;
  readonly fate: Fate;
  /** The life it asks for, whatever it is: one that is refused is watched by that. */
  readonly asked: unknown;
  /** Seconds it lives if it is accepted. */
  readonly life: number;
  /** It may be accepted, and nothing come of it ever after. */
  dropped: boolean;
  /** When its result is delivered, if it is accepted; undefined: it times out, as far as anybody can know. */
  result: number | undefined;
  taken: number;
}

/** Seconds a request lives whose object does not say. */
const usualLife = 300;

/** Seconds for which a request is accepted that asks for this. */
export const grantedLife = (asked: unknown): number => (typeof asked === 'number' && asked > 0 ? asked : usualLife);

const isRefusal = (status: number | string): boolean => (typeof status === 'number' ? status >= 400 : status === '4xx');

const demandsRefusal = ({ outcome, status }: Expectation): boolean =>
  outcome === 'denied' || (outcome === undefined && status?.every(isRefusal) === true);

/** An `error` alone leaves it open: it speaks of a refusal only where there is one. */
export function fateOf({ control, expectations }: Step): Fate {
  const standsAlone = control && expectations.length === 0;
  if (standsAlone || expectations.some(({ outcome }) => outcome === 'accepted')) return 'accepted';
  return expectations.some(demandsRefusal) ? 'refused' : 'either';
}

const lifeOnly = (map: TemplateMap = []): TemplateMap => map.filter(([name]) => name === 'expires_in');

/** Text that says nothing of the life is left out: it may read what only a run knows. */
const speaksOfLife = (append: Template | undefined): append is Template =>
  append !== undefined && plainText(append.source).includes('expires_in');

/** The `expires_in` of an object with its differences, as it will be sent; the longest where only a run can know. */
export function askedLife(base: Pick<BaseRequest, 'claims'>, difference: Difference, scope: Scope): unknown {
  const { drop, raw, append, claims } = difference;
  const own: Difference = {
    claims: lifeOnly(claims),
    ...(drop === undefined ? {} : { drop }),
    ...(raw === undefined ? {} : { raw: lifeOnly(raw) }),
    ...(speaksOfLife(append) ? { append } : {}),
  };
  try {
    return buildRequestObject({ header: [], claims: lifeOnly(base.claims) }, own, scope).claims['expires_in'];
  } catch (error) {
    if (error instanceof MissingValue) return longestWatch;
    throw error;
  }
}

/** When an accepted request ends: with its result, or when its life is over. */
export const endOf = ({ at, life, result }: Request): number => result ?? at + life;

/** Whether the callback of a request is sure to come sooner or later. */
export const isAnswered = ({ fate, dropped }: Request): boolean => fate === 'accepted' && !dropped;

/** §3: a request that was let be ends by the callback that says it timed out. */
function watchedIfAccepted(request: Request): number {
  const { at, dropped, life, result } = request;
  const outlives = result === undefined && life > longestWatch;
  return dropped || outlives ? at + watchedLife(life) + watchAfter : endOf(request) + watchAfterResult;
}

/** Until when a request may be watched, whichever way it goes at a carrier that conforms. */
export function watchedUntil(request: Request): number {
  const { at, fate, asked } = request;
  return Math.max(
    fate === 'accepted' ? 0 : at + watchedLife(asked) + watchAfter,
    fate === 'refused' ? 0 : watchedIfAccepted(request),
  );
}
