import {
  type CheckMismatch,
  comparisonCase,
  defineRunCheck,
  defineSequenceCheck,
  type NamedCheck,
  type RunCheck,
} from '../../../../judge/check.ts';
import { verifyWithAny } from '../../../../judge/compact-jws.ts';
import type { EventObservation } from '../../../../judge/observation.ts';
import { readMember, readTextMember } from '../../../../lib/json.ts';
import { collectSignedTokens, type TokenJudge } from '../published-keys.ts';
import { findDeviceChange, listEventNames } from './event.ts';

/** Seconds within which all attempts of one event come; the next event for the subscriber is an hour away. */
const attemptWindow = 1800;

const eventIdentity = (event: EventObservation): string =>
  JSON.stringify([event.client ?? null, readMember(event.set, 'sub') ?? null, listEventNames(event)]);

const isSameEvent = (one: EventObservation, other: EventObservation): boolean =>
  eventIdentity(one) === eventIdentity(other) && Math.abs(one.receivedAt - other.receivedAt) <= attemptWindow;

/** Check of every SET by all keys that were published for events during the run. */
const defineSignatureCheck = (name: string, judge: TokenJudge<EventObservation>): RunCheck =>
  defineRunCheck(name, () => {
    const tokens = collectSignedTokens('event_jwks', judge);
    return {
      observe: (message) => {
        const event = findDeviceChange(message);
        tokens.observe(message, event?.jws === undefined ? undefined : event);
      },
      lacks: tokens.lacks,
      prepare: tokens.prepare,
      conclude: tokens.conclude,
    };
  });

const isUnsignedSet = ({ setHeader }: EventObservation): boolean => {
  const alg = readMember(setHeader, 'alg');
  return typeof alg !== 'string' || alg === 'none';
};

const verificationMismatch = ({ setHeader }: EventObservation): CheckMismatch => ({
  path: 'jws',
  expected: 'a signature that a key at jwks_uri verifies',
  actual: `alg ${JSON.stringify(readMember(setHeader, 'alg') ?? null)}, not verified`,
});

export const eventRunChecks: readonly NamedCheck[] = [
  /** §6: jti is unique to an event; attempts of one event may share it. */
  defineSequenceCheck('event-jtis-differ', () => {
    const firsts = new Map<string, { readonly event: EventObservation; readonly seenIn: string }>();
    return (message) => {
      const event = findDeviceChange(message);
      const jti = readTextMember(event?.set, 'jti');
      if (event === undefined || jti === undefined) return undefined;
      const first = firsts.get(jti) ?? { event, seenIn: message.seenIn };
      firsts.set(jti, first);
      if (first.event === event || isSameEvent(first.event, event)) return [];
      const expected = 'a jti that no other event has';
      return [{ path: 'set.jti', expected, actual: jti, ...comparisonCase(first, message) }];
    };
  }),

  /** §5.6: the kid of a SET is one of jwks_uri. The presence of a kid is judged for each event alone. */
  defineSignatureCheck('event-kid-is-published', {
    anyway: () => undefined,
    by: ({ setHeader }, keys) => {
      const kid = readMember(setHeader, 'kid');
      if (typeof kid !== 'string' || keys.some((key) => key['kid'] === kid)) return undefined;
      return { path: 'setHeader.kid', expected: 'the kid of a key at jwks_uri', actual: kid };
    },
  }),

  /** §5.6: the key that its kid names verifies it, or any key if it names none. */
  defineSignatureCheck('event-signature-verifies', {
    anyway: (event) => (isUnsignedSet(event) ? verificationMismatch(event) : undefined),
    by: (event, keys) => {
      const { jws = '', setHeader } = event;
      const kid = readMember(setHeader, 'kid') ?? null;
      const tried = kid === null ? keys : keys.filter((key) => key['kid'] === kid);
      return verifyWithAny(jws, tried) ? undefined : verificationMismatch(event);
    },
    signed: { jws: ({ jws = '' }) => jws, token: 'an event token', place: { path: 'jws' } },
  }),
];
