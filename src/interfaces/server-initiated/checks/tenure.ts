import { mediaType } from '../../../lib/media-type.ts';
import type { CheckMismatch, MessageCheck, NamedCheck } from '../../../judge/check.ts';
import type { ResponseObservation } from '../../../judge/observation.ts';
import { readMember, isJsonObject, type Json } from '../../../lib/json.ts';
import { defineReceivedCheck, defineResponseCheck, receivedBody } from './define-check.ts';

/** Tenure in a response (§2.8). */
const readTenure = ({ body }: ResponseObservation): Json | undefined => readMember(body, 'sim_tenure');

const isTenureDisclosed = (tenure: Json | undefined): boolean => tenure === 'true' || tenure === 'false';

const isSuccessStatus = ({ status = 0 }: ResponseObservation): boolean => status >= 200 && status < 300;

/** Tenure at any depth of a body: a refusal has no member in which it belongs. */
function findTenure(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null || typeof value !== 'object') return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = name === 'sim_tenure' && isTenureDisclosed(member) ? member : findTenure(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** §7: the shape of an error body is not shown, nor its status; with an error and no tenure, a 200 is such a body too. */
const showsError = (response: ResponseObservation): boolean =>
  (readMember(response.body, 'error') ?? null) !== null && (readTenure(response) ?? null) === null;

const tenureValues: ReadonlySet<unknown> = new Set(['true', 'false', 'error']);

/** One direction alone shows no inverted sense (C5.5); the interpretation of UT-015 and UT-016 needs both. */
const defineTenureCheck = (name: string, wanted: 'true' | 'false', why: string): MessageCheck =>
  defineResponseCheck(name, (response) => {
    const tenure = readTenure(response);
    if (isSuccessStatus(response) && tenure === wanted) return [];
    const actual = isSuccessStatus(response) && tenure !== undefined ? tenure : response.summary;
    return [{ path: 'body.sim_tenure', expected: `${wanted}: ${why}`, actual }];
  });

/** Check that no tenure is disclosed: the value error, or a refusal that `isRefusal` accepts. */
const defineUndisclosedCheck = (
  name: string,
  expected: string,
  isRefusal: (response: ResponseObservation) => boolean,
): MessageCheck =>
  defineResponseCheck(name, (response) => {
    const tenure = readTenure(response);
    if (!isTenureDisclosed(tenure) && (isRefusal(response) || (isSuccessStatus(response) && tenure === 'error')))
      return [];
    const told = tenure === undefined ? '' : `, sim_tenure ${JSON.stringify(tenure)}`;
    const actual = `${response.summary}${told}`;
    return [isTenureDisclosed(tenure) ? { expected, actual, carries: 'data' } : { expected, actual }];
  });

/** SIM tenure (§1.5, §2.8, §4.7). */
export const tenureChecks: readonly NamedCheck[] = [
  /** §1.5, §2.8: less than 24 hours with the phone number. */
  defineTenureCheck('tenure-true', 'true', 'the SIM changed less than 24 hours ago'),

  /** §1.5, §2.8: 24 hours or longer. */
  defineTenureCheck('tenure-false', 'false', 'the SIM has not changed for 24 hours'),

  /** §4.7: if no tenure may be disclosed, a refusal and the value error are both right. */
  defineUndisclosedCheck(
    'tenure-withheld',
    'a 4xx response or the value error, and no tenure',
    ({ status = 0 }) => status >= 400 && status < 500,
  ),

  /** §1.5, §7: a response may have the value error, which tells no tenure. */
  defineResponseCheck('no-tenure', (response) => {
    const tenure = readTenure(response) ?? null;
    if (tenure === null || tenure === 'error') return [];
    return [{ path: 'body.sim_tenure', expected: 'no tenure, or the value error', actual: tenure, carries: 'data' }];
  }),

  /** §1.5, §7: an unknown tenure is the value error, or a JSON error whose shape is not shown (A6). */
  defineUndisclosedCheck(
    'tenure-undetermined',
    'the value error, or an error response in JSON',
    (response) => (!isSuccessStatus(response) && isJsonObject(response.body)) || showsError(response),
  ),

  /** §4.7: a caller that is refused learns no tenure. */
  defineResponseCheck('tenure-only-in-success', (response) => {
    const tenure = isSuccessStatus(response) ? undefined : findTenure(response.body);
    if (tenure === undefined) return [];
    return [{ path: 'body', expected: 'no sim_tenure in a refusal, at any depth', actual: tenure, carries: 'data' }];
  }),

  /** §4.7: success is HTTP 200 with JSON that has sim_tenure. */
  defineReceivedCheck('tenure-answer-form', (response) => {
    const { status, headers, body, text } = response;
    if (!isSuccessStatus(response) || showsError(response)) return [];
    const found: CheckMismatch[] = [];
    if (status !== 200) found.push({ path: 'status', expected: 'HTTP 200', actual: status });
    const type = mediaType(headers['content-type']);
    if (type !== 'application/json') {
      found.push({ path: 'headers.content-type', expected: 'application/json', actual: type });
    }
    if (readMember(body, 'sim_tenure') === undefined) {
      found.push({ path: 'body', expected: 'a JSON object with sim_tenure', actual: body ?? text });
    }
    return found;
  }),

  /** §2.8, §7: a string; a JSON boolean only warns (A6). */
  defineResponseCheck('tenure-value', (response) => {
    const value = isSuccessStatus(response) ? readMember(receivedBody(response), 'sim_tenure') : undefined;
    if (value === undefined || tenureValues.has(value)) return [];
    const mismatch = { path: 'body.sim_tenure', expected: 'the string true, false or error', actual: value };
    return [typeof value === 'boolean' ? { aspect: 'boolean', ...mismatch } : mismatch];
  }),

  /** §4.7, §9: the path carries the version. */
  defineResponseCheck('usertrait-path', ({ url }) => {
    if (!URL.canParse(url)) return [];
    const { pathname } = new URL(url);
    if (pathname.endsWith('/v1/usertrait')) return [];
    return [{ path: 'url', expected: 'a path that ends in /v1/usertrait', actual: pathname }];
  }),
];
