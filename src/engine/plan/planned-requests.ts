import { plainText } from '../../lib/json.ts';
import type { BaseRequest, Difference, TemplateMap } from '../../model/suite.ts';
import type { Step } from '../../suite/suites.ts';
import type { Expectation } from '../../suite/expectations/expectation.ts';
import { MissingValue, type Scope, type Template } from '../../model/template.ts';
import { defined } from '../../lib/optional.ts';
import { buildRequestObject } from '../../wire/build/request-object.ts';
import { longestWindow, observedLife, windowAfterLife, windowAfterResult } from '../context/inbox.ts';

/** What comes of one request object at the conforming carrier that takes the longest. Seconds. */
export interface PlannedRequest {
  readonly step: string;
  readonly at: number;
  readonly refused: boolean;
  /** It may be accepted or not, or be dropped: no callback is sure to come. */
  silent: boolean;
  /** The `expires_in` it asks for, whatever that is: a refused request is observed by it. */
  readonly asked: unknown;
  /** Its life if it is accepted. */
  readonly life: number;
  /** When its result is delivered; undefined: it times out. */
  result: number | undefined;
  /** Callbacks that were awaited so far. */
  taken: number;
}

/** The value; undefined where it rests on something that only a run can know. */
export function ifKnown<T>(evaluate: () => T): T | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}

const isRefusal = (status: number | string): boolean => (typeof status === 'number' ? status >= 400 : status === '4xx');

const demandsRefusal = ({ outcome, status }: Expectation): boolean =>
  outcome === 'denied' || (outcome === undefined && status?.every(isRefusal) === true);

const demandsAcceptance = ({ control, expectations }: Step): boolean =>
  (control && expectations.length === 0) || expectations.some(({ outcome }) => outcome === 'accepted');

/** Whether a conforming carrier must refuse a request; an `error` alone leaves it open. */
export const isRefused = (step: Step): boolean => !demandsAcceptance(step) && step.expectations.some(demandsRefusal);

/** Whether a step leaves it to the carrier to accept its request. */
export const isLeftOpen = (step: Step): boolean => !demandsAcceptance(step) && !isRefused(step);

const lifeOnly = (map: TemplateMap = []): TemplateMap => map.filter(([name]) => name === 'expires_in');

/** Text that does not set the life is left out: it may read what only a run knows. */
const setsLife = (append: Template | undefined): boolean =>
  append !== undefined && plainText(append.source).includes('expires_in');

/** The `expires_in` of an object with its differences, as it will be sent; the longest where only a run can know. */
export function askedLife(base: Pick<BaseRequest, 'claims'>, difference: Difference, scope: Scope): unknown {
  const { drop, raw, append, claims } = difference;
  const own: Difference = {
    claims: lifeOnly(claims),
    ...defined({ drop, raw: raw && lifeOnly(raw), append: setsLife(append) ? append : undefined }),
  };
  const whole = { header: [], claims: lifeOnly(base.claims) };
  const found = ifKnown(() => ({ life: buildRequestObject(whole, own, scope).claims['expires_in'] }));
  return found === undefined ? longestWindow : found.life;
}

/** When an accepted request ends: with its result, or when its life is over. */
export const endOf = ({ at, life, result }: PlannedRequest): number => result ?? at + life;

/** Until when a request is observed. §3: an accepted one that is left alone ends by the callback that says it timed out. */
export function plannedWindow(request: PlannedRequest): number {
  const { at, asked, refused, silent, life, result } = request;
  const outlives = result === undefined && life > longestWindow;
  if (refused || silent || outlives) return at + observedLife(asked) + windowAfterLife;
  return endOf(request) + windowAfterResult;
}
