import { isJsonObject, type JsonObject } from '../../../../model/json.ts';
import { MissingValue } from '../../../../model/template.ts';
import type { EventObservation } from '../../../../judge/observation.ts';
import { changeNames, claimOf, type EventJudge, namesIn } from './event.ts';

/** A delivery without a readable SET says nothing of what stands in one. */
function claimsOf({ set }: EventObservation): JsonObject {
  if (set === undefined) throw new MissingValue('set');
  return set;
}

function headerOf({ setHeader }: EventObservation): JsonObject {
  if (setHeader === undefined) throw new MissingValue('setHeader');
  return setHeader;
}

const typeText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.toLowerCase().replace(/^application\//, '') : undefined;

/** §5.6, §6: typ is set+jwt; the name of RFC 8417, a member called type and no type at all have levels of their own (A9). */
export const judgeType: EventJudge = (event) => {
  const setHeader = headerOf(event);
  const typ = claimOf(setHeader, 'typ');
  const type = claimOf(setHeader, 'type');
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
export const judgeKid: EventJudge = (event) => {
  const kid = claimOf(headerOf(event), 'kid');
  if (typeof kid === 'string' && kid !== '') return [];
  return [{ path: 'setHeader.kid', expected: 'a kid', actual: kid ?? null }];
};

/** Seconds: clocks may differ by a minute, and the last of three retries comes some minutes after signing. */
const ahead = 60;
const behind = 600;

/** §6: iat is the time, in whole seconds. */
export const judgeIat: EventJudge = (event) => {
  const { receivedAt } = event;
  const iat = claimOf(claimsOf(event), 'iat');
  if (typeof iat !== 'number' || !Number.isInteger(iat)) {
    return [{ path: 'set.iat', expected: 'whole seconds since the epoch', actual: iat ?? null }];
  }
  if (iat <= receivedAt + ahead && iat >= receivedAt - behind) return [];
  const arrived = new Date(receivedAt * 1000).toISOString();
  return [{ path: 'set.iat', expected: `at most ${behind} s before and ${ahead} s after ${arrived}`, actual: iat }];
};

/** §6: jti is there; that it is unique is seen over the whole run. */
export const judgeJti: EventJudge = (event) => {
  const jti = claimOf(claimsOf(event), 'jti');
  if (typeof jti === 'string' && jti !== '') return [];
  return [{ path: 'set.jti', expected: 'a unique id', actual: jti ?? null }];
};

/** §6, 4: sub begins with the carrier code and a dash. */
export const judgeSub: EventJudge = (event) => {
  const sub = claimOf(claimsOf(event), 'sub');
  if (typeof sub === 'string' && /^\d{5,6}-./.test(sub)) return [];
  return [{ path: 'set.sub', expected: 'carrier code, dash, identifier', actual: sub ?? null }];
};

/** §6: events is a list that names the event; a list of security_event alone and an object have levels of their own (A10). */
export const judgeEvents: EventJudge = (event) => {
  const events = claimOf(claimsOf(event), 'events');
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
