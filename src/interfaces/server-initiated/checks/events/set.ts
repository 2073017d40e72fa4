import { defineCheck, type NamedCheck } from '../../../../judge/check.ts';
import { memberOf, isJsonObject } from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/template.ts';
import { changeNames, namesIn } from '../../event-kinds.ts';
import { claimsOf, defineChangeCheck, type EventJudge, eventsOf, headerOf } from './event.ts';

const typeText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.toLowerCase().replace(/^application\//, '') : undefined;

/** §5.6, §6: typ is set+jwt; the name of RFC 8417, a member called type and no type at all have levels of their own (A9). */
const judgeType: EventJudge = (event) => {
  const setHeader = headerOf(event);
  const typ = memberOf(setHeader, 'typ');
  const type = memberOf(setHeader, 'type');
  const expected = 'typ set+jwt';
  if (typeText(typ) === 'set+jwt') return [];
  if (typeText(typ) === 'secevent+jwt')
    return [{ aspect: 'secevent', path: 'setHeader.typ', expected, actual: typ ?? null }];
  if (typ !== undefined) return [{ path: 'setHeader.typ', expected, actual: typ }];
  if (typeText(type) === 'set+jwt')
    return [{ aspect: 'type', path: 'setHeader.type', expected, actual: 'type set+jwt' }];
  if (type !== undefined) return [{ path: 'setHeader.type', expected, actual: type }];
  return [{ aspect: 'untyped', path: 'setHeader.typ', expected, actual: null }];
};

/** §5.6: the header has a kid. */
const judgeKid: EventJudge = (event) => {
  const kid = memberOf(headerOf(event), 'kid');
  if (typeof kid === 'string' && kid !== '') return [];
  return [{ path: 'setHeader.kid', expected: 'a kid', actual: kid ?? null }];
};

/** Seconds: clocks may differ by a minute, and an event may be an hour late, retries included. */
const ahead = 60;
const behind = 3600;

/** §6: iat is the time, a NumericDate, which may have a fraction (RFC 7519 §2). */
const judgeIat: EventJudge = (event) => {
  const { receivedAt } = event;
  const iat = memberOf(claimsOf(event), 'iat');
  if (typeof iat !== 'number') {
    return [{ path: 'set.iat', expected: 'seconds since the epoch', actual: iat ?? null }];
  }
  if (iat <= receivedAt + ahead && iat >= receivedAt - behind) return [];
  const arrived = new Date(receivedAt * 1000).toISOString();
  return [{ path: 'set.iat', expected: `at most ${behind} s before and ${ahead} s after ${arrived}`, actual: iat }];
};

/** §6: jti is there; a check over the run compares it with those of other events. */
const judgeJti: EventJudge = (event) => {
  const jti = memberOf(claimsOf(event), 'jti');
  if (typeof jti === 'string' && jti !== '') return [];
  return [{ path: 'set.jti', expected: 'a unique id', actual: jti ?? null }];
};

/** §6, 4: sub begins with the carrier code and a dash. */
const judgeSub: EventJudge = (event) => {
  const sub = memberOf(claimsOf(event), 'sub');
  if (typeof sub === 'string' && /^\d{5,6}-./.test(sub)) return [];
  return [{ path: 'set.sub', expected: 'carrier code, dash, identifier', actual: sub ?? null }];
};

/** §6: events is a list that names the event; a list of security_event alone and an object have levels of their own (A10). */
const judgeEvents: EventJudge = (event) => {
  const events = memberOf(claimsOf(event), 'events');
  const wrong = (expected: string, aspect?: string) => [
    { path: 'set.events', expected, actual: events ?? null, ...(aspect === undefined ? {} : { aspect }) },
  ];
  const list = Array.isArray(events) && events.length > 0 && events.every((name) => typeof name === 'string');
  if (!list && !isJsonObject(events)) return wrong('a list of event names');
  const names = namesIn(events);
  if (names.some((name) => changeNames.has(name))) return list ? [] : wrong('a list of event names', 'object');
  if (names.includes('security_event')) return wrong('device_change beside security_event', 'security-event-alone');
  return wrong('device_change among the names');
};

export const setJudges: readonly EventJudge[] = [judgeType, judgeKid, judgeIat, judgeJti, judgeSub];

/** Header and claims of the SET (§5.6, §6). */
export const setChecks: readonly NamedCheck[] = [
  defineChangeCheck('set-type', judgeType),
  defineChangeCheck('set-has-a-kid', judgeKid),
  defineChangeCheck('set-iat-is-the-time', judgeIat),
  defineChangeCheck('set-has-a-jti', judgeJti),
  defineChangeCheck('set-sub-has-a-carrier-code', judgeSub),
  defineChangeCheck('set-events-name-the-change', judgeEvents),

  /** §6 shows aud as a string; a list of one means the same (RFC 7519 §4.1.3), but not to an SP that compares strings. */
  defineCheck('set-aud-is-text', (observation) =>
    eventsOf(observation).flatMap((event) => {
      const aud = memberOf(claimsOf(event), 'aud');
      if (!Array.isArray(aud) || aud.length !== 1) return [];
      return [{ aspect: 'list', path: 'set.aud', expected: 'a string', actual: aud }];
    }),
  ),

  /** Finds nothing: beside a comparison it makes a delivery without a readable SET one that has no claims to compare. */
  defineCheck('set-is-readable', (observation) => {
    if (eventsOf(observation).some(({ set }) => set === undefined)) throw new MissingValue('set');
    return [];
  }),

  /** SEC-41: iat is within 5 minutes of the event: between what raised it, after which the await begins, and its delivery. */
  defineCheck('event-iat-is-recent', (observation) => {
    const [first] = eventsOf(observation);
    if (first?.set === undefined) return [];
    const { iat } = first.set;
    const { receivedAt } = first;
    const from = observation.kind === 'events' ? Math.min(observation.sentAt, receivedAt) : receivedAt;
    if (typeof iat === 'number' && iat >= from - 300 && iat <= receivedAt + 300) return [];
    const expected = `an iat within 5 minutes of ${Math.round(receivedAt)}, the delivery`;
    return [{ path: 'set.iat', expected, actual: iat ?? null }];
  }),
];
