import * as kinds from '../../event-kinds.ts';
import {
  type CheckMismatch,
  defineCheck,
  type MessageCheck,
  type RunMessage,
  type NamedCheck,
} from '../../../../judge/check.ts';
import type { EventObservation, Judgeable } from '../../../../judge/observation.ts';
import { type JsonObject, isJsonObject, readMember } from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/suite.ts';
import { deviceChangeNames, readEventNames } from '../../event-kinds.ts';
import { receivedBody, checkDirective, requireJson } from '../define-check.ts';

type EventJudge = (event: EventObservation) => readonly CheckMismatch[];

/** Events of an observation: one, or all that an await took. */
function listEvents(observation: Judgeable): readonly EventObservation[] {
  if (observation.kind === 'event') return [observation];
  return observation.kind === 'events' ? observation.deliveries : [];
}

export const listEventNames = ({ set }: EventObservation): readonly string[] => kinds.readEventNames(set?.['events']);

const isRevocationEvent = ({ set }: EventObservation): boolean => kinds.isRevocation(set);

const isDeviceChangeEvent = ({ set }: EventObservation): boolean => kinds.isDeviceChange(set);

/** Check of device changes alone, because the interface does not show the form of other events (§6, 6). */
const defineChangeCheck = (name: string, judge: EventJudge): MessageCheck =>
  defineCheck(name, (observation) => {
    const changes = listEvents(observation).filter(isDeviceChangeEvent);
    if (changes.length === 0) throw new MissingValue('device_change');
    return changes.flatMap(judge);
  });

/** Claims of the SET. Throws MissingValue if the delivery has no readable SET. */
function requireSetClaims({ set }: EventObservation): JsonObject {
  if (set === undefined) throw new MissingValue('set');
  return set;
}

/** Header of the SET. Throws MissingValue if the delivery has no readable SET. */
function requireSetHeader({ setHeader }: EventObservation): JsonObject {
  if (setHeader === undefined) throw new MissingValue('setHeader');
  return setHeader;
}

export const findDeviceChange = (message: RunMessage): EventObservation | undefined =>
  'event' in message && isDeviceChangeEvent(message.event) ? message.event : undefined;

/** §4.8: an event is POSTed to the host and path that the SP configured, byte for byte. */
const judgeEventTarget: EventJudge = ({ method, target, endpoint = target }) => {
  if (method !== 'POST') return [{ path: 'method', expected: 'POST', actual: method }];
  return target === endpoint ? [] : [{ path: 'target', expected: `POST ${endpoint}`, actual: `POST ${target}` }];
};

/** §4.8: the body is a JSON object whose `set` is a compact JWS. */
const judgeEventBody: EventJudge = (event) => {
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
const judgeEventContentType: EventJudge = ({ headers }) => requireJson(headers);

/** §4.8: cache-control has the directive no-cache. */
const judgeEventCacheControl: EventJudge = ({ headers }) => checkDirective(headers, 'no-cache');

const deliveryJudges: readonly EventJudge[] = [
  judgeEventTarget,
  judgeEventBody,
  judgeEventContentType,
  judgeEventCacheControl,
];

const expectedAttempts = 4;

/** Deliveries at the event endpoint (§4.8, §6). */
export const deliveryChecks: readonly NamedCheck[] = [
  defineChangeCheck('event-is-posted', judgeEventTarget),
  defineChangeCheck('event-body-is-a-set', judgeEventBody),
  defineChangeCheck('event-content-type', judgeEventContentType),
  defineChangeCheck('event-cache-control', judgeEventCacheControl),

  /** §6, 2: an unconfirmed event is sent once and then three times more; "up to" makes fewer retries a softer finding (A24). */
  defineCheck('three-retries', (observation) => {
    const { length } = listEvents(observation);
    if (length === 0) throw new MissingValue('event');
    if (length === expectedAttempts) return [];
    const expected = `1 attempt and ${expectedAttempts - 1} retries`;
    const mismatch: CheckMismatch = { path: 'deliveries', expected, actual: length };
    return [length > 1 && length < expectedAttempts ? { aspect: 'all-three', ...mismatch } : mismatch];
  }),
];

const normalizeType = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.toLowerCase().replace(/^application\//, '') : undefined;

/** §5.6, §6: typ is set+jwt; the name of RFC 8417, a member called type, and no type have levels of their own (A9). */
const judgeSetType: EventJudge = (event) => {
  const setHeader = requireSetHeader(event);
  const typ = readMember(setHeader, 'typ');
  const type = readMember(setHeader, 'type');
  const expected = 'typ set+jwt';
  if (normalizeType(typ) === 'set+jwt') return [];
  if (normalizeType(typ) === 'secevent+jwt')
    return [{ aspect: 'secevent', path: 'setHeader.typ', expected, actual: typ ?? null }];
  if (typ !== undefined) return [{ path: 'setHeader.typ', expected, actual: typ }];
  if (normalizeType(type) === 'set+jwt')
    return [{ aspect: 'type', path: 'setHeader.type', expected, actual: 'type set+jwt' }];
  if (type !== undefined) return [{ path: 'setHeader.type', expected, actual: type }];
  return [{ aspect: 'untyped', path: 'setHeader.typ', expected, actual: null }];
};

/** §5.6: the header has a kid. */
const judgeSetKid: EventJudge = (event) => {
  const kid = readMember(requireSetHeader(event), 'kid');
  if (typeof kid === 'string' && kid !== '') return [];
  return [{ path: 'setHeader.kid', expected: 'a kid', actual: kid ?? null }];
};

/** Seconds that iat may be ahead or behind: clocks differ, and an event may be an hour late, retries included. */
const maxSecondsAhead = 60;
const maxSecondsBehind = 3600;

/** §6: iat is the time, a NumericDate, which may have a fraction (RFC 7519 §2). */
const judgeSetIat: EventJudge = (event) => {
  const { receivedAt } = event;
  const iat = readMember(requireSetClaims(event), 'iat');
  if (typeof iat !== 'number') {
    return [{ path: 'set.iat', expected: 'seconds since the epoch', actual: iat ?? null }];
  }
  if (iat <= receivedAt + maxSecondsAhead && iat >= receivedAt - maxSecondsBehind) return [];
  const arrived = new Date(receivedAt * 1000).toISOString();
  return [
    {
      path: 'set.iat',
      expected: `at most ${maxSecondsBehind} s before and ${maxSecondsAhead} s after ${arrived}`,
      actual: iat,
    },
  ];
};

/** §6: jti is there; a check over the run compares it with other events. */
const judgeSetJti: EventJudge = (event) => {
  const jti = readMember(requireSetClaims(event), 'jti');
  if (typeof jti === 'string' && jti !== '') return [];
  return [{ path: 'set.jti', expected: 'a unique id', actual: jti ?? null }];
};

/** §6, 4: sub begins with the carrier code and a dash. */
const judgeSetSub: EventJudge = (event) => {
  const sub = readMember(requireSetClaims(event), 'sub');
  if (typeof sub === 'string' && /^\d{5,6}-./.test(sub)) return [];
  return [{ path: 'set.sub', expected: 'carrier code, dash, identifier', actual: sub ?? null }];
};

/** §6: events is a list that names the event; a list of security_event alone and an object have levels of their own (A10). */
const judgeSetEvents: EventJudge = (event) => {
  const events = readMember(requireSetClaims(event), 'events');
  const wrong = (expected: string, aspect?: string) => [
    { path: 'set.events', expected, actual: events ?? null, ...(aspect === undefined ? {} : { aspect }) },
  ];
  const list = Array.isArray(events) && events.length > 0 && events.every((name) => typeof name === 'string');
  if (!list && !isJsonObject(events)) return wrong('a list of event names');
  const names = readEventNames(events);
  if (names.some((name) => deviceChangeNames.has(name))) return list ? [] : wrong('a list of event names', 'object');
  if (names.includes('security_event')) return wrong('device_change beside security_event', 'security-event-alone');
  return wrong('device_change among the names');
};

const setJudges: readonly EventJudge[] = [judgeSetType, judgeSetKid, judgeSetIat, judgeSetJti, judgeSetSub];

/** Header and claims of the SET (§5.6, §6). */
export const setChecks: readonly NamedCheck[] = [
  defineChangeCheck('set-type', judgeSetType),
  defineChangeCheck('set-has-a-kid', judgeSetKid),
  defineChangeCheck('set-iat-is-the-time', judgeSetIat),
  defineChangeCheck('set-has-a-jti', judgeSetJti),
  defineChangeCheck('set-sub-has-a-carrier-code', judgeSetSub),
  defineChangeCheck('set-events-name-the-change', judgeSetEvents),

  /** §6 shows aud as a string; a list of one means the same (RFC 7519 §4.1.3), but not to an SP that compares strings. */
  defineCheck('set-aud-is-text', (observation) =>
    listEvents(observation).flatMap((event) => {
      const aud = readMember(requireSetClaims(event), 'aud');
      if (!Array.isArray(aud) || aud.length !== 1) return [];
      return [{ aspect: 'list', path: 'set.aud', expected: 'a string', actual: aud }];
    }),
  ),

  /** Throws MissingValue for an unreadable SET, so that a comparison beside it is not judged; finds nothing. */
  defineCheck('set-is-readable', (observation) => {
    if (listEvents(observation).some(({ set }) => set === undefined)) throw new MissingValue('set');
    return [];
  }),

  /** SEC-41: iat is within 5 minutes of the event: from its cause, after which the await begins, to its delivery. */
  defineCheck('event-iat-is-recent', (observation) => {
    const [first] = listEvents(observation);
    if (first?.set === undefined) return [];
    const { iat } = first.set;
    const { receivedAt } = first;
    const from = observation.kind === 'events' ? Math.min(observation.sentAt, receivedAt) : receivedAt;
    if (typeof iat === 'number' && iat >= from - 300 && iat <= receivedAt + 300) return [];
    const expected = `an iat within 5 minutes of ${Math.round(receivedAt)}, the delivery`;
    return [{ path: 'set.iat', expected, actual: iat ?? null }];
  }),
];

const judgeEventList: EventJudge = ({ set }) => {
  const events = readMember(set, 'events');
  if (Array.isArray(events)) return [];
  return [{ path: 'set.events', expected: 'a list of event names', actual: events ?? null }];
};

const revocationJudges: readonly EventJudge[] = [...deliveryJudges, ...setJudges, judgeEventList];

/** Checks of the kind of event (§1.5, §6). */
export const kindChecks: readonly NamedCheck[] = [
  /** §1.5: no device_change came; other checks judge the other events. */
  defineCheck('no-device-change', (observation) =>
    listEvents(observation)
      .filter(isDeviceChangeEvent)
      .map((event) => ({
        aspect: 'device-change',
        path: 'set.events',
        expected: 'no device_change',
        actual: [...listEventNames(event)],
      })),
  ),

  /** §6: no event names another kind; one without readable names is judged by its form. */
  defineCheck('event-is-consent-revoked', (observation) =>
    listEvents(observation)
      .filter((event) => listEventNames(event).length > 0 && !isRevocationEvent(event))
      .map((event) => ({ path: 'set.events', expected: 'consent_revoked', actual: [...listEventNames(event)] })),
  ),

  /** §6, 6: differences between a consent_revoked and the form of a device_change, the only one shown. */
  defineCheck('consent-revoked-form', (observation) =>
    listEvents(observation)
      .filter(isRevocationEvent)
      .flatMap((event) => revocationJudges.flatMap((judge) => judge(event)))
      .map(({ path = 'set', expected, actual }) => ({ path, expected, actual })),
  ),
];
