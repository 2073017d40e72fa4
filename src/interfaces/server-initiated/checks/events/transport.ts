import { isJsonObject } from '../../../../model/json.ts';
import { hasDirective, mediaType } from '../words.ts';
import type { EventJudge } from './event.ts';

/** §4.8: an event is POSTed to the host and path that the SP configured, byte for byte. */
export const judgeMethod: EventJudge = ({ method, target, endpoint = target }) => {
  if (method !== 'POST') return [{ path: 'method', expected: 'POST', actual: method }];
  return target === endpoint ? [] : [{ path: 'target', expected: `POST ${endpoint}`, actual: `POST ${target}` }];
};

/** §4.8: the body is a JSON object whose `set` is a compact JWS. */
export const judgeBody: EventJudge = ({ body, set }) => {
  if (!isJsonObject(body)) return [{ path: 'body', expected: 'a JSON object', actual: body ?? null }];
  const jws = body['set'];
  const compact = typeof jws === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(jws) && set !== undefined;
  if (!compact) return [{ path: 'body.set', expected: 'a compact JWS', actual: jws ?? null }];
  const others = Object.keys(body).filter((name) => name !== 'set');
  if (others.length === 0) return [];
  return [{ aspect: 'other-members', path: 'body', expected: 'set and nothing else', actual: others }];
};

/** §4.8: content-type application/json; parameters and case are free. */
export const judgeContentType: EventJudge = ({ headers }) => {
  const given = headers['content-type'];
  if (mediaType(given) === 'application/json') return [];
  return [{ path: 'headers.content-type', expected: 'application/json', actual: given ?? null }];
};

/** §4.8: cache-control has the directive no-cache. */
export const judgeCacheControl: EventJudge = ({ headers }) => {
  const given = headers['cache-control'];
  if (hasDirective(given, 'no-cache')) return [];
  return [{ path: 'headers.cache-control', expected: 'no-cache', actual: given ?? null }];
};
