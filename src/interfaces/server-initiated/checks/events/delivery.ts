import { type CheckMismatch, defineCheck, type NamedCheck } from '../../../../judge/check.ts';
import { isJsonObject } from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/template.ts';
import { receivedBody, requireDirective, requireJson } from '../parts.ts';
import { defineChangeCheck, type EventJudge, eventsOf } from './event.ts';

/** §4.8: an event is POSTed to the host and path that the SP configured, byte for byte. */
const judgeMethod: EventJudge = ({ method, target, endpoint = target }) => {
  if (method !== 'POST') return [{ path: 'method', expected: 'POST', actual: method }];
  return target === endpoint ? [] : [{ path: 'target', expected: `POST ${endpoint}`, actual: `POST ${target}` }];
};

/** §4.8: the body is a JSON object whose `set` is a compact JWS. */
const judgeBody: EventJudge = (event) => {
  const { set } = event;
  const body = receivedBody(event);
  if (!isJsonObject(body)) return [{ path: 'body', expected: 'a JSON object', actual: body ?? null }];
  const jws = body['set'];
  const compact = typeof jws === 'string' && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(jws) && set !== undefined;
  if (!compact) return [{ path: 'body.set', expected: 'a compact JWS', actual: jws ?? null }];
  const others = Object.keys(body).filter((name) => name !== 'set');
  if (others.length === 0) return [];
  return [{ aspect: 'other-members', path: 'body', expected: 'set and nothing else', actual: others }];
};

/** §4.8: content-type application/json; parameters and case are free. */
const judgeContentType: EventJudge = ({ headers }) => requireJson(headers);

/** §4.8: cache-control has the directive no-cache. */
const judgeCacheControl: EventJudge = ({ headers }) => requireDirective(headers, 'no-cache');

export const deliveryJudges: readonly EventJudge[] = [judgeMethod, judgeBody, judgeContentType, judgeCacheControl];

const attempts = 4;

/** Deliveries at the event endpoint (§4.8, §6). */
export const deliveryChecks: readonly NamedCheck[] = [
  defineChangeCheck('event-is-posted', judgeMethod),
  defineChangeCheck('event-body-is-a-set', judgeBody),
  defineChangeCheck('event-content-type', judgeContentType),
  defineChangeCheck('event-cache-control', judgeCacheControl),

  /** §6, 2: an event without a confirmation is sent once and then three times more; "up to" makes fewer retries a lesser matter (A24). */
  defineCheck('three-retries', (observation) => {
    const { length } = eventsOf(observation);
    if (length === 0) throw new MissingValue('event');
    if (length === attempts) return [];
    const expected = `1 attempt and ${attempts - 1} retries`;
    const mismatch: CheckMismatch = { path: 'deliveries', expected, actual: length };
    return [length > 1 && length < attempts ? { aspect: 'all-three', ...mismatch } : mismatch];
  }),
];
